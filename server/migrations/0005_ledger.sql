-- Money that arrived (receipts), where each centavo of it went (allocations), and the books.

-- `source_id` is the card attempt, till operation or cash notice that brought the money.
create table receipts (
  id bigint generated always as identity primary key,
  channel text not null check (channel in ('card', 'till', 'cash')),
  source_id text not null,
  merchant_id bigint not null references merchants,
  buyer_id bigint references buyers,
  amount_centavos bigint not null check (amount_centavos > 0),
  withdrawn_centavos bigint not null default 0 check (withdrawn_centavos between 0 and amount_centavos),
  folio text not null constraint receipts_folio_once unique,
  received_at timestamptz not null default app_now(),
  collected_by text not null default 'merchant' check (collected_by in ('merchant', 'operator')),
  settlement_id bigint, -- the deposit that paid it out; tills and cash only
  constraint receipts_money_arrives_once unique (channel, source_id),
  constraint receipts_of_a_card_are_the_merchants check (channel <> 'card' or collected_by = 'merchant'),
  constraint receipts_settled_stay check (settlement_id is null or (withdrawn_centavos = 0 and channel <> 'card'))
);
create index receipts_by_buyer on receipts (buyer_id, id desc);
create index receipts_by_settlement on receipts (settlement_id) where settlement_id is not null;
grant select, insert, update on receipts to aparta_app;

-- Who collects is what was agreed when the money came: changing the agreement later moves none of it. A trigger sets it, so that
-- no writer can leave it out.
create function freeze_who_collects() returns trigger language plpgsql as $$
begin
  new.collected_by := (select case new.channel when 'till' then till_collected_by when 'cash' then cash_collected_by else 'merchant' end
    from merchants where id = new.merchant_id);
  return new;
end $$;
create trigger receipts_freeze_who_collects before insert on receipts for each row execute function freeze_who_collects();

-- Where each centavo of a receipt went, once.
create table allocations (
  id bigint generated always as identity primary key,
  receipt_id bigint not null references receipts,
  target text not null check (target in ('instalment', 'service_fee', 'refund', 'suspense')),
  instalment_id bigint references instalments,
  refund_id bigint,
  amount_centavos bigint not null,
  reverses_id bigint references allocations constraint allocations_reversed_once unique,
  created_at timestamptz not null default app_now(),
  constraint allocations_name_their_target check ((target = 'instalment') = (instalment_id is not null) and (target = 'refund') = (refund_id is not null)),
  constraint allocations_reverse_or_add check (case when reverses_id is null then amount_centavos > 0 else amount_centavos < 0 end)
);
create unique index allocations_once_per_instalment on allocations (receipt_id, instalment_id) where reverses_id is null and instalment_id is not null;
create unique index allocations_once_per_target on allocations (receipt_id, target) where reverses_id is null and instalment_id is null;
-- The deferred sums need these plain ones: without them, each check reads the whole table.
create index allocations_by_receipt on allocations (receipt_id);
create index allocations_by_instalment on allocations (instalment_id) where instalment_id is not null;
create trigger allocations_append_only before update or delete or truncate on allocations
  for each statement execute function refuse_change();
grant select, insert on allocations to aparta_app;

-- At every commit, a receipt's allocations add up to what was not withdrawn of it.
create function receipts_disposed() returns trigger language plpgsql as $$
declare
  subject bigint;
  wrong record;
begin
  if tg_table_name = 'receipts' then subject := new.id; else subject := new.receipt_id; end if;
  select r.id, r.amount_centavos - r.withdrawn_centavos as due, coalesce(sum(a.amount_centavos), 0) as placed into wrong
    from receipts r left join allocations a on a.receipt_id = r.id
    where r.id = subject group by r.id
    having r.amount_centavos - r.withdrawn_centavos <> coalesce(sum(a.amount_centavos), 0);
  if found then
    raise exception 'receipt %: % to place, % placed', wrong.id, wrong.due, wrong.placed
      using errcode = 'check_violation', constraint = 'receipts_disposed';
  end if;
  return null;
end $$;
create constraint trigger receipts_disposed after insert or update on receipts deferrable initially deferred
  for each row execute function receipts_disposed();
create constraint trigger allocations_disposed after insert on allocations deferrable initially deferred
  for each row execute function receipts_disposed();

