-- What every other file stands on: the application's role and clock, the door to the job queue, append-only tables, rate limits,
-- alerts, the audit log, the outbox of emails and the history of states.
-- The role exists so that PostgreSQL itself, and not only our code, refuses what must never happen to money.

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
  when unique_violation or internal_error then null; -- the same race, on the grant: "tuple concurrently updated"
end $$;

grant usage on schema public to aparta_app;

create function app_now() returns timestamptz
  language sql stable
  as $$ select now() + coalesce(nullif(current_setting('aparta.clock_offset', true), '')::interval, interval '0') $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: corrections are new rows', tg_table_name using errcode = 'restrict_violation', constraint = tg_name;
end $$;

-- Row-level security keeps the application's role out of graphile-worker's tables. Through this function it can add jobs, no more.
create function enqueue_job(task text, payload json, run_at timestamptz, job_key text, max_attempts int default 25) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  perform graphile_worker.add_job(task, payload, run_at => run_at, job_key => job_key, max_attempts => max_attempts);
end $$;
revoke execute on function enqueue_job from public;
grant execute on function enqueue_job to aparta_app;

-- Runs a job that gave up again. `named` is how its alert names it: its key, or its id if it has none. False if it is not queued.
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

-- Points used up in a rate limit's window, which ends at `expire`: milliseconds since 1970 by app_now().
create table rate_counters (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_counters_by_expiry on rate_counters (expire);
grant select, insert, update, delete on rate_counters to aparta_app;

-- What an operator must see, counted per kind and subject: a thousand of the same are one row.
create table alerts (
  id bigint generated always as identity primary key,
  kind text not null,
  subject text not null,
  detail jsonb not null default '{}',
  times integer not null default 1 check (times > 0),
  first_at timestamptz not null default app_now(),
  last_at timestamptz not null default app_now(),
  resolved_at timestamptz
);
create unique index alerts_one_open_per_subject on alerts (kind, subject) where resolved_at is null;
grant select, insert, update on alerts to aparta_app;

-- Lets the nightly job delete alerts resolved long ago. The application's role itself may delete none.
create function prune_alerts(at_once integer) returns integer
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    with gone as (
      delete from public.alerts where id in (
        select id from public.alerts where resolved_at < public.app_now() - interval '90 days' limit at_once)
      returning 1)
    select count(*)::integer from gone
  $$;
revoke execute on function prune_alerts from public;
grant execute on function prune_alerts to aparta_app;

-- Which operator changed what, and when. Written in the transaction of the change, so neither exists without the other. No secrets.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default app_now(),
  actor text not null check (char_length(actor) between 1 and 120),
  command text not null check (command ~ '^[a-z]+( [a-z-]+)*$'),
  subject_kind text not null check (subject_kind ~ '^[a-z][a-z_]{1,39}$'),
  subject_id text not null check (char_length(subject_id) between 1 and 120),
  detail jsonb not null default '{}'
);
create index audit_log_by_subject on audit_log (subject_kind, subject_id, id desc);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
grant select, insert on audit_log to aparta_app;

-- Emails, written in the transaction that makes them true and sent afterwards. One to an address without an account is queued like
-- any other and dropped when its turn comes, so that neither the answer nor its timing tells who has an account.
create table outbox (
  id bigint generated always as identity primary key,
  topic text not null,
  dedupe_key text not null,
  buyer_id bigint,
  recipient text not null,
  facts jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'dropped')),
  tries integer not null default 0,
  created_at timestamptz not null default app_now(),
  sent_at timestamptz,
  constraint outbox_once unique (topic, dedupe_key)
);
create index outbox_waiting on outbox (id) where state = 'waiting';
create index outbox_failed on outbox (created_at) where state = 'failed';
create index outbox_by_buyer on outbox (buyer_id) where buyer_id is not null;
grant select, insert, update on outbox to aparta_app;

-- Every state that a thing with a life has been in; written by the statement that moves it.
create table state_history (
  id bigint generated always as identity primary key,
  subject_kind text not null check (subject_kind in ('card_attempt', 'refund', 'invoice', 'cash_reference', 'cash_notice')),
  subject_id text not null,
  from_state text, -- null: created in `to_state`
  to_state text not null,
  detail text not null default '', -- the provider's detail code, if it gave one
  moved_at timestamptz not null default app_now()
);
create index state_history_by_subject on state_history (subject_kind, subject_id, id);
create trigger state_history_append_only before update or delete or truncate on state_history
  for each statement execute function refuse_change();
grant select, insert on state_history to aparta_app;
