-- outside a transaction
create index concurrently card_attempts_of_help_links on card_attempts (help_link_id, created_at)
  where help_link_id is not null;
