-- outside a transaction
-- Compares the last hours of the network with the same hours of the weeks before.
create index concurrently cash_notices_by_arrival on cash_notices (received_at);
