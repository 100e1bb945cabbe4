-- The books, read by others as they grow: a feed, webhooks. Numbers are given out before the commit, so a reader who goes by `id`
-- passes over what commits late. By `position`, the transaction's own number, all that lies before the oldest transaction under
-- way is final. A restored database counts transactions anew: `ops/after-restore.sh` makes the shift cover what is there.
create function journal_shift() returns bigint language sql immutable as 'select 0::bigint';
-- What was booked before stands first, by its id.
alter table ledger_events add column position bigint not null default 0;
alter table ledger_events alter column position set default (pg_current_xact_id()::text::bigint + journal_shift());

-- Everything before it is committed, or never will be.
create function journal_horizon() returns bigint language sql stable
  as 'select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + journal_shift()';
