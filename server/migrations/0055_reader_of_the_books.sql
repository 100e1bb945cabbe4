comment on index ledger_events_by_position is 'feeds of a merchant''s money';
