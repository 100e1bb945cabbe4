-- outside a transaction
-- What waits for its cut (no cut), and what is in one.
create index concurrently counter_reversals_by_cut on counter_reversals (cut_id, position_id);
