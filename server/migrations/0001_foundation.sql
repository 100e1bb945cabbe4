-- The application's own role, its clock, its way to enqueue a job inside a transaction, and shared counters.
-- Why a role apart: what must never happen to money is refused to the application itself, not only by its code.

do $$
begin
  if not exists (select from pg_roles where rolname = 'aparta_app') then
    create role aparta_app nologin;
  end if;
exception
  when duplicate_object or unique_violation then null; -- another database of this server was being migrated at the same moment
end $$;

do $$
begin
  execute format('grant aparta_app to %I', current_user);
  execute format('grant connect on database %I to aparta_app', current_database());
exception
  when unique_violation or internal_error then null; -- the same, for the grant: "tuple concurrently updated"
end $$;

grant usage on schema public to aparta_app;

create function app_now() returns timestamptz
  language sql stable
  as $$ select now() + coalesce(nullif(current_setting('aparta.clock_offset', true), '')::interval, interval '0') $$;

-- graphile-worker's tables are closed to the application's role by row-level security; this door only adds jobs.
create function enqueue_job(task text, payload json, run_at timestamptz, job_key text, max_attempts int default 25) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  perform graphile_worker.add_job(task, payload, run_at => run_at, job_key => job_key, max_attempts => max_attempts);
end $$;
revoke execute on function enqueue_job from public;
grant execute on function enqueue_job to aparta_app;

-- Counters of the rate limits: points taken in a window that ends at `expire`, in ms since 1970 of app_now().
create table rate_counters (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_counters_by_expiry on rate_counters (expire);
grant select, insert, update, delete on rate_counters to aparta_app;

-- What an operator must see: counted per kind and subject, so that a storm is one row.
create table alarms (
  id bigint generated always as identity primary key,
  kind text not null,
  subject text not null,
  detail jsonb not null default '{}',
  times integer not null default 1 check (times > 0),
  first_at timestamptz not null default app_now(),
  last_at timestamptz not null default app_now(),
  resolved_at timestamptz
);
create unique index alarms_one_open_per_subject on alarms (kind, subject) where resolved_at is null;
grant select, insert, update on alarms to aparta_app;
