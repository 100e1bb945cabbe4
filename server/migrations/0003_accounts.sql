-- Who may sign in, and what they agreed to: buyers with their sessions, codes and consents; service accounts of tills and
-- integrators. Secrets are stored as hashes only.

create table buyers (
  id bigint generated always as identity (start with 1001) primary key,
  email text not null check (char_length(email) between 3 and 254),
  user_name text not null check (char_length(user_name) between 1 and 120),
  name text not null check (char_length(name) <= 120),
  phone text not null default '' check (char_length(phone) <= 30),
  address_street text not null default '' check (char_length(address_street) <= 200),
  address_number text not null default '' check (char_length(address_number) <= 30),
  address_postal_code text not null default '' check (char_length(address_postal_code) <= 10),
  password_hash text not null,
  sso_id uuid not null default gen_random_uuid(),
  terms_accepted_at timestamptz,
  terms_version text,
  created_at timestamptz not null default app_now(),
  email_confirmed_at timestamptz, -- when the welcome email's link was followed; until then emails say little
  erased_at timestamptz, -- the person is gone; what the money did, receipts and stamped invoices must be kept
  constraint buyers_email_once unique (email),
  constraint buyers_email_is_normal check (email = lower(email) and email !~ '\s')
);
grant select, insert, update on buyers to aparta_app;

alter table outbox add constraint outbox_buyer_id_fkey foreign key (buyer_id) references buyers;

-- The id and the device are what a buyer recognises a session by when closing it.
create table sessions (
  id bigint generated always as identity constraint sessions_id_once unique,
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  buyer_id bigint not null references buyers,
  device text not null default '' check (char_length(device) <= 200),
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_by_buyer on sessions (buyer_id);
grant select, insert, update, delete on sessions to aparta_app;

-- One row per buyer: a new email's code replaces the one before. Only the email holds the code itself.
create table password_resets (
  buyer_id bigint primary key references buyers,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  wrong_tries integer not null default 0 constraint password_resets_die_of_five_wrong_tries check (wrong_tries between 0 and 5),
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null
);
grant select, insert, update, delete on password_resets to aparta_app;

create table email_confirmations (
  buyer_id bigint primary key references buyers,
  code_hash bytea not null constraint email_confirmations_code_once unique check (octet_length(code_hash) = 32),
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null
);
grant select, insert, update, delete on email_confirmations to aparta_app;

-- What buyers agree to, word for word. New wording is a new version; a published one never changes.
create table legal_texts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('terms', 'privacy')),
  version text not null check (version ~ '^[0-9A-Za-z][0-9A-Za-z._-]{0,39}$'),
  body text not null check (char_length(body) between 1 and 200000),
  sha256 bytea not null check (octet_length(sha256) = 32),
  is_template boolean not null default false, -- the one we ship, with blanks to fill in: for demonstrations only
  published_at timestamptz not null default app_now(),
  constraint legal_texts_version_once unique (kind, version)
);
create trigger legal_texts_append_only before update or delete or truncate on legal_texts
  for each statement execute function refuse_change();
grant select, insert on legal_texts to aparta_app;

-- Who agreed to which text, when and from where. It is evidence, so rows are only added.
create table consents (
  id bigint generated always as identity primary key,
  buyer_id bigint not null references buyers,
  legal_text_id bigint not null references legal_texts,
  source_address text not null default '' check (char_length(source_address) <= 60),
  user_agent text not null default '' check (char_length(user_agent) <= 300),
  given_at timestamptz not null default app_now(),
  constraint consents_once unique (buyer_id, legal_text_id)
);
create trigger consents_append_only before delete or truncate on consents
  for each statement execute function refuse_change();
grant select, insert on consents to aparta_app;
-- Erasing a buyer blanks these two.
grant update (source_address, user_agent) on consents to aparta_app;

create table service_accounts (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('till', 'integrator')),
  user_name text not null constraint service_accounts_user_name_once unique,
  secret_hash text not null,
  -- The secret before the current one works for a while longer, so that a chain can switch its tills one by one.
  previous_secret_hash text,
  previous_until timestamptz,
  chain text, -- a till's own `compañia`
  merchant_id bigint references merchants, -- an integrator's merchant
  addresses text[] not null default '{}', -- IP addresses and networks it may call from; empty: anywhere
  created_at timestamptz not null default app_now(),
  revoked_at timestamptz,
  constraint service_accounts_have_their_scope check (
    (kind = 'till' and chain is not null and merchant_id is null) or (kind = 'integrator' and merchant_id is not null and chain is null)
  ),
  constraint service_accounts_previous_has_an_end check ((previous_secret_hash is null) = (previous_until is null))
);
grant select, insert, update on service_accounts to aparta_app;

create table service_account_sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  service_account_id uuid not null references service_accounts,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null
);
create index service_account_sessions_by_account on service_account_sessions (service_account_id);
grant select, insert, update, delete on service_account_sessions to aparta_app;
