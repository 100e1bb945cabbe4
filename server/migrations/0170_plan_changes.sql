-- A merchant may let its buyers move the date of an instalment, or split one in two. The rule is a favour, not a term: it is read when
-- a plan is changed. What was changed is kept.
alter table merchants add column moves_allowed integer not null default 0;
alter table merchants add constraint merchants_moves_allowed check (moves_allowed between 0 and 12) not valid;
alter table merchants add column move_days integer not null default 15;
alter table merchants add constraint merchants_move_days check (move_days between 1 and 60) not valid;

create table plan_changes (
  id bigint generated always as identity primary key,
  purchase_id bigint not null references purchases,
  sequence integer not null constraint plan_changes_few check (sequence between 1 and 12),
  kind text not null constraint plan_changes_kind check (kind in ('moved', 'split')),
  -- As it was when it was changed: what is split puts those after it one further.
  number integer not null constraint plan_changes_not_of_deposits check (number > 1),
  from_day date not null,
  to_day date not null,
  amount_centavos bigint not null,
  -- What of it stays on its day.
  first_centavos bigint,
  changed_at timestamptz not null default app_now(),
  constraint plan_changes_once unique (purchase_id, sequence),
  constraint plan_changes_go_later check (to_day > from_day and to_day <= from_day + 60),
  constraint plan_changes_split_in_two check ((kind = 'split') = (first_centavos is not null)
    and (first_centavos is null or first_centavos >= 5000 and amount_centavos - first_centavos >= 5000)),
  constraint plan_changes_are_of_a_sum check (amount_centavos > 0)
);
create trigger plan_changes_append_only before update or delete or truncate on plan_changes
  for each statement execute function refuse_change();
grant select, insert (purchase_id, sequence, kind, number, from_day, to_day, amount_centavos, first_centavos) on plan_changes to aparta_app;

-- Day and amount change of what nothing is paid of, never of a deposit; days rise by number, and the last is the one that was agreed.
create function keep_plan() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  wrong text;
begin
  select case
    when old.number = 1 then 'instalments_deposits_are_fixed'
    when old.paid_centavos > 0 or new.paid_centavos > 0 then 'instalments_paid_are_fixed'
    when exists (select from public.instalments i where i.purchase_id = new.purchase_id
      and (i.number < new.number and i.due_on >= new.due_on or i.number > new.number and i.due_on <= new.due_on))
      then 'instalments_days_rise'
    when (select max(i.due_on) from public.instalments i where i.purchase_id = new.purchase_id) <> (
      select i.due_on + l.plan_duration_days
      from public.purchases p join public.layaway_references l on l.id = p.layaway_reference_id
        join public.instalments i on i.purchase_id = p.id and i.number = 1
      where p.id = new.purchase_id) then 'instalments_end_as_agreed'
    end into wrong;
  if wrong is not null then
    raise exception 'instalment % of purchase % cannot become % due on %', new.number, new.purchase_id, new.amount_centavos, new.due_on
      using errcode = 'check_violation', constraint = wrong;
  end if;
  return null;
end $$;
revoke execute on function keep_plan from public;
create trigger instalments_keep_their_plan after update of due_on, amount_centavos on instalments for each row
  when (old.due_on <> new.due_on or old.amount_centavos <> new.amount_centavos) execute function keep_plan();
grant update (due_on, amount_centavos) on instalments to aparta_app;
