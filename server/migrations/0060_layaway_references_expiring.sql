-- outside a transaction
-- A shop's reservations that end today.
create index concurrently layaway_references_expiring on layaway_references (merchant_id, expires_at)
  include (deposit_centavos) where state = 'open';
