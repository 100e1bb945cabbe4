comment on index ledger_events_given_back is 'what a shop''s takings lost again, and its refunds that are done, by day';
