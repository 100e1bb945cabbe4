-- outside a transaction
-- The other side of the same look-ups.
create index concurrently ledger_transfers_by_rare_credit on ledger_transfers (credit, credit_subject) where credit <> 'layaway_deposits';
