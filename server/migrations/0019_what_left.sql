-- Money that left a payment by another way than ours is booked where it came from; a job that gave up is let run again.

insert into ledger_accounts (code, normal, meaning) values
  ('dispute_loss', 'debit', 'left a payment outside, and nothing that we owed or held was it: lost by the merchant');

-- A job by what its alarm calls it: its key, or its number where it has none. False when it is not in the queue.
create function retry_job(task text, named text) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  perform graphile_worker.reschedule_jobs(array(
    select id from graphile_worker.jobs where task_identifier = task and coalesce(key, id::text) = named
  ), run_at => now(), attempts => 0);
  return found;
end $$;
revoke execute on function retry_job from public;
grant execute on function retry_job to aparta_app;
