-- outside a transaction
-- A shop's lists of what is owed, and of what is late or due, read its active plans alone. Not by what is paid: each payment would
-- write it.
create index concurrently purchases_open_by_merchant on purchases (merchant_id, id desc) where state = 'active';
