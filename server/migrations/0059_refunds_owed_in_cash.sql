-- outside a transaction
-- Cash that waits for its buyer.
create index concurrently refunds_owed_in_cash on refunds (receipt_id) where method = 'cash' and state = 'owed';
