-- outside a transaction
-- A shop finds what is paid off or cancelled.
create index concurrently purchases_settled on purchases (merchant_id, state, id) where next_due_on is null;
