-- outside a transaction
create index concurrently card_attempts_that_block on card_attempts (purchase_id)
  where state in ('submitting', 'pending_3ds', 'unknown', 'held');
