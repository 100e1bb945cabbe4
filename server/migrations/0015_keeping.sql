-- What the nightly job lets go: alarms that were settled long ago. The application itself may still delete none.
create function let_go_of_alarms(at_once integer) returns integer
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    with gone as (
      delete from public.alarms where id in (
        select id from public.alarms where resolved_at < public.app_now() - interval '90 days' limit at_once)
      returning 1)
    select count(*)::integer from gone
  $$;
revoke execute on function let_go_of_alarms from public;
grant execute on function let_go_of_alarms to aparta_app;
