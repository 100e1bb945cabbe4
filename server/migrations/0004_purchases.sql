-- References that can be paid, and what a paid layaway becomes: a purchase with its instalments.

-- One sequence feeds every printed number, so a layaway and an instalment can never share their digits.
create sequence payment_reference_serials;
grant usage on sequence payment_reference_serials to aparta_app;

-- Permutes the serials, so that nobody can guess the number on a neighbour's slip. One row, made here and never changed: another
-- key could produce numbers that are already printed.
create table reference_key (
  only_one boolean primary key default true check (only_one),
  key bytea not null
);
insert into reference_key (key) values (sha256(gen_random_uuid()::text::bytea || gen_random_uuid()::text::bytea));
grant select on reference_key to aparta_app;

create table payment_references (
  id bigint primary key check (id between 1000000000 and 9999999999), -- nine permuted digits and a Damm digit
  kind text not null check (kind in ('layaway', 'instalment')),
  prefix text not null check (prefix ~ '^[1-9][0-9]{0,2}$'),
  reference text not null generated always as (prefix || id::text) stored constraint payment_references_number_once unique,
  constraint payment_references_layaway_prefix check (kind <> 'layaway' or prefix = '1'),
  constraint payment_references_id_with_kind unique (id, kind),
  constraint payment_references_id_with_prefix unique (id, kind, prefix)
);
grant select, insert on payment_references to aparta_app;

create table layaway_references (
  id bigint primary key,
  kind text not null default 'layaway' check (kind = 'layaway'),
  buyer_id bigint not null references buyers,
  merchant_id bigint not null,
  product_id bigint not null,
  state text not null default 'open' check (state in ('open', 'paid', 'expired', 'cancelled')),
  source_address text not null default '',
  -- The terms, frozen for as long as the reference lives: the catalogue may change, a printed bar code cannot.
  price_centavos bigint not null check (price_centavos > 0),
  deposit_centavos bigint not null,
  deposit_basis_points integer not null check (deposit_basis_points between 1 and 9999),
  frequency_days integer not null check (frequency_days >= 1),
  plan_duration_days integer not null check (plan_duration_days >= 1),
  service_fee_centavos bigint not null check (service_fee_centavos >= 0),
  service_fee_methods text[] not null,
  penalty_centavos bigint not null check (penalty_centavos >= 0),
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  closed_at timestamptz,
  constraint layaway_references_is_a_payment_reference foreign key (id, kind) references payment_references (id, kind),
  constraint layaway_references_product_of_merchant foreign key (product_id, merchant_id) references products (id, merchant_id),
  constraint layaway_references_deposit_is_a_part check (deposit_centavos > 0 and deposit_centavos < price_centavos),
  constraint layaway_references_end_after_they_begin check (expires_at > created_at),
  constraint layaway_references_closed_when_not_open check ((state = 'open') = (closed_at is null))
);
create unique index layaway_references_one_open_per_product on layaway_references (buyer_id, product_id) where state = 'open';
create index layaway_references_to_expire on layaway_references (expires_at) where state = 'open';
create index layaway_references_by_buyer on layaway_references (buyer_id, merchant_id);
grant select, insert, update on layaway_references to aparta_app;

create table purchases (
  id bigint generated always as identity (start with 10001) primary key,
  buyer_id bigint not null references buyers,
  merchant_id bigint not null,
  product_id bigint not null,
  layaway_reference_id bigint not null references layaway_references,
  state text not null default 'active' check (state in ('active', 'cancelled')),
  product_name text not null,
  product_description text not null,
  price_centavos bigint not null check (price_centavos > 0),
  deposit_centavos bigint not null check (deposit_centavos > 0),
  paid_centavos bigint not null default 0,
  service_fee_centavos bigint not null check (service_fee_centavos >= 0),
  service_fee_methods text[] not null,
  penalty_centavos bigint not null check (penalty_centavos >= 0),
  penalty_free_until timestamptz not null,
  sso_id uuid not null default gen_random_uuid(),
  created_at timestamptz not null default app_now(),
  cancelled_at timestamptz,
  cancel_notes text not null default '' check (char_length(cancel_notes) <= 1000),
  constraint purchases_one_per_reference unique (layaway_reference_id),
  -- Wider than the primary key, so that an invoice cannot name one buyer's purchase and another buyer.
  constraint purchases_id_with_buyer_and_merchant unique (id, buyer_id, merchant_id),
  constraint purchases_product_of_merchant foreign key (product_id, merchant_id) references products (id, merchant_id),
  constraint purchases_not_overpaid check (paid_centavos between 0 and price_centavos),
  constraint purchases_cancelled_has_a_moment check ((state = 'cancelled') = (cancelled_at is not null))
);
create index purchases_by_buyer on purchases (buyer_id, id desc);
create index purchases_by_merchant on purchases (merchant_id, id desc);
grant select, insert, update on purchases to aparta_app;

create table instalments (
  id bigint primary key,
  kind text not null default 'instalment' check (kind = 'instalment'),
  purchase_id bigint not null references purchases,
  number integer not null check (number between 1 and 999),
  prefix text not null generated always as (number::text) stored,
  due_on date not null,
  amount_centavos bigint not null check (amount_centavos > 0),
  paid_centavos bigint not null default 0,
  constraint instalments_is_a_payment_reference foreign key (id, kind, prefix) references payment_references (id, kind, prefix),
  constraint instalments_number_once unique (purchase_id, number),
  -- For the same reason as the purchase's: an invoice cannot name an instalment of another purchase.
  constraint instalments_id_with_purchase unique (id, purchase_id),
  constraint instalments_not_overpaid check (paid_centavos between 0 and amount_centavos)
);
-- The operator's commands look for overdue instalments.
create index instalments_unpaid_by_due_date on instalments (due_on) where paid_centavos < amount_centavos;
grant select, insert, update on instalments to aparta_app;

-- At every commit, a purchase's instalments add up to its price, and what they have been paid to what it has been paid.
create function purchases_add_up() returns trigger language plpgsql as $$
declare
  subject bigint;
  wrong record;
begin
  if tg_table_name = 'purchases' then subject := new.id; else subject := new.purchase_id; end if;
  select p.id, p.price_centavos, p.paid_centavos, sum(i.amount_centavos) as planned, sum(i.paid_centavos) as paid into wrong
    from purchases p left join instalments i on i.purchase_id = p.id
    where p.id = subject group by p.id
    having p.price_centavos is distinct from sum(i.amount_centavos) or p.paid_centavos is distinct from sum(i.paid_centavos);
  if found then
    raise exception 'purchase %: price %, planned %; paid %, by instalments %', wrong.id, wrong.price_centavos, wrong.planned, wrong.paid_centavos, wrong.paid
      using errcode = 'check_violation', constraint = 'purchases_add_up';
  end if;
  return null;
end $$;
create constraint trigger purchases_add_up after insert or update on purchases deferrable initially deferred
  for each row execute function purchases_add_up();
create constraint trigger instalments_add_up after insert or update on instalments deferrable initially deferred
  for each row execute function purchases_add_up();
