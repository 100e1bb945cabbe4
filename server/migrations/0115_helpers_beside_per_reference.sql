-- outside a transaction
-- contract: helpers pay beside each other; of a buyer's own attempts 0112 says the same
drop index concurrently card_attempts_one_open_per_reference;
