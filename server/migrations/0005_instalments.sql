-- Paying a purchase off: cash references at stores, the notices that they were paid, and tills that take money back.

-- A number that a store network takes cash for, on behalf of one instalment. Its id is our request's id at the provider.
create table cash_references (
  id uuid primary key default gen_random_uuid(),
  instalment_id bigint not null references instalments,
  purchase_id bigint not null references purchases,
  merchant_id bigint not null references merchants,
  amount_centavos bigint not null check (amount_centavos > 0),
  state text not null check (state in ('requesting', 'issued', 'failed', 'closed')),
  provider_reference text check (char_length(provider_reference) between 4 and 60),
  valid tstzrange not null,
  created_at timestamptz not null default app_now(),
  closed_at timestamptz,
  constraint cash_references_issued_with_a_number check ((state = 'issued') <= (provider_reference is not null)),
  -- One valid reference per instalment at a time; works without any extension.
  constraint cash_references_one_valid exclude using gist (int8range(instalment_id, instalment_id, '[]') with &&, valid with &&) where (state = 'issued')
);
create unique index cash_references_number_once on cash_references (provider_reference) where provider_reference is not null;
create index cash_references_issued_by_instalment on cash_references (instalment_id) where state = 'issued';
create index cash_references_by_purchase on cash_references (purchase_id);
grant select, insert, update on cash_references to aparta_app;

-- What the network told us, once per operation. It cannot be refused: whatever it says has an outcome here.
create table cash_notices (
  provider text not null check (provider in ('tapi')),
  operation_id text not null check (char_length(operation_id) between 1 and 100),
  body_hash bytea not null,
  cash_reference_id uuid references cash_references,
  status text not null,
  amount_centavos bigint check (amount_centavos > 0),
  currency text not null,
  paid_at timestamptz,
  outcome text not null check (outcome in ('applied', 'owed_back', 'suspense', 'reversed', 'noted')),
  received_at timestamptz not null default app_now(),
  constraint cash_notices_once primary key (provider, operation_id)
);
create index cash_notices_by_reference on cash_notices (cash_reference_id);
grant select, insert on cash_notices to aparta_app;

-- A till may take an operation back the same day; a reversal that arrives before its charge blocks it.
alter table till_operations
  add column reversed_at timestamptz,
  drop constraint till_operations_state_check,
  add constraint till_operations_state_check check (state in ('authorised', 'refused', 'reversed', 'reversed_first')),
  drop constraint till_operations_authorised_without_error,
  add constraint till_operations_authorised_without_error check ((state in ('authorised', 'reversed')) = (error = 0)),
  add constraint till_operations_reversed_has_a_moment check ((state = 'reversed') = (reversed_at is not null));
grant update (state, reversed_at) on till_operations to aparta_app;
-- The day file of a chain is read by its day.
create index till_operations_by_chain on till_operations (chain, created_at);

-- Due dates that pass, and money that is still owed back, are looked for by the operator's commands.
create index instalments_unpaid_by_due_date on instalments (due_on) where paid_centavos < amount_centavos;

-- A cancel owes back each payment by itself, however many there were.
alter table ledger_events
  drop constraint ledger_events_legs_check,
  add constraint ledger_events_legs_check check (legs >= 1);
