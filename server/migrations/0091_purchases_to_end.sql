-- outside a transaction
-- What ends next by its rule.
create index concurrently purchases_to_end on purchases ((next_due_on + end_days_late), id)
  where next_due_on is not null and end_days_late is not null;
