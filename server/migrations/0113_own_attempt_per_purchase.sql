-- outside a transaction
create unique index concurrently card_attempts_one_own_open_per_purchase on card_attempts (purchase_id)
  where state in ('submitting', 'pending_3ds', 'unknown') and help_link_id is null;
