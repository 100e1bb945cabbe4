-- How money arrives and goes back: card attempts with the keys they are made with, refunds, tills, and cash at stores.

-- A merchant's key pair at a provider. Retired pairs stay readable: the payments made with them must still be read and refunded.
create table provider_credentials (
  id uuid primary key default gen_random_uuid(),
  merchant_id bigint not null references merchants,
  provider text not null check (provider in ('clip')),
  public_key text not null,
  secret_ciphertext bytea not null, -- AES-256-GCM; its additional data names merchant, field and key, so it opens nowhere else
  secret_key_id text not null,
  created_at timestamptz not null default app_now(),
  retired_at timestamptz,
  refused_at timestamptz, -- since when the provider refuses refunds with it; not tried again until an operator says so
  constraint provider_credentials_id_with_merchant unique (id, merchant_id)
);
create unique index provider_credentials_one_current on provider_credentials (merchant_id, provider) where retired_at is null;
grant select, insert, update on provider_credentials to aparta_app;

create table card_attempts (
  id uuid primary key default gen_random_uuid(), -- also the provider's external_reference
  buyer_id bigint references buyers, -- null: the sweep found the money and nobody claims it
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
  -- Card fingerprint: a keyed hash of brand, first and last digits, as far as the provider gave them. It shows one card used by many
  -- people, or many cards from one place (rules/threats#stolen-till, rules/threats#stolen-cards). Needed for an hour, deleted
  -- after two days.
  card_fingerprint bytea constraint card_attempts_fingerprint_is_a_hash check (octet_length(card_fingerprint) = 32),
  provider_receipt text,
  source_address text not null default '',
  source_ip_prefix text not null default '', -- the IPv4 address or the IPv6 prefix: one subscriber has all addresses under a prefix
  request_id text not null default '',
  polls integer not null default 0 check (polls >= 0), -- scheduled polls done: the position in its state's schedule
  not_found_count integer not null default 0 check (not_found_count >= 0), -- complete lists, read late enough, that lacked our reference
  polled_at timestamptz,
  recheck_at timestamptz default app_now() + interval '6 days', -- to find an external refund; null: none is possible any more
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
create index card_attempts_by_card on card_attempts (card_fingerprint, created_at desc) where card_fingerprint is not null;
create index card_attempts_by_ip_prefix on card_attempts (source_ip_prefix, created_at desc) where source_ip_prefix <> '';
create index card_attempts_held on card_attempts (state_since) where state = 'held';
create index card_attempts_to_recheck on card_attempts (recheck_at) where state in ('applied', 'returned');
grant select, insert, update on card_attempts to aparta_app;

create table refunds (
  id bigint generated always as identity primary key,
  receipt_id bigint not null references receipts,
  attempt_id uuid references card_attempts,
  cause text not null check (cause in ('not_applicable', 'cancel', 'surplus', 'external')),
  method text not null check (method in ('card', 'cash')),
  state text not null check (state in ('owed', 'sending', 'unknown', 'blocked', 'done', 'moved_to_cash')),
  amount_centavos bigint not null check (amount_centavos > 0),
  refunded_before_centavos bigint check (refunded_before_centavos >= 0), -- the provider's total, read before we asked
  provider_refund_id text,
  idempotency_key uuid,
  detail_code text,
  tries integer not null default 0 check (tries >= 0),
  sent_at timestamptz,
  checked_at timestamptz, -- the first of the two reads that must agree before an unknown one is sent again
  created_at timestamptz not null default app_now(),
  done_at timestamptz,
  paid_by text check (paid_by in ('merchant', 'operator')), -- who handed it over in cash
  evidence text check (char_length(evidence) between 1 and 300), -- what shows that they did
  constraint refunds_once_per_cause unique (receipt_id, cause, method),
  constraint refunds_by_card_have_an_attempt check (method = 'cash' or attempt_id is not null),
  constraint refunds_done_has_a_moment check ((state = 'done') = (done_at is not null)),
  constraint refunds_paid_in_cash_with_evidence check ((paid_by is null) = (evidence is null) and (paid_by is null or (method = 'cash' and state = 'done')))
);
create unique index refunds_one_in_flight_per_attempt on refunds (attempt_id) where state in ('sending', 'unknown');
create index refunds_by_attempt on refunds (attempt_id);
create index refunds_open on refunds (created_at) where state in ('owed', 'sending', 'unknown', 'blocked');
grant select, insert, update on refunds to aparta_app;

alter table allocations add constraint allocations_refund_id_fkey foreign key (refund_id) references refunds;

-- What a till asked for and what it was answered. A till may reverse an operation on the same day; a reversal that arrives before
-- its charge blocks that charge.
create table till_operations (
  id uuid primary key default gen_random_uuid(),
  service_account_id uuid not null references service_accounts,
  chain text not null check (char_length(chain) between 1 and 60),
  branch text not null check (char_length(branch) between 1 and 60),
  transaction_id text not null check (char_length(transaction_id) between 1 and 60),
  body_hash bytea not null,
  operation text not null check (operation in ('layaway', 'payment')),
  reference text not null check (char_length(reference) <= 40),
  amount_centavos bigint check (amount_centavos > 0),
  state text not null check (state in ('authorised', 'refused', 'reversed', 'reversed_first')),
  error integer not null,
  message text not null,
  authorisation text not null default '',
  created_at timestamptz not null default app_now(),
  reversed_at timestamptz,
  constraint till_operations_once unique (service_account_id, chain, branch, transaction_id),
  constraint till_operations_authorised_without_error check ((state in ('authorised', 'reversed')) = (error = 0)),
  constraint till_operations_reversed_has_a_moment check ((state = 'reversed') = (reversed_at is not null))
);
-- A chain's day file is read by day.
create index till_operations_by_chain on till_operations (chain, created_at);
grant select, insert on till_operations to aparta_app;
grant update (state, reversed_at) on till_operations to aparta_app;

-- What a till's service account took in a day, by branch. Its cap is checked against these few rows instead of every operation it
-- ever made. A trigger keeps them, so they are right whoever writes the operations.
create table till_days (
  service_account_id uuid not null references service_accounts,
  day date not null, -- in Mexico City
  branch text not null,
  taken_centavos bigint not null check (taken_centavos >= 0),
  primary key (service_account_id, day, branch)
);
grant select on till_days to aparta_app;

create function count_till_operation() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  as $$
declare
  change bigint := case tg_op when 'INSERT' then new.amount_centavos else - new.amount_centavos end;
begin
  insert into public.till_days as counted (service_account_id, day, branch, taken_centavos)
    values (new.service_account_id, (new.created_at at time zone 'America/Mexico_City')::date, new.branch, greatest(change, 0))
    on conflict (service_account_id, day, branch) do update set taken_centavos = counted.taken_centavos + change;
  return null;
end $$;
create trigger till_operations_are_counted after insert on till_operations
  for each row when (new.state = 'authorised') execute function count_till_operation();
create trigger till_operations_are_uncounted after update of state on till_operations
  for each row when (old.state = 'authorised' and new.state <> 'authorised') execute function count_till_operation();

-- A number under which stores take cash for one instalment. The provider knows our request by this id.
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
  -- One valid reference per instalment at a time. The id stands in a range because gist compares plain numbers only with an extension.
  constraint cash_references_one_valid exclude using gist (int8range(instalment_id, instalment_id, '[]') with &&, valid with &&) where (state = 'issued')
);
create unique index cash_references_number_once on cash_references (provider_reference) where provider_reference is not null;
create index cash_references_issued_by_instalment on cash_references (instalment_id) where state = 'issued';
create index cash_references_by_purchase on cash_references (purchase_id);
grant select, insert, update on cash_references to aparta_app;

-- What the provider notified us of, once per operation. The money is already taken, so a notice cannot be refused: whatever it says
-- has an outcome here.
create table cash_notices (
  provider text not null check (provider in ('tapi')),
  operation_id text not null check (char_length(operation_id) between 1 and 100),
  body_hash bytea not null,
  cash_reference_id uuid references cash_references,
  status text not null,
  amount_centavos bigint check (amount_centavos > 0),
  currency text not null,
  paid_at timestamptz,
  outcome text not null check (outcome in ('applied', 'owed_back', 'unapplied', 'reversed', 'noted')),
  received_at timestamptz not null default app_now(),
  constraint cash_notices_once primary key (provider, operation_id)
);
create index cash_notices_by_reference on cash_notices (cash_reference_id);
grant select, insert on cash_notices to aparta_app;
-- Unapplied cash changes its outcome once a person knows whose it is.
grant update (outcome) on cash_notices to aparta_app;
