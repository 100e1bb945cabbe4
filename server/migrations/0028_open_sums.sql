-- contract: the checks that go are made anew here, under the same names; no server names them
-- The sums of money are checked once for each statement, however many rows it wrote, and no more for each row at the commit. What
-- one statement leaves whole is whole. What a later statement of the transaction must complete is noted in `open_sums` and checked
-- at the commit, as ever.

create table open_sums (
  id bigint generated always as identity primary key,
  head text not null check (head in ('purchase', 'receipt', 'event')),
  head_id bigint not null
);

create function close_sum() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  wrong record;
begin
  delete from public.open_sums where id = new.id;
  if new.head = 'purchase' then
    select p.id, p.price_centavos, p.paid_centavos, sum(i.amount_centavos) as planned, sum(i.paid_centavos) as paid into wrong
      from public.purchases p left join public.instalments i on i.purchase_id = p.id
      where p.id = new.head_id group by p.id
      having p.price_centavos is distinct from sum(i.amount_centavos) or p.paid_centavos is distinct from sum(i.paid_centavos);
    if found then
      raise exception 'purchase %: price %, planned %; paid %, by instalments %', wrong.id, wrong.price_centavos, wrong.planned,
        wrong.paid_centavos, wrong.paid using errcode = 'check_violation', constraint = 'purchases_add_up';
    end if;
  elsif new.head = 'receipt' then
    select r.id, r.amount_centavos - r.withdrawn_centavos as due, coalesce(sum(a.amount_centavos), 0) as placed into wrong
      from public.receipts r left join public.allocations a on a.receipt_id = r.id
      where r.id = new.head_id group by r.id
      having r.amount_centavos - r.withdrawn_centavos <> coalesce(sum(a.amount_centavos), 0);
    if found then
      raise exception 'receipt %: % to place, % placed', wrong.id, wrong.due, wrong.placed
        using errcode = 'check_violation', constraint = 'receipts_disposed';
    end if;
  elsif (select count(*) from public.ledger_transfers where event_id = new.head_id)
      <> (select legs from public.ledger_events where id = new.head_id) then
    raise exception 'ledger event % lacks transfers', new.head_id
      using errcode = 'check_violation', constraint = 'ledger_events_whole';
  end if;
  return null;
end $$;
create constraint trigger open_sums_close after insert on open_sums deferrable initially deferred
  for each row execute function close_sum();

create function open_purchases() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into public.open_sums (head, head_id)
    select 'purchase', p.id from changed p, lateral (
      select sum(amount_centavos) as planned, sum(paid_centavos) as paid from public.instalments where purchase_id = p.id) i
    where p.price_centavos is distinct from i.planned or p.paid_centavos is distinct from i.paid;
  return null;
end $$;
create function open_purchases_of_instalments() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into public.open_sums (head, head_id)
    select 'purchase', p.id from (select distinct purchase_id from changed) c join public.purchases p on p.id = c.purchase_id, lateral (
      select sum(amount_centavos) as planned, sum(paid_centavos) as paid from public.instalments where purchase_id = p.id) i
    where p.price_centavos is distinct from i.planned or p.paid_centavos is distinct from i.paid;
  return null;
end $$;
create function open_receipts() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into public.open_sums (head, head_id)
    select 'receipt', r.id from changed r
    where r.amount_centavos - r.withdrawn_centavos
      <> (select coalesce(sum(amount_centavos), 0) from public.allocations where receipt_id = r.id);
  return null;
end $$;
create function open_receipts_of_allocations() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into public.open_sums (head, head_id)
    select 'receipt', r.id from (select distinct receipt_id from changed) c join public.receipts r on r.id = c.receipt_id
    where r.amount_centavos - r.withdrawn_centavos
      <> (select coalesce(sum(amount_centavos), 0) from public.allocations where receipt_id = r.id);
  return null;
end $$;
create function open_events() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into public.open_sums (head, head_id)
    select 'event', e.id from changed e
    where e.legs <> (select count(*) from public.ledger_transfers where event_id = e.id);
  return null;
end $$;

drop trigger purchases_add_up on purchases;
drop trigger instalments_add_up on instalments;
drop trigger receipts_disposed on receipts;
drop trigger allocations_disposed on allocations;
drop trigger ledger_events_whole on ledger_events;
drop function purchases_add_up, receipts_disposed, ledger_events_whole;

create trigger purchases_add_up after insert on purchases referencing new table as changed
  for each statement execute function open_purchases();
create trigger purchases_still_add_up after update on purchases referencing new table as changed
  for each statement execute function open_purchases();
create trigger instalments_add_up after insert on instalments referencing new table as changed
  for each statement execute function open_purchases_of_instalments();
create trigger instalments_still_add_up after update on instalments referencing new table as changed
  for each statement execute function open_purchases_of_instalments();
create trigger receipts_disposed after insert on receipts referencing new table as changed
  for each statement execute function open_receipts();
create trigger receipts_still_disposed after update on receipts referencing new table as changed
  for each statement execute function open_receipts();
create trigger allocations_disposed after insert on allocations referencing new table as changed
  for each statement execute function open_receipts_of_allocations();
create trigger ledger_events_whole after insert on ledger_events referencing new table as changed
  for each statement execute function open_events();

-- What was agreed when the money came is read once.
create or replace function freeze_who_collects() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  select case new.channel when 'till' then till_collected_by when 'cash' then cash_collected_by else 'merchant' end,
      invoice_cut_off_days
    into new.collected_by, new.invoice_cut_off_days from merchants where id = new.merchant_id;
  return new;
end $$;
drop trigger receipts_freeze_invoice_cut_off on receipts;
drop function freeze_invoice_cut_off;

create function count_till_operations() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into public.till_days as counted (service_account_id, day, branch, taken_centavos)
    select service_account_id, (created_at at time zone 'America/Mexico_City')::date, branch, sum(amount_centavos)
      from changed where state = 'authorised' group by 1, 2, 3 order by 1, 2, 3
    on conflict (service_account_id, day, branch) do update set taken_centavos = counted.taken_centavos + excluded.taken_centavos;
  return null;
end $$;
drop trigger till_operations_are_counted on till_operations;
create trigger till_operations_are_counted after insert on till_operations referencing new table as changed
  for each statement execute function count_till_operations();
