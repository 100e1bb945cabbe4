-- A payment of several purchases that is taken up again was looked for beside others of several alone, not beside the buyer's open one
-- at one of them.
create or replace function refuse_second_open_attempt() returns trigger language plpgsql as $$
declare
  mine uuid;
  theirs bigint[];
  at_several boolean;
begin
  if tg_table_name = 'card_attempts' then
    mine := new.id;
    theirs := array(select purchase_id from card_attempt_parts where attempt_id = new.id) || new.purchase_id;
    at_several := new.of_several;
  else
    mine := new.attempt_id;
    theirs := array[new.purchase_id];
    at_several := true;
  end if;
  if exists (
    select from card_attempt_parts t join card_attempts a on a.id = t.attempt_id
    where t.purchase_id = any (theirs) and a.id <> mine and a.state in ('submitting', 'pending_3ds', 'unknown')
  ) or at_several and exists (
    select from card_attempts a where a.purchase_id = any (theirs) and a.id <> mine and a.help_link_id is null
      and a.state in ('submitting', 'pending_3ds', 'unknown')
  ) then
    raise exception 'a purchase of attempt % has an open one', mine
      using errcode = 'unique_violation', constraint = 'card_attempts_one_own_open_per_purchase';
  end if;
  return null;
end $$;
