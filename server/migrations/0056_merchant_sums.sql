-- What a shop collected on each day, is owed on each due day, has open by the oldest unpaid day, and owes back in cash since each
-- day, so that its owner's page reads days and never all purchases. Triggers keep it true, whoever writes. A payment only adds rows to `merchant_sum_changes`: payments
-- of one merchant never wait for each other. A job folds them into `merchant_sums`; whoever reads adds both.
create table merchant_sums (
  merchant_id bigint not null,
  kind text not null check (kind in ('collected', 'due', 'open', 'refund')),
  day date not null,
  method text not null, -- of what was collected, else ''
  branch_id bigint not null, -- where a counter collected it, else 0
  amount_centavos bigint not null,
  items bigint not null, -- payments, instalments, purchases, refunds
  primary key (merchant_id, kind, day, method, branch_id)
);
create index merchant_sums_empty on merchant_sums (merchant_id) where items = 0 and amount_centavos = 0;
create table merchant_sum_changes (
  id bigint generated always as identity primary key,
  merchant_id bigint not null,
  kind text not null,
  day date not null,
  method text not null default '',
  branch_id bigint not null default 0,
  amount_centavos bigint not null,
  items bigint not null
);
create index merchant_sum_changes_by_merchant on merchant_sum_changes (merchant_id);
grant select on merchant_sums, merchant_sum_changes to aparta_app;

-- How a shop got the money of a receipt.
create function collected_by_method(channel text, counter_method text) returns text language sql immutable
  return case when counter_method is not null then 'counter_' || counter_method when channel = 'cash' then 'store' else channel end;

-- The same, read anew from what it sums up.
create view merchant_sums_anew as
  select r.merchant_id, 'collected' as kind, (coalesce(r.paid_at, r.received_at) at time zone 'America/Mexico_City')::date as day,
    collected_by_method(r.channel, o.method) as method, coalesce(o.branch_id, 0) as branch_id,
    sum(r.amount_centavos - r.withdrawn_centavos)::bigint as amount_centavos, count(*) as items
  from receipts r left join counter_operations o on r.channel = 'till' and o.till_operation_id::text = r.source_id
  where r.withdrawn_centavos < r.amount_centavos group by 1, 2, 3, 4, 5
  union all
  select p.merchant_id, 'due', i.due_on, '', 0, sum(i.amount_centavos - i.paid_centavos)::bigint, count(*)
  from purchases p join instalments i on i.purchase_id = p.id
  where p.state = 'active' and i.paid_centavos < i.amount_centavos group by 1, 2, 3
  union all
  select p.merchant_id, 'open', i.day, '', 0, sum(i.owed)::bigint, count(*)
  from purchases p join (
    select purchase_id, min(due_on) as day, sum(amount_centavos - paid_centavos) as owed from instalments
    where paid_centavos < amount_centavos group by 1) i on i.purchase_id = p.id
  where p.state = 'active' group by 1, 2, 3
  union all
  select r.merchant_id, 'refund', (f.created_at at time zone 'America/Mexico_City')::date, '', 0, sum(f.amount_centavos)::bigint, count(*)
  from refunds f join receipts r on r.id = f.receipt_id
  where f.method = 'cash' and f.state = 'owed' group by 1, 2, 3;
create view merchant_sums_missed as
  select merchant_id, kind, day, method, branch_id, sum(amount_centavos)::bigint as amount_centavos, sum(items)::bigint as items
  from (
    select merchant_id, kind, day, method, branch_id, amount_centavos, items from merchant_sums_anew
    union all select merchant_id, kind, day, method, branch_id, -amount_centavos, -items from merchant_sums
    union all select merchant_id, kind, day, method, branch_id, -amount_centavos, -items from merchant_sum_changes
  ) each group by 1, 2, 3, 4, 5
  having sum(amount_centavos) <> 0 or sum(items) <> 0;
grant select on merchant_sums_missed to aparta_app;

-- What is missed is one statement's difference, so that it is right beside payments that go on.
create function mend_merchant_sums() returns void language sql security definer set search_path = pg_catalog, public, pg_temp
begin atomic
  insert into public.merchant_sum_changes (merchant_id, kind, day, method, branch_id, amount_centavos, items)
    select merchant_id, kind, day, method, branch_id, amount_centavos, items from public.merchant_sums_missed;
