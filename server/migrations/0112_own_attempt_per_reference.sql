-- outside a transaction
create unique index concurrently card_attempts_one_own_open_per_reference on card_attempts (reference_id)
  where state in ('submitting', 'pending_3ds', 'unknown') and help_link_id is null;
