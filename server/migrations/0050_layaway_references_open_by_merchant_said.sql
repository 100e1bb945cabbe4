-- Who reads the newest index of reservations.
comment on index layaway_references_open_by_merchant is 'a shop''s reservations that wait for their deposit';
