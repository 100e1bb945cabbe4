-- outside a transaction
-- A shop's reservations that wait for their deposit.
create index concurrently layaway_references_open_by_merchant on layaway_references (merchant_id, id desc) where state = 'open';
