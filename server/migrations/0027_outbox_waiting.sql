-- outside a transaction
-- `outbox_due` stands in its place.
drop index concurrently outbox_waiting;