create table ledger_accounts (
  code text primary key,
  normal text not null check (normal in ('debit', 'credit', 'either')),
  meaning text not null
);
insert into ledger_accounts (code, normal, meaning) values
  ('card_clearing', 'either', 'taken by the card provider, not yet deposited; a refund after the deposit makes it negative'),
  ('till_clearing', 'debit', 'collected by a chain, not yet handed on'),
  ('cash_clearing', 'debit', 'collected by the cash network, not yet handed on'),
  ('merchant_funds', 'either', 'reached, or left, the merchant''s own hands'),
  ('operator_current', 'either', 'debit: the operator holds money of the merchant; credit: the merchant owes the operator'),
  ('layaway_deposits', 'credit', 'paid towards goods not yet delivered: owed to the buyer'),
  ('card_refund_payable', 'credit', 'owed back by card'),
  ('cash_refund_payable', 'credit', 'owed back in cash'),
  ('suspense', 'credit', 'money not applied yet; must return to zero'),
  ('service_fee', 'credit', 'the fee, where the merchant charges it'),
  ('penalty_income', 'credit', 'kept on cancelling'),
  ('provider_commission', 'debit', 'kept by the card provider, a chain or the network for itself'),
  ('settlement_difference', 'either', 'debit: less came than was expected; credit: more; until it is explained'),
  ('dispute_loss', 'debit', 'refunded externally, and nothing that we owed or held was it: lost by the merchant');

create table ledger_events (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants,
  kind text not null check (kind ~ '^[a-z_]{3,40}$'),
  source_id text not null,
  legs integer not null check (legs >= 1), -- no upper bound: cancelling owes back each payment by itself
  occurred_at timestamptz not null default app_now(),
  constraint ledger_events_once unique (kind, source_id),
  constraint ledger_events_with_legs unique (id, legs, merchant_id)
);
create trigger ledger_events_append_only before update or delete or truncate on ledger_events
  for each statement execute function refuse_change();

-- One row moves one amount from one account to another, so every row balances by its shape.
create table ledger_transfers (
  event_id bigint not null,
  leg integer not null,
  legs integer not null,
  merchant_id bigint not null,
  debit text not null references ledger_accounts,
  debit_subject text not null,
  credit text not null references ledger_accounts,
  credit_subject text not null,
  amount_centavos bigint not null constraint ledger_transfers_move_something check (amount_centavos > 0),
  primary key (event_id, leg),
  constraint ledger_transfers_of_their_event foreign key (event_id, legs, merchant_id) references ledger_events (id, legs, merchant_id),
  constraint ledger_transfers_within_legs check (leg between 1 and legs)
);
create index ledger_transfers_by_debit on ledger_transfers (debit, debit_subject);
create index ledger_transfers_by_credit on ledger_transfers (credit, credit_subject);
create trigger ledger_transfers_append_only before update or delete or truncate on ledger_transfers
  for each statement execute function refuse_change();

create function ledger_events_whole() returns trigger language plpgsql as $$
begin
  if (select count(*) from ledger_transfers where event_id = new.id) <> new.legs then
    raise exception 'ledger event % lacks transfers', new.id using errcode = 'check_violation', constraint = 'ledger_events_whole';
  end if;
  return null;
end $$;
create constraint trigger ledger_events_whole after insert on ledger_events deferrable initially deferred
  for each row execute function ledger_events_whole();

create view postings as
  select event_id, merchant_id, debit as account, debit_subject as subject, amount_centavos as amount from ledger_transfers
  union all
  select event_id, merchant_id, credit, credit_subject, -amount_centavos from ledger_transfers;
create view balances as
  select p.merchant_id, p.account, p.subject, a.normal,
    case a.normal when 'credit' then -sum(p.amount) else sum(p.amount) end as balance
  from postings p join ledger_accounts a on a.code = p.account group by 1, 2, 3, 4;

grant select on ledger_accounts, postings, balances to aparta_app;
grant select, insert on ledger_events, ledger_transfers to aparta_app;

-- The nightly proof of the books.
create table book_proofs (
  id bigint generated always as identity primary key,
  proved_at timestamptz not null default app_now(),
  broken integer not null check (broken >= 0), -- how many proofs failed; an alert says which
  took_ms integer not null check (took_ms >= 0)
);
grant select, insert on book_proofs to aparta_app;