end;
revoke execute on function mend_merchant_sums from public;

-- Folds the oldest changes, at most so many, and says how many they were. Keys in order: two that fold wait, and never for each other.
create function fold_merchant_sums(most integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  folded integer;
begin
  with gone as (
    delete from public.merchant_sum_changes where id in (
      select id from public.merchant_sum_changes order by id limit most for update skip locked)
    returning *
  ), kept as (
    insert into public.merchant_sums as s (merchant_id, kind, day, method, branch_id, amount_centavos, items)
      select merchant_id, kind, day, method, branch_id, sum(amount_centavos), sum(items) from gone
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (merchant_id, kind, day, method, branch_id) do update
      set amount_centavos = s.amount_centavos + excluded.amount_centavos, items = s.items + excluded.items
  )
  select count(*) into folded from gone;
  delete from public.merchant_sums where items = 0 and amount_centavos = 0;
  return folded;
end $$;
revoke execute on function fold_merchant_sums from public;
grant execute on function fold_merchant_sums to aparta_app;

create function sum_receipts() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
  as $$
begin
  insert into public.merchant_sum_changes (merchant_id, kind, day, method, branch_id, amount_centavos, items)
    select r.merchant_id, 'collected', (coalesce(r.paid_at, r.received_at) at time zone 'America/Mexico_City')::date,
      public.collected_by_method(r.channel, o.method), coalesce(o.branch_id, 0),
      sum(r.amount_centavos - r.withdrawn_centavos), count(*)
    from changed r left join public.counter_operations o on r.channel = 'till' and o.till_operation_id::text = r.source_id
    where r.withdrawn_centavos < r.amount_centavos group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger receipts_are_summed after insert on receipts referencing new table as changed
  for each statement execute function sum_receipts();

create function sum_withdrawn_receipt() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
  as $$
begin
  insert into public.merchant_sum_changes (merchant_id, kind, day, method, branch_id, amount_centavos, items)
    select r.merchant_id, 'collected', (r.at at time zone 'America/Mexico_City')::date,
      public.collected_by_method(r.channel, o.method), coalesce(o.branch_id, 0), sign * r.amount, sign
    from (values
        (-1, old.merchant_id, old.channel, old.source_id, coalesce(old.paid_at, old.received_at),
          old.amount_centavos - old.withdrawn_centavos),
        (1, new.merchant_id, new.channel, new.source_id, coalesce(new.paid_at, new.received_at),
          new.amount_centavos - new.withdrawn_centavos)
      ) as r (sign, merchant_id, channel, source_id, at, amount)
      left join public.counter_operations o on r.channel = 'till' and o.till_operation_id::text = r.source_id
    where r.amount > 0;
  return null;
end $$;
create trigger receipts_are_summed_anew after update on receipts for each row
  when ((old.merchant_id, old.channel, old.source_id, old.paid_at, old.received_at, old.amount_centavos, old.withdrawn_centavos)
    is distinct from
    (new.merchant_id, new.channel, new.source_id, new.paid_at, new.received_at, new.amount_centavos, new.withdrawn_centavos))
  execute function sum_withdrawn_receipt();

create function sum_planned_instalments() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
  as $$
begin
  insert into public.merchant_sum_changes (merchant_id, kind, day, amount_centavos, items)
    with its as materialized (
      select p.merchant_id, i.purchase_id, i.due_on, i.amount_centavos - i.paid_centavos as owed,
        case when n.id is null then i.amount_centavos - i.paid_centavos else 0 end as owed_before
      from (select distinct purchase_id from changed) c join public.purchases p on p.id = c.purchase_id and p.state = 'active'
        join public.instalments i on i.purchase_id = p.id left join changed n on n.id = i.id
    )
    select merchant_id, 'due', due_on, sum(owed - owed_before), sum((owed > 0)::int - (owed_before > 0)::int)
      from its where owed <> owed_before group by 1, 3
    union all
    select merchant_id, 'open', move.day, sum(move.amount), sum(move.items)
      from (
        select merchant_id, sum(owed) as owed, min(due_on) filter (where owed > 0) as day,
          sum(owed_before) as owed_before, min(due_on) filter (where owed_before > 0) as day_before
        from its group by merchant_id, purchase_id) p,
        lateral (values (day, owed, 1), (day_before, -owed_before, -1)) as move (day, amount, items)
      where move.day is not null
      group by 1, 3 having sum(move.amount) <> 0 or sum(move.items) <> 0;
  return null;
end $$;
create trigger instalments_are_summed after insert on instalments referencing new table as changed
  for each statement execute function sum_planned_instalments();

create function sum_paid_instalments() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
  as $$
begin
  insert into public.merchant_sum_changes (merchant_id, kind, day, amount_centavos, items)
    with its as materialized (
      select p.merchant_id, i.purchase_id, i.due_on, i.amount_centavos - i.paid_centavos as owed,
        coalesce(b.amount_centavos - b.paid_centavos, i.amount_centavos - i.paid_centavos) as owed_before,
        coalesce(b.due_on, i.due_on) as due_before
      from (select distinct purchase_id from changed) c join public.purchases p on p.id = c.purchase_id and p.state = 'active'
        join public.instalments i on i.purchase_id = p.id left join before b on b.id = i.id
    )
    select merchant_id, 'due', move.day, sum(move.amount), sum(move.items)
      from its, lateral (values (due_on, owed, 1), (due_before, -owed_before, -1)) as move (day, amount, items)
      where (owed, due_on) <> (owed_before, due_before) and move.amount <> 0
      group by 1, 3 having sum(move.amount) <> 0 or sum(move.items) <> 0
    union all
    select merchant_id, 'open', move.day, sum(move.amount), sum(move.items)
      from (
        select merchant_id, sum(owed) as owed, min(due_on) filter (where owed > 0) as day,
          sum(owed_before) as owed_before, min(due_before) filter (where owed_before > 0) as day_before
        from its group by merchant_id, purchase_id) p,
        lateral (values (day, owed, 1), (day_before, -owed_before, -1)) as move (day, amount, items)
      where move.day is not null
      group by 1, 3 having sum(move.amount) <> 0 or sum(move.items) <> 0;
  return null;
end $$;
create trigger instalments_are_summed_anew after update on instalments referencing old table as before new table as changed
  for each statement execute function sum_paid_instalments();

create function sum_ended_purchase() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
  as $$
begin
  insert into public.merchant_sum_changes (merchant_id, kind, day, amount_centavos, items)
    with rows as (
      select due_on, amount_centavos - paid_centavos as owed from public.instalments
      where purchase_id = new.id and paid_centavos < amount_centavos
    ), sign as (select case when new.state = 'active' then 1 else -1 end as sign)
    select new.merchant_id, 'due', due_on, sign * sum(owed), sign * count(*) from rows, sign group by due_on, sign
    union all
    select new.merchant_id, 'open', min(due_on), sign * sum(owed), sign from rows, sign group by sign;
  return null;
end $$;
create trigger purchases_are_summed_anew after update of state on purchases for each row
  when (old.state is distinct from new.state) execute function sum_ended_purchase();

create function sum_owed_refund() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op = 'UPDATE' and old.method = 'cash' and old.state = 'owed' then
    insert into public.merchant_sum_changes (merchant_id, kind, day, amount_centavos, items)
      select merchant_id, 'refund', (old.created_at at time zone 'America/Mexico_City')::date, -old.amount_centavos, -1
      from public.receipts where id = old.receipt_id;
  end if;
  if new.method = 'cash' and new.state = 'owed' then
    insert into public.merchant_sum_changes (merchant_id, kind, day, amount_centavos, items)
      select merchant_id, 'refund', (new.created_at at time zone 'America/Mexico_City')::date, new.amount_centavos, 1
      from public.receipts where id = new.receipt_id;
  end if;
  return null;
end $$;
create trigger refunds_are_summed after insert on refunds for each row
  when (new.method = 'cash' and new.state = 'owed') execute function sum_owed_refund();
create trigger refunds_are_summed_anew after update on refunds for each row
  when ((old.method, old.state, old.amount_centavos, old.created_at)
    is distinct from (new.method, new.state, new.amount_centavos, new.created_at))
  execute function sum_owed_refund();
