-- A merchant's plan may end by itself, so many days late, after two written warnings: the rule, frozen like the other terms, and
-- what was written when. Null never ends by itself.
alter table merchants add column end_days_late integer;
alter table merchants add constraint merchants_end_days_late check (end_days_late between 30 and 365) not valid;
alter table layaway_references add column end_days_late integer;
alter table layaway_references add constraint layaway_references_end_days_late check (end_days_late between 30 and 365) not valid;
alter table purchases add column end_days_late integer;
alter table purchases add constraint purchases_end_days_late check (end_days_late between 30 and 365) not valid;

-- Those of one clock count together: it runs from the oldest day that is due and unpaid, and ends with that.
create table end_warnings (
  id bigint generated always as identity primary key,
  purchase_id bigint not null references purchases,
  due_on date not null,
  step text not null constraint end_warnings_step check (step in ('first', 'last')),
  -- The day that the buyer was told.
  ends_on date not null,
  written_at timestamptz not null default app_now(),
  closed_at timestamptz,
  constraint end_warnings_tell_a_later_day check (ends_on > due_on)
);
create unique index end_warnings_once on end_warnings (purchase_id, step) where closed_at is null;
create index end_warnings_by_purchase on end_warnings (purchase_id);
create index end_warnings_open on end_warnings (ends_on) where closed_at is null;
grant select, insert (purchase_id, due_on, step, ends_on) on end_warnings to aparta_app;

-- What is paid, or ended, stops the clock, whoever writes it; reversing that starts another.
create function stop_end_clock() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update public.end_warnings set closed_at = public.app_now() where purchase_id = new.id and closed_at is null;
  return null;
end $$;
create trigger purchases_stop_end_clock after update on purchases for each row
  when (old.end_days_late is not null and old.next_due_on is distinct from new.next_due_on)
  execute function stop_end_clock();
