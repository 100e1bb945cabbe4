-- contract: widens the kinds of merchant_sums under the name of the check that it had; no server names it
-- What a shop keeps paid whole and has not handed over, by the day of its purchase: a shop that hands nothing over keeps all of it
-- on the list, and its owner's page would read every one.
alter table merchant_sums drop constraint merchant_sums_kind_check;
alter table merchant_sums add constraint merchant_sums_kind_check
  check (kind in ('collected', 'due', 'open', 'refund', 'kept')) not valid;

create or replace view merchant_sums_anew as
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
  select p.merchant_id, 'kept', (p.created_at at time zone 'America/Mexico_City')::date, '', 0, sum(p.price_centavos)::bigint, count(*)
  from purchases p where p.state = 'active' and p.paid_centavos = p.price_centavos group by 1, 2, 3
  union all
  select r.merchant_id, 'refund', (f.created_at at time zone 'America/Mexico_City')::date, '', 0, sum(f.amount_centavos)::bigint, count(*)
  from refunds f join receipts r on r.id = f.receipt_id
  where f.method = 'cash' and f.state = 'owed' group by 1, 2, 3;

create function sum_kept_purchase() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  sign integer := case when new.state = 'active' and new.paid_centavos = new.price_centavos then 1 else -1 end;
begin
  insert into public.merchant_sum_changes (merchant_id, kind, day, amount_centavos, items)
    values (new.merchant_id, 'kept', (new.created_at at time zone 'America/Mexico_City')::date, sign * new.price_centavos, sign);
  return null;
end $$;
create trigger purchases_kept_are_summed after update on purchases for each row
  when ((old.state = 'active' and old.paid_centavos = old.price_centavos)
    <> (new.state = 'active' and new.paid_centavos = new.price_centavos))
  execute function sum_kept_purchase();
