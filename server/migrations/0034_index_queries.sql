-- Who reads each index that a payment writes and that proves nothing by itself.
comment on index layaway_references_by_buyer is 'the references of a buyer, to show, export and forget';
comment on index layaway_references_to_expire is 'expire_references: open ones whose time is over';
comment on index purchases_by_buyer is 'the list of purchases, newest first';
comment on index purchases_by_merchant is 'a merchant''s purchases in the operator''s lists, newest first';
comment on index receipts_by_buyer is 'what a buyer may ask to see';
comment on index receipts_by_settlement is 'the receipts that a deposit paid out, when it is taken back';
comment on index allocations_by_receipt is 'the sum of a receipt, after each statement that places its money';
comment on index allocations_by_instalment is 'the receipts of an instalment, in a purchase and for its invoice';
comment on index ledger_transfers_by_rare_debit is 'the balance of one settlement''s difference; fees given back and dispute losses in the proofs';
comment on index ledger_transfers_by_rare_credit is 'the same';
comment on index till_operations_by_chain is 'a chain''s day file';
comment on index outbox_due is 'the emails to send now, and how many wait';
comment on index outbox_failed is 'the emails that an operator must decide about';
comment on index outbox_by_buyer is 'the emails of a buyer, to export and forget';
