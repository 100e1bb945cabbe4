-- outside a transaction
-- A shop finds its buyer by the last digits of a telephone.
create index concurrently buyers_by_phone on buyers (right(phone, 4));
