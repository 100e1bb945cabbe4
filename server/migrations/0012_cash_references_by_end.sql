-- outside a transaction
-- Finds the references that still live, without reading those of the years before.
create index concurrently cash_references_by_end on cash_references (upper(valid));
