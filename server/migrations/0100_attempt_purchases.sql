-- A card pays any sum of a plan, so that one open attempt stands for the whole purchase, not for the instalment that it names.
-- A trigger writes it: the version before knows no such column, and its attempts count too.
alter table card_attempts add column purchase_id bigint;

create function set_attempt_purchase() returns trigger language plpgsql as $$
begin
  new.purchase_id := (select purchase_id from instalments where id = new.reference_id);
  return new;
end $$;
create trigger card_attempts_of_purchase before insert on card_attempts
  for each row execute function set_attempt_purchase();

-- Of two that are open already, one stands for its purchase.
update card_attempts set purchase_id = open.purchase_id
  from (
    select distinct on (i.purchase_id) a.id, i.purchase_id
    from card_attempts a join instalments i on i.id = a.reference_id
    where a.state in ('submitting', 'pending_3ds', 'unknown', 'held') order by i.purchase_id, a.created_at desc
  ) as open
  where card_attempts.id = open.id;
