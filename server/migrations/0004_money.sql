-- Money as it arrives (attempts, till operations, receipts), where each centavo went (allocations, refunds), and the books.

create table card_attempts (
  id uuid primary key default gen_random_uuid(), -- also the provider's external_reference
  buyer_id bigint references buyers, -- null: money that the sweep found and nobody claims
  merchant_id bigint not null references merchants,
  credential_id uuid not null,
  reference_id bigint references payment_references,
  intent_id uuid,
  intent_hash bytea,
  state text not null check (state in
    ('submitting', 'pending_3ds', 'unknown', 'held', 'rejected', 'not_charged', 'abandoned', 'applied', 'returned')),
  principal_centavos bigint not null check (principal_centavos > 0),
  fee_centavos bigint not null check (fee_centavos >= 0),
  captured_centavos bigint not null default 0,
  refunded_centavos bigint not null default 0,
  webhook_nonce text not null default encode(sha256(gen_random_uuid()::text::bytea || gen_random_uuid()::text::bytea), 'hex')
    constraint card_attempts_nonce_once unique,
  provider_payment_id text,
  three_ds_url text,
  detail_code text,
  card_type text, -- as the provider names it: credit_card, debit_card, prepaid_card; decides the invoice's form of payment
  card_brand text,
  card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  provider_receipt text,
  source_address text not null default '',
  request_id text not null default '',
  looks integer not null default 0 check (looks >= 0), -- how many scheduled looks were done: the place in the schedule of its state
  nones integer not null default 0 check (nones >= 0), -- complete lists read late enough without our reference
  looked_at timestamptz,
  created_at timestamptz not null default app_now(),
  state_since timestamptz not null default app_now(),
  constraint card_attempts_credential_of_merchant foreign key (credential_id, merchant_id) references provider_credentials (id, merchant_id),
  constraint card_attempts_intent_once unique (buyer_id, intent_id),
  constraint card_attempts_captured_as_stated check (
    case when state in ('applied', 'returned') then captured_centavos > 0 when state = 'held' then captured_centavos >= 0 else captured_centavos = 0 end
  ),
  constraint card_attempts_not_over_refunded check (refunded_centavos between 0 and captured_centavos),
  constraint card_attempts_have_a_buyer check (state = 'held' or state = 'returned' or (buyer_id is not null and reference_id is not null and intent_id is not null))
);
create unique index card_attempts_one_open_per_reference on card_attempts (reference_id)
  where state in ('submitting', 'pending_3ds', 'unknown');
create unique index card_attempts_provider_payment_once on card_attempts (merchant_id, provider_payment_id)
  where provider_payment_id is not null;
create index card_attempts_by_reference on card_attempts (reference_id, created_at desc);
create index card_attempts_by_merchant on card_attempts (merchant_id, created_at desc);
create index card_attempts_by_buyer on card_attempts (buyer_id, created_at desc);
create index card_attempts_by_source on card_attempts (source_address, created_at desc);
grant select, insert, update on card_attempts to aparta_app;

create table till_operations (
  id uuid primary key default gen_random_uuid(),
  credential_id uuid not null references machine_credentials,
  chain text not null check (char_length(chain) between 1 and 60),
  branch text not null check (char_length(branch) between 1 and 60),
  transaction_id text not null check (char_length(transaction_id) between 1 and 60),
  body_hash bytea not null,
  operation text not null check (operation in ('layaway', 'payment')),
  reference text not null check (char_length(reference) <= 40),
  amount_centavos bigint check (amount_centavos > 0),
  state text not null check (state in ('authorised', 'refused')),
  error integer not null,
  message text not null,
  authorisation text not null default '',
  created_at timestamptz not null default app_now(),
  constraint till_operations_once unique (credential_id, chain, branch, transaction_id),
  constraint till_operations_authorised_without_error check ((state = 'authorised') = (error = 0))
);
grant select, insert on till_operations to aparta_app;

-- Money that arrived. `source_id` is the attempt, the till operation or the notice that brought it.
create table receipts (
  id bigint generated always as identity primary key,
  channel text not null check (channel in ('card', 'till', 'tapi')),
  source_id text not null,
  merchant_id bigint not null references merchants,
  buyer_id bigint references buyers,
  amount_centavos bigint not null check (amount_centavos > 0),
  withdrawn_centavos bigint not null default 0 check (withdrawn_centavos between 0 and amount_centavos),
  folio text not null constraint receipts_folio_once unique,
  received_at timestamptz not null default app_now(),
  constraint receipts_money_arrives_once unique (channel, source_id)
);
create index receipts_by_buyer on receipts (buyer_id, id desc);

