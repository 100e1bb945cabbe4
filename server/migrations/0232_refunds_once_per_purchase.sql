-- outside a transaction
create unique index concurrently refunds_once_per_purchase on refunds (receipt_id, cause, method, purchase_id) nulls not distinct;
