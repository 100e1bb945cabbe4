-- Presses whose person says that nothing was given back: one that took a payment back, or handed a refund over, and got no answer.
-- Its call may still be under way; once it is here it changes nothing any more, whichever server it reaches.
create table counter_dropped_presses (
  request_id uuid primary key, -- made by the device with the press
  merchant_id bigint not null references merchants,
  position_id uuid not null, -- who says so
  created_at timestamptz not null default app_now(),
  constraint counter_dropped_presses_by_the_merchants_staff foreign key (position_id, merchant_id)
    references staff_positions (id, merchant_id)
);
grant select on counter_dropped_presses to aparta_app;
grant insert (request_id, merchant_id, position_id) on counter_dropped_presses to aparta_app;

create function press_was_not_dropped() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from counter_dropped_presses d where d.request_id = new.request_id) then
    raise exception 'press % was given up', new.request_id
      using errcode = 'check_violation', constraint = tg_name;
  end if;
  return new;
end $$;
create trigger counter_refunds_were_not_dropped before insert on counter_refunds
  for each row execute function press_was_not_dropped();
create trigger counter_reversals_were_not_dropped before insert on counter_reversals
  for each row when (new.request_id is not null) execute function press_was_not_dropped();
