-- outside a transaction
-- What of a shop was cancelled on a day.
create index concurrently purchases_cancelled on purchases (merchant_id, cancelled_at) where cancelled_at is not null;
