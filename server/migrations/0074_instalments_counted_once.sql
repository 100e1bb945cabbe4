-- contract: the triggers that go are made anew here as one; no server names them
-- What was planned or paid is read once for each statement: whether its purchases add up, when something of them is due next, and
-- what their merchants' sums change by.

-- Of these purchases: what is owed more, or less, of each of these days.
create function count_owed(whose bigint[], days date[], amounts bigint[]) returns void language plpgsql as $$
begin
  with move as materialized (
    select * from unnest(whose, days, amounts) as move (purchase_id, day, amount)
  ), plan as materialized (
    select p.id, p.merchant_id, p.state, p.price_centavos, p.paid_centavos, p.next_due_on, i.*, i.planned - i.paid as owed,
      i.planned - i.paid - move.change as owed_before
    from (select purchase_id, sum(amount) as change from move group by 1) move
      join public.purchases p on p.id = move.purchase_id, lateral (
      select sum(amount_centavos) as planned, sum(paid_centavos) as paid,
        min(due_on) filter (where paid_centavos < amount_centavos) as day
      from public.instalments where purchase_id = p.id) i
  ), opened as (
    insert into public.open_sums (head, head_id)
      select 'purchase', id from plan where price_centavos <> planned or paid_centavos <> paid
  ), next as (
    update public.purchases p set next_due_on = plan.day
      from plan where p.id = plan.id and plan.state = 'active' and plan.next_due_on is distinct from plan.day
  )
  insert into public.merchant_sum_changes (merchant_id, kind, day, amount_centavos, items)
    select merchant_id, 'due', move.day, sum(amount), sum(sign(amount))
      from move join plan on plan.id = purchase_id and state = 'active'
      group by 1, 3 having sum(amount) <> 0 or sum(sign(amount)) <> 0
    union all
    select merchant_id, 'open', move.day, sum(amount), sum(sign(amount))
      from plan, lateral (values (plan.day, owed), (next_due_on, -owed_before)) as move (day, amount)
      where state = 'active' and amount <> 0
      group by 1, 3 having sum(amount) <> 0 or sum(sign(amount)) <> 0;
end $$;
revoke execute on function count_owed from public;

-- The plan of that statement is the same for any payment, and making it takes longer than running it.
create function instalments_changed() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan
  as $$
begin
  if tg_op = 'INSERT' then
    perform public.count_owed(array_agg(purchase_id), array_agg(due_on), array_agg(amount_centavos - paid_centavos)) from changed;
  else
    perform public.count_owed(array_agg(purchase_id), array_agg(due_on), array_agg(owed)) from (
      select purchase_id, due_on, amount_centavos - paid_centavos as owed from changed
      union all select purchase_id, due_on, paid_centavos - amount_centavos from before) each;
  end if;
  return null;
end $$;

-- First what payments lock first.
drop trigger purchases_still_add_up on purchases;
create trigger purchases_still_add_up after update on purchases referencing new table as changed
  -- The trigger of their instalments has just looked when it writes the next day.
  for each statement when (pg_trigger_depth() = 0) execute function open_purchases();

drop trigger instalments_next_due on instalments;
drop trigger instalments_next_due_anew on instalments;
drop trigger instalments_add_up on instalments;
drop trigger instalments_still_add_up on instalments;
drop trigger instalments_are_summed on instalments;
drop trigger instalments_are_summed_anew on instalments;
drop function instalments_next_due, open_purchases_of_instalments, sum_planned_instalments, sum_paid_instalments;
create trigger instalments_add_up after insert on instalments referencing new table as changed
  for each statement execute function instalments_changed();
create trigger instalments_still_add_up after update on instalments referencing old table as before new table as changed
  for each statement execute function instalments_changed();
