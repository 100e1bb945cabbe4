-- outside a transaction
-- One press adds one product.
create unique index concurrently products_once_by_request on products (merchant_id, request_id) where request_id is not null;
