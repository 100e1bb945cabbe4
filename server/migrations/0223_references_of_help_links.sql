-- outside a transaction
-- What was asked for by a help link, to limit it, and what came by it.
create index concurrently cash_references_of_help_links on cash_references (help_link_id, created_at) where help_link_id is not null;
