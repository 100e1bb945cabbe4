-- Each purchase carries its moves, so that thousands written together are not compared with each other.
create or replace function count_owed(whose bigint[], days date[], amounts bigint[]) returns void language plpgsql as $$
begin
  with moved as materialized (
    select purchase_id, sum(amount) as change, array_agg(day) as moved_days, array_agg(amount) as moved_amounts
      from unnest(whose, days, amounts) as move (purchase_id, day, amount) group by 1
  ), plan as materialized (
    select p.id, p.merchant_id, p.state, p.price_centavos, p.paid_centavos, p.next_due_on, i.*, i.planned - i.paid as owed,
      i.planned - i.paid - moved.change as owed_before, moved_days, moved_amounts
    from moved join public.purchases p on p.id = moved.purchase_id, lateral (
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
      from plan, lateral unnest(moved_days, moved_amounts) as move (day, amount)
      where state = 'active'
      group by 1, 3 having sum(amount) <> 0 or sum(sign(amount)) <> 0
    union all
    select merchant_id, 'open', move.day, sum(amount), sum(sign(amount))
      from plan, lateral (values (plan.day, owed), (next_due_on, -owed_before)) as move (day, amount)
      where state = 'active' and amount <> 0
      group by 1, 3 having sum(amount) <> 0 or sum(sign(amount)) <> 0;
end $$;
