-- outside a transaction
-- Subjects are looked up in the accounts that few transfers name; those that every receipt names are only ever summed whole.
create index concurrently ledger_transfers_by_rare_debit on ledger_transfers (debit, debit_subject)
  where debit not in ('card_clearing', 'till_clearing', 'cash_clearing');
