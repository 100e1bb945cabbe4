-- outside a transaction
-- Browsers make these ids: the same one asks for the same number.
create unique index concurrently cash_references_helpers_intent_once on cash_references (intent_id) where intent_id is not null;
