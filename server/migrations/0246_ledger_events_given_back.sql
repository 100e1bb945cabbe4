-- outside a transaction
-- What of a shop's money went back, by day: what its takings lost again, and its refunds that are done.
create index concurrently ledger_events_given_back on ledger_events (merchant_id, occurred_at)
  where kind in ('card_reversal', 'till_reversal', 'cash_reversal', 'card_refund', 'cash_refund', 'external_refund');
