-- outside a transaction
-- `ledger_transfers_by_rare_debit` stands in its place.
drop index concurrently ledger_transfers_by_debit;
