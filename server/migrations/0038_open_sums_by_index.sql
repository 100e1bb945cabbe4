-- A connection keeps the plans of these checks, made perhaps when there was next to nothing: it then reads all instalments for each
-- payment until the tables are analysed. By index a plan stays right however much comes.
alter function open_purchases() set enable_seqscan = off;
alter function open_purchases_of_instalments() set enable_seqscan = off;
alter function open_receipts() set enable_seqscan = off;
alter function open_receipts_of_allocations() set enable_seqscan = off;
alter function open_events() set enable_seqscan = off;
