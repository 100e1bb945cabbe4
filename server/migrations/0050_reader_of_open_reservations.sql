comment on index layaway_references_open_by_merchant is 'the shop''s list of reservations that wait';
