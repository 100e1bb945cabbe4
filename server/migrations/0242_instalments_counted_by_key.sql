-- The plan of a day with few purchases would read all of them, and is kept until the tables are analysed again.
alter function instalments_changed() set enable_hashjoin = off;
alter function instalments_changed() set enable_mergejoin = off;
