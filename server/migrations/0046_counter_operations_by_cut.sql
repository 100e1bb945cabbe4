-- outside a transaction
-- What waits for its cut (no cut), and what is in one.
create index concurrently counter_operations_by_cut on counter_operations (cut_id, branch_id, position_id);
