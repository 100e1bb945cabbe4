-- outside a transaction
-- A shop's payments of some days.
create index concurrently receipts_by_merchant on receipts (merchant_id, (coalesce(paid_at, received_at)));
