-- outside a transaction
-- A merchant's books from a place on.
create index concurrently ledger_events_by_position on ledger_events (merchant_id, position, id);
