-- What is on sale and on whose terms: companies, their merchants, the products, and the labels printed for them.

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
  -- Card payments always go to the merchant's own account at the provider. Who collects the others is agreed.
  till_collected_by text not null default 'merchant' check (till_collected_by in ('merchant', 'operator')),
  cash_collected_by text not null default 'operator' check (cash_collected_by in ('merchant', 'operator')),
  deposit_basis_points integer not null constraint merchants_deposit_is_a_part check (deposit_basis_points between 1 and 9999),
  frequency_days integer not null constraint merchants_frequency_is_a_day_or_more check (frequency_days >= 1),
  plan_duration_days integer not null constraint merchants_plan_lasts check (plan_duration_days >= 1),
  penalty_centavos bigint not null default 0 check (penalty_centavos >= 0),
  service_fee_centavos bigint not null default 0 check (service_fee_centavos >= 0),
  service_fee_methods text[] not null default '{}' check (service_fee_methods <@ array['card', 'till', 'cash']),
  external_reference_antad text not null default '',
  sso_id uuid not null default gen_random_uuid(),
  invoicing_business_uuid text not null default '',
  -- The merchant's accountant chooses how its instalments are invoiced. PPD_REP is not built yet, so it cannot be chosen.
  invoicing_mode text not null default 'PUE_POR_ABONO'
    constraint merchants_invoicing_mode_is_built check (invoicing_mode in ('PUE_POR_ABONO')),
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
-- An imported file of products matches the existing ones by sku.
create unique index products_sku_once on products (merchant_id, sku) where sku <> '';

grant select, insert, update on companies, merchants, products to aparta_app;

-- What each product's newest printed label says: if its figures have changed since, the label must be replaced.
create table printed_labels (
  product_id bigint primary key references products,
  price_centavos bigint not null check (price_centavos > 0),
  deposit_centavos bigint not null check (deposit_centavos > 0),
  payments integer not null check (payments between 2 and 120), -- including the deposit
  printed_at timestamptz not null default app_now()
);
grant select, insert, update on printed_labels to aparta_app;
