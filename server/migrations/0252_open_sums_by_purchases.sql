-- contract: the functions and triggers that go are made anew here; no server names them
-- What is open is what purchases themselves say: when something of each is due next, and how much. So their own changes are counted,
-- and a payment sets its next day where it adds its money: each further change of that row in its transaction has all the
-- foreign keys of purchases looked up again. A day that the plan does not say is refused at the commit, as a sum is.
grant update (next_due_on) on purchases to aparta_app;

create or replace function close_sum() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  wrong record;
begin
  delete from public.open_sums where id = new.id;
  if new.head = 'purchase' then
    select p.*, i.*, case p.state when 'active' then i.day end as next_day into wrong
      from public.purchases p, lateral (
        select sum(amount_centavos) as planned, sum(paid_centavos) as paid,
          min(due_on) filter (where paid_centavos < amount_centavos) as day
        from public.instalments where purchase_id = p.id) i
      where p.id = new.head_id;
    if wrong.price_centavos is distinct from wrong.planned or wrong.paid_centavos is distinct from wrong.paid
        or wrong.next_due_on is distinct from wrong.next_day then
      raise exception 'purchase %: price %, planned %; paid %, by instalments %; next due %, by instalments %', wrong.id,
        wrong.price_centavos, wrong.planned, wrong.paid_centavos, wrong.paid, wrong.next_due_on, wrong.next_day
        using errcode = 'check_violation', constraint = 'purchases_add_up';
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

-- The day is found to be set, unless the statement is of an older server or of a new plan. `offset 0` has each purchase looked up by
-- its key: a plan that was made while there were few would read all of them.
create or replace function instalments_changed() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off set enable_mergejoin = off
  as $$
declare
  wrong bigint[];
  stale bigint[];
begin
  if tg_op = 'INSERT' then
    insert into public.merchant_sum_changes (merchant_id, kind, day, amount_centavos, items)
      select p.merchant_id, 'due', due_on, sum(amount_centavos - paid_centavos), count(*)
      from changed i, lateral (select merchant_id from public.purchases where id = purchase_id and state = 'active' offset 0) p
      where paid_centavos < amount_centavos group by 1, 3;
  else
    insert into public.merchant_sum_changes (merchant_id, kind, day, amount_centavos, items)
      select p.merchant_id, 'due', day, sum(owed), sum(items) from (
        select purchase_id, due_on as day, amount_centavos - paid_centavos as owed, sign(amount_centavos - paid_centavos) as items
          from changed
        union all select purchase_id, due_on, paid_centavos - amount_centavos, sign(paid_centavos - amount_centavos) from before
      ) as change, lateral (select merchant_id from public.purchases where id = purchase_id and state = 'active' offset 0) p
      group by 1, 3 having sum(owed) <> 0 or sum(items) <> 0;
  end if;
  select array_agg(p.id) filter (where price_centavos <> planned or paid_centavos <> paid),
      array_agg(p.id) filter (where state = 'active' and next_due_on is distinct from day)
    into wrong, stale
    from (select distinct purchase_id from changed) c, lateral (
      select * from public.purchases where id = purchase_id offset 0) p, lateral (
      select sum(amount_centavos) as planned, sum(paid_centavos) as paid,
        min(due_on) filter (where paid_centavos < amount_centavos) as day
      from public.instalments where purchase_id = p.id) i;
  if wrong is not null then
    insert into public.open_sums (head, head_id) select 'purchase', unnest(wrong);
  end if;
  if stale is not null then
    update public.purchases p set next_due_on = (
      select min(due_on) from public.instalments where purchase_id = p.id and paid_centavos < amount_centavos) where id = any (stale);
  end if;
  return null;
end $$;
drop function count_owed;

create or replace function sum_ended_purchase() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
begin
  insert into public.merchant_sum_changes (merchant_id, kind, day, amount_centavos, items)
    select new.merchant_id, 'due', due_on, sign * sum(amount_centavos - paid_centavos), sign * count(*)
    from public.instalments, (select case when new.state = 'active' then 1 else -1 end as sign) s
    where purchase_id = new.id and paid_centavos < amount_centavos
    group by due_on, sign;
  return null;
end $$;

create function purchases_changed() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
begin
  if tg_op = 'INSERT' then
    insert into public.merchant_sum_changes (merchant_id, kind, day, amount_centavos, items)
      select merchant_id, 'open', next_due_on, sum(price_centavos - paid_centavos), count(*)
      from changed where next_due_on is not null group by 1, 3;
  else
    insert into public.merchant_sum_changes (merchant_id, kind, day, amount_centavos, items)
      select merchant_id, 'open', next_due_on, sum(owed), sum(items) from (
        select merchant_id, next_due_on, price_centavos - paid_centavos as owed, 1 as items from changed
        union all select merchant_id, next_due_on, paid_centavos - price_centavos, -1 from before) as change
      where next_due_on is not null
      group by 1, 3 having sum(owed) <> 0 or sum(items) <> 0;
  end if;
  -- The trigger of their instalments has just looked when it writes the next day.
  if pg_trigger_depth() = 1 then
    insert into public.open_sums (head, head_id)
      select 'purchase', p.id from changed p, lateral (
        select sum(amount_centavos) as planned, sum(paid_centavos) as paid,
          min(due_on) filter (where paid_centavos < amount_centavos) as day
        from public.instalments where purchase_id = p.id) i
      where p.price_centavos is distinct from i.planned or p.paid_centavos is distinct from i.paid
        or p.next_due_on is distinct from case p.state when 'active' then i.day end;
  end if;
  return null;
end $$;

drop trigger purchases_add_up on purchases;
drop trigger purchases_still_add_up on purchases;
drop function open_purchases;
create trigger purchases_add_up after insert on purchases referencing new table as changed
  for each statement execute function purchases_changed();
create trigger purchases_still_add_up after update on purchases referencing old table as before new table as changed
  for each statement execute function purchases_changed();
