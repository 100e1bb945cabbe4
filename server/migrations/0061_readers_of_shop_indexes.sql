comment on index receipts_by_merchant is 'a shop''s payments of some days';
comment on index refunds_owed_in_cash is 'cash that waits for its buyer at the till';
comment on index layaway_references_expiring is 'how many of a shop''s reservations end today, and for how much';
