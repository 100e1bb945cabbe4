-- One card payment of what is late of several purchases of a merchant: one attempt, whose parts name each purchase; applied as a
-- list, or returned whole. Its `reference_id` is the first part's.
alter table card_attempts add column of_several boolean not null default false;

create table card_attempt_parts (
  attempt_id uuid not null references card_attempts,
  purchase_id bigint not null,
  instalment_id bigint not null,
  amount_centavos bigint not null check (amount_centavos > 0),
  primary key (attempt_id, purchase_id),
  constraint card_attempt_parts_instalment_of_purchase foreign key (instalment_id, purchase_id) references instalments (id, purchase_id)
);
create index card_attempt_parts_by_purchase on card_attempt_parts (purchase_id);
comment on index card_attempt_parts_by_purchase is 'the open attempt of several purchases that stands in the path of one of them';
grant select, insert on card_attempt_parts to aparta_app;

-- At every commit the parts of an attempt are its principal, two to ten, of its buyer and merchant; no other attempt has any.
create function card_attempt_parts_add_up() returns trigger language plpgsql as $$
declare
  attempt card_attempts%rowtype;
  parts record;
begin
  if tg_table_name = 'card_attempts' then attempt := new;
  else select * into attempt from card_attempts where id = new.attempt_id; end if;
  select count(*) as count, sum(t.amount_centavos) as amount,
      bool_and(p.merchant_id = attempt.merchant_id and p.buyer_id = attempt.buyer_id) as are_its into parts
    from card_attempt_parts t join purchases p on p.id = t.purchase_id where t.attempt_id = attempt.id;
  if not attempt.of_several or parts.count not between 2 and 10 or parts.amount <> attempt.principal_centavos or not parts.are_its then
    raise exception 'attempt % has % parts of %', attempt.id, parts.count, parts.amount
      using errcode = 'check_violation', constraint = 'card_attempt_parts_add_up';
  end if;
  return null;
end $$;
create constraint trigger card_attempts_of_several_add_up after insert on card_attempts deferrable initially deferred
  for each row when (new.of_several) execute function card_attempt_parts_add_up();
create constraint trigger card_attempt_parts_add_up after insert on card_attempt_parts deferrable initially deferred
  for each row execute function card_attempt_parts_add_up();

-- What `card_attempts_one_own_open_per_purchase` says of attempts at one purchase, said of those at several too. Whoever writes holds
-- the purchases' locks, so that none of two can miss the other.
create function refuse_second_open_attempt() returns trigger language plpgsql as $$
declare
  mine uuid;
  theirs bigint[];
begin
  if tg_table_name = 'card_attempts' then
    mine := new.id;
    theirs := array(select purchase_id from card_attempt_parts where attempt_id = new.id) || new.purchase_id;
  else
    mine := new.attempt_id;
    theirs := array[new.purchase_id];
  end if;
  if exists (
    select from card_attempt_parts t join card_attempts a on a.id = t.attempt_id
    where t.purchase_id = any (theirs) and a.id <> mine and a.state in ('submitting', 'pending_3ds', 'unknown')
  ) or tg_table_name <> 'card_attempts' and exists (
    select from card_attempts a where a.purchase_id = any (theirs) and a.id <> mine and a.help_link_id is null
      and a.state in ('submitting', 'pending_3ds', 'unknown')
  ) then
    raise exception 'a purchase of attempt % has an open one', mine
      using errcode = 'unique_violation', constraint = 'card_attempts_one_own_open_per_purchase';
  end if;
  return null;
end $$;
create trigger card_attempts_one_beside_several after insert on card_attempts
  for each row when (new.help_link_id is null and new.purchase_id is not null) execute function refuse_second_open_attempt();
create trigger card_attempts_reopened_beside_several after update of state on card_attempts
  for each row when (new.help_link_id is null and new.purchase_id is not null and old.state in ('abandoned', 'not_charged')
    and new.state in ('submitting', 'pending_3ds', 'unknown')) execute function refuse_second_open_attempt();
create trigger card_attempt_parts_one_open after insert on card_attempt_parts
  for each row execute function refuse_second_open_attempt();