create table refunds (
  id bigint generated always as identity primary key,
  receipt_id bigint not null references receipts,
  attempt_id uuid references card_attempts,
  cause text not null check (cause in ('not_applicable', 'cancel', 'surplus', 'outside')),
  way text not null check (way in ('card', 'cash')),
  state text not null check (state in ('owed', 'sending', 'unknown', 'blocked', 'done', 'moved_to_cash')),
  amount_centavos bigint not null check (amount_centavos > 0),
  refunded_before_centavos bigint check (refunded_before_centavos >= 0), -- the provider's total, read before we asked
  provider_refund_id text,
  idempotency_key uuid,
  detail_code text,
  tries integer not null default 0 check (tries >= 0),
  sent_at timestamptz,
  looked_at timestamptz, -- first of the two reads that must agree before an unknown one is asked again
  created_at timestamptz not null default app_now(),
  done_at timestamptz,
  constraint refunds_once_per_cause unique (receipt_id, cause, way),
  constraint refunds_by_card_have_an_attempt check (way = 'cash' or attempt_id is not null),
  constraint refunds_done_has_a_moment check ((state = 'done') = (done_at is not null))
);
create unique index refunds_one_in_flight_per_attempt on refunds (attempt_id) where state in ('sending', 'unknown');
create index refunds_by_attempt on refunds (attempt_id);
create index refunds_open on refunds (created_at) where state in ('owed', 'sending', 'unknown', 'blocked');

-- Where each centavo of a receipt went, once.
create table allocations (
  id bigint generated always as identity primary key,
  receipt_id bigint not null references receipts,
  target text not null check (target in ('instalment', 'service_fee', 'refund', 'suspense')),
  instalment_id bigint references instalments,
  refund_id bigint references refunds,
  amount_centavos bigint not null,
  reverses_id bigint references allocations constraint allocations_reversed_once unique,
  created_at timestamptz not null default app_now(),
  constraint allocations_name_their_target check ((target = 'instalment') = (instalment_id is not null) and (target = 'refund') = (refund_id is not null)),
  constraint allocations_reverse_or_add check (case when reverses_id is null then amount_centavos > 0 else amount_centavos < 0 end)
);
create unique index allocations_once_per_instalment on allocations (receipt_id, instalment_id) where reverses_id is null and instalment_id is not null;
create unique index allocations_once_per_target on allocations (receipt_id, target) where reverses_id is null and instalment_id is null;
-- The deferred sums below need these plain ones: without them each check reads the table.
create index allocations_by_receipt on allocations (receipt_id);
create index allocations_by_instalment on allocations (instalment_id) where instalment_id is not null;

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

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: corrections are new rows', tg_table_name using errcode = 'restrict_violation', constraint = tg_name;
end $$;
create trigger allocations_append_only before update or delete or truncate on allocations
  for each statement execute function refuse_change();

grant select, insert, update on receipts, refunds to aparta_app;
grant select, insert on allocations to aparta_app;

-- The books: one row moves one amount from one account to another, so every row balances by its shape.
create table ledger_accounts (
  code text primary key,
  normal text not null check (normal in ('debit', 'credit', 'either')),
  meaning text not null
);
insert into ledger_accounts (code, normal, meaning) values
  ('card_clearing', 'either', 'taken by the card provider, not yet deposited; a refund after the deposit makes it negative'),
  ('till_clearing', 'debit', 'collected by a chain, not yet handed on'),
  ('tapi_clearing', 'debit', 'collected by the cash network, not yet handed on'),
  ('merchant_funds', 'either', 'reached, or left, the merchant''s own hands'),
  ('layaway_deposits', 'credit', 'paid towards goods not yet delivered: owed to the buyer'),
  ('card_refund_payable', 'credit', 'owed back by card'),
  ('cash_refund_payable', 'credit', 'owed back in cash'),
  ('suspense', 'credit', 'money with no home yet; must return to zero'),
  ('service_fee', 'credit', 'the fee, where the merchant charges it'),
  ('penalty_income', 'credit', 'kept on cancelling');

create table ledger_events (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants,
  kind text not null check (kind ~ '^[a-z_]{3,40}$'),
  source_id text not null,
  legs integer not null check (legs between 1 and 50),
  occurred_at timestamptz not null default app_now(),
  constraint ledger_events_once unique (kind, source_id),
  constraint ledger_events_with_legs unique (id, legs, merchant_id)
);

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

create function ledger_events_whole() returns trigger language plpgsql as $$
begin
  if (select count(*) from ledger_transfers where event_id = new.id) <> new.legs then
    raise exception 'ledger event % lacks transfers', new.id using errcode = 'check_violation', constraint = 'ledger_events_whole';
  end if;
  return null;
end $$;
create constraint trigger ledger_events_whole after insert on ledger_events deferrable initially deferred
  for each row execute function ledger_events_whole();
create trigger ledger_events_append_only before update or delete or truncate on ledger_events
  for each statement execute function refuse_change();
create trigger ledger_transfers_append_only before update or delete or truncate on ledger_transfers
  for each statement execute function refuse_change();

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

-- Mail is written in the transaction that makes it true and sent afterwards.
create table outbox (
  id bigint generated always as identity primary key,
  topic text not null,
  dedupe_key text not null,
  buyer_id bigint references buyers,
  recipient text not null,
  facts jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  tries integer not null default 0,
  created_at timestamptz not null default app_now(),
  sent_at timestamptz,
  constraint outbox_once unique (topic, dedupe_key)
);
create index outbox_waiting on outbox (id) where state = 'waiting';
grant select, insert, update on outbox to aparta_app;
