-- Buyers, their sessions, and the machines (tills, integrators) that may call us. Secrets are only ever hashes.

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
  constraint buyers_email_once unique (email),
  constraint buyers_email_is_normal check (email = lower(email) and email !~ '\s')
);
grant select, insert, update on buyers to aparta_app;

create table sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  buyer_id bigint not null references buyers,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_by_buyer on sessions (buyer_id);
grant select, insert, update, delete on sessions to aparta_app;

create table companies (
  id bigint generated always as identity primary key,
  name text not null check (char_length(name) between 1 and 120),
  phone text not null default '',
  external_ref_antad text not null default '',
  logo_file_name text not null,
  logo bytea,
  created_at timestamptz not null default app_now(),
  constraint companies_logo_file_name_once unique (logo_file_name),
  constraint companies_logo_file_name_is_plain check (logo_file_name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$')
);

create table merchants (
  id bigint generated always as identity primary key,
  company_id bigint not null references companies,
  business_name text not null check (char_length(business_name) between 1 and 120),
  trade_name text not null check (char_length(trade_name) between 1 and 120),
  rfc text not null default '',
  business_type_id integer not null default 1,
  contact text not null default '',
  phone text not null default '',
  email text not null default '',
  address text not null default '',
  payment_gateway_id integer not null default 1,
  deposit_basis_points integer not null constraint merchants_deposit_is_a_part check (deposit_basis_points between 1 and 9999),
  frequency_days integer not null constraint merchants_frequency_is_a_day_or_more check (frequency_days >= 1),
  plan_duration_days integer not null constraint merchants_plan_lasts check (plan_duration_days >= 1),
  penalty_centavos bigint not null default 0 check (penalty_centavos >= 0),
  service_fee_centavos bigint not null default 0 check (service_fee_centavos >= 0),
  service_fee_methods text[] not null default '{}' check (service_fee_methods <@ array['card', 'till', 'cash']),
  external_reference_antad text not null default '',
  sso_id uuid not null default gen_random_uuid(),
  invoicing_business_uuid text not null default '',
  created_at timestamptz not null default app_now()
);
create index merchants_by_company on merchants (company_id);

create table products (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants,
  name text not null check (char_length(name) between 1 and 120),
  description text not null default '' check (char_length(description) <= 1000),
  sku text not null default '',
  sale_price_centavos bigint not null check (sale_price_centavos > 0),
  iva_basis_points integer not null default 1600 check (iva_basis_points between 0 and 10000),
  invoicing_product_uuid text not null default '',
  withdrawn_at timestamptz,
  created_at timestamptz not null default app_now(),
  constraint products_id_with_merchant unique (id, merchant_id)
);

-- A merchant's key pair at a provider. Old pairs stay readable: payments made with them must be read and refunded.
create table provider_credentials (
  id uuid primary key default gen_random_uuid(),
  merchant_id bigint not null references merchants,
  provider text not null check (provider in ('clip')),
  public_key text not null,
  secret_ciphertext bytea not null, -- AES-256-GCM; additional data names merchant, field and key, so that it opens nowhere else
  secret_key_id text not null,
  created_at timestamptz not null default app_now(),
  retired_at timestamptz,
  constraint provider_credentials_id_with_merchant unique (id, merchant_id)
);
create unique index provider_credentials_one_current on provider_credentials (merchant_id, provider) where retired_at is null;

create table machine_credentials (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('till', 'integrator')),
  user_name text not null constraint machine_credentials_user_name_once unique,
  secret_hash text not null,
  chain text, -- a till's own `compañia`
  merchant_id bigint references merchants, -- an integrator's merchant
  created_at timestamptz not null default app_now(),
  revoked_at timestamptz,
  constraint machine_credentials_have_their_scope check (
    (kind = 'till' and chain is not null and merchant_id is null) or (kind = 'integrator' and merchant_id is not null and chain is null)
  )
);

create table machine_sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  credential_id uuid not null references machine_credentials,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null
);
create index machine_sessions_by_credential on machine_sessions (credential_id);

grant select, insert, update on companies, merchants, products, provider_credentials, machine_credentials to aparta_app;
grant select, insert, update, delete on machine_sessions to aparta_app;
