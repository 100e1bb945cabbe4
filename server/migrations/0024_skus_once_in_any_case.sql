-- outside a transaction
-- One product of a merchant for each sku, however it is spelt. It stands beside products_sku_once, which older servers name.
create unique index concurrently products_sku_once_in_any_case on products (merchant_id, lower(sku)) where sku <> '';
