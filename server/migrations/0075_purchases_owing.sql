-- outside a transaction
-- A shop finds what is late, and what is due soon.
create index concurrently purchases_owing on purchases (merchant_id, next_due_on, id) where next_due_on is not null;
