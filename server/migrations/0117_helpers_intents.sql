-- outside a transaction
create unique index concurrently card_attempts_helpers_intent_once on card_attempts (intent_id)
  where help_link_id is not null;
