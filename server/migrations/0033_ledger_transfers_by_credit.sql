-- outside a transaction
-- `ledger_transfers_by_rare_credit` stands in its place.
drop index concurrently ledger_transfers_by_credit;
