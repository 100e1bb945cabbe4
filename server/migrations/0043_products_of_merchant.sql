-- outside a transaction
-- A shop's people page through its products (pageOfOffers).
create index concurrently products_of_merchant on products (merchant_id, id) where withdrawn_at is null;
