-- What was done with a buyer's account that no other table tells: who signed in, on which device, and what they turned on or off. Their
-- owner reads it. Written once; it is forgotten after 400 days, and with its buyer.
create table account_acts (
  id bigint generated always as identity primary key,
  buyer_id bigint not null references buyers,
  at timestamptz not null default app_now(),
  act text not null constraint account_acts_are_known check (act in ('signed_in', 'sign_in_failed', 'signed_out', 'session_closed',
    'password_changed', 'profile_changed', 'reminders_on', 'reminders_off', 'pushes_on', 'pushes_off', 'calendar_made',
    'calendar_ended', 'data_exported')),
  device text not null default '' constraint account_acts_devices_are_short check (char_length(device) <= 200)
);
create index account_acts_by_buyer on account_acts (buyer_id, at);
create index account_acts_by_age on account_acts (at);
grant select, insert (buyer_id, act, device) on account_acts to aparta_app;
grant delete on account_acts to aparta_operator;

-- Whoever breaks into a server cannot remove what they did: it forgets what is old alone.
create function forget_old_account_acts(most integer) returns bigint
  language sql security definer set search_path = pg_catalog, pg_temp as $$
  with old as (delete from public.account_acts where id = any (array(
    select id from public.account_acts where at < public.app_now() - interval '400 days' limit most)) returning 1)
  select count(*) from old;
$$;
revoke execute on function forget_old_account_acts from public;
grant execute on function forget_old_account_acts to aparta_app;
