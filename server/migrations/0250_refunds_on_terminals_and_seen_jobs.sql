-- What an operator may say, and see. That the shop's own terminal gave back what it took: until now the counter alone could say so.
alter table refunds add column paid_on_terminal boolean not null default false;
comment on column refunds.paid_on_terminal is 'by the shop''s own terminal; of what older servers handed over, counter_refunds says it';
grant update (paid_on_terminal) on refunds to aparta_app;

create function refunds_on_the_terminal_that_took() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.method <> 'cash' or new.state <> 'done' or new.paid_by is distinct from 'merchant' or not exists (
    select from receipts r join counter_operations o on o.till_operation_id::text = r.source_id
    where r.id = new.receipt_id and r.channel = 'till' and o.method = 'terminal') then
    raise exception 'refund % did not go back on the terminal that took it', new.id
      using errcode = 'check_violation', constraint = 'refunds_on_the_terminal_that_took';
  end if;
  return new;
end $$;
create trigger refunds_on_the_terminal_that_took before insert or update of paid_on_terminal on refunds
  for each row when (new.paid_on_terminal) execute function refunds_on_the_terminal_that_took();

-- The jobs of these keys, or numbers where a job has no key; and those that are due for so long that no worker takes them, the
-- oldest ones. Row-level security keeps all else of the queue from an operator's commands.
create function see_jobs(wanted text[], overdue interval, most int) returns table (
    task text, named text, run_at timestamptz, locked_at timestamptz, tries int, is_over boolean, last_error text, is_overdue boolean)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    with late as (
      select j.id from graphile_worker.jobs j
      where j.run_at < now() - overdue and j.locked_at is null and j.attempts < j.max_attempts order by j.run_at limit most)
    select j.task_identifier::text, coalesce(j.key, j.id::text), j.run_at, j.locked_at, j.attempts::int, j.attempts >= j.max_attempts,
      left(j.last_error, 200), exists (select from late where late.id = j.id)
    from graphile_worker.jobs j where coalesce(j.key, j.id::text) = any (wanted) or j.id in (select late.id from late);
end $$;
revoke execute on function see_jobs from public;
grant execute on function see_jobs to aparta_operator;
