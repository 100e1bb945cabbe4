-- The oldest day on which something of a purchase is due and unpaid, null when nothing is: what is late or due soon is found through
-- an index. Triggers keep it, whoever writes.
alter table purchases add column next_due_on date;

create function purchase_moved() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
  as $$
begin
  new.next_due_on := case when new.state = 'active' then (
    select min(due_on) from public.instalments where purchase_id = new.id and paid_centavos < amount_centavos) end;
  return new;
end $$;
create trigger purchases_next_due before update of state on purchases for each row
  when (old.state is distinct from new.state) execute function purchase_moved();

create function instalments_next_due() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
  as $$
begin
  update public.purchases p set next_due_on = i.day
    from (select distinct purchase_id from changed) c, lateral (
      select min(due_on) filter (where paid_centavos < amount_centavos) as day from public.instalments where purchase_id = c.purchase_id) i
    where p.id = c.purchase_id and p.state = 'active' and p.next_due_on is distinct from i.day;
  return null;
end $$;
create trigger instalments_next_due after insert on instalments referencing new table as changed
  for each statement execute function instalments_next_due();
create trigger instalments_next_due_anew after update on instalments referencing new table as changed
  for each statement execute function instalments_next_due();
