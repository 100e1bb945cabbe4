-- The buyer's invoices: under which tax identity, as which of the merchant's customers at the provider, and for which instalment.

-- A buyer's tax identity. Corrected in place: an invoice keeps what it was made with.
create table fiscal_clients (
  id bigint generated always as identity (start with 5001) primary key,
  buyer_id bigint not null references buyers,
  rfc text not null,
  name text not null check (char_length(name) between 1 and 254),
  alias text not null default '' check (char_length(alias) <= 120),
  email text not null check (char_length(email) between 3 and 254),
  phone text not null default '' check (char_length(phone) <= 30),
  street text not null default '' check (char_length(street) <= 200),
  suburb text not null default '' check (char_length(suburb) <= 120),
  postal_code text not null constraint fiscal_clients_postal_code_has_five_digits check (postal_code ~ '^[0-9]{5}$'),
  tax_regime text not null check (tax_regime ~ '^[0-9]{3}$'),
  cfdi_use text not null check (cfdi_use ~ '^[A-Z]{1,2}[0-9]{2}$'),
  -- Grows with each correction: a customer at the provider with an older one is replaced before its next invoice.
  revision integer not null default 1 check (revision >= 1),
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  deleted_at timestamptz,
  constraint fiscal_clients_rfc_has_its_shape check (rfc ~ '^[A-ZÑ&]{3,4}[0-9]{6}[A-Z0-9]{2}[A0-9]$'),
  constraint fiscal_clients_id_with_buyer unique (id, buyer_id)
);
create unique index fiscal_clients_one_per_rfc on fiscal_clients (buyer_id, rfc) where deleted_at is null;
create index fiscal_clients_by_buyer on fiscal_clients (buyer_id);

-- The same identity as a merchant's customer at the invoicing provider, registered for its first invoice there.
create table invoicing_customers (
  fiscal_client_id bigint not null references fiscal_clients,
  merchant_id bigint not null references merchants,
  provider_uuid text not null check (char_length(provider_uuid) between 1 and 100),
  revision integer not null check (revision >= 1),
  registered_at timestamptz not null default app_now(),
  primary key (fiscal_client_id, merchant_id)
);

-- Delete, because a buyer who leaves takes along what no invoice names.
grant select, insert, update, delete on fiscal_clients, invoicing_customers to aparta_app;

-- One invoice of one instalment. The request is stored before the provider is asked.
create table invoices (
  id bigint generated always as identity (start with 3001) primary key,
  instalment_id bigint not null,
  purchase_id bigint not null,
  buyer_id bigint not null,
  merchant_id bigint not null,
  fiscal_client_id bigint not null,
  mode text not null default 'PUE_POR_ABONO' check (mode in ('PUE_POR_ABONO', 'PPD_REP')),
  state text not null check (state in ('requested', 'sending', 'stamped', 'issued', 'review', 'refused', 'cancelled')),
  payment_form text not null check (payment_form ~ '^[0-9]{2}$'),
  amount_centavos bigint not null check (amount_centavos > 0), -- what was paid, IVA included; the stamped total must equal it
  iva_basis_points integer not null check (iva_basis_points between 0 and 10000),
  -- The receiver as printed on it. A correction still changes it until the invoice is sent.
  receiver jsonb not null,
  receiver_revision integer not null check (receiver_revision >= 1),
  -- The merchant's id at the provider under which it was requested: its files stay there even if that id changes. Null: not sent yet.
  business_uuid text,
  provider_uuid text check (char_length(provider_uuid) between 1 and 100),
  fiscal_folio text check (char_length(fiscal_folio) between 1 and 60),
  folio text not null default '' check (char_length(folio) <= 60),
  xml bytea check (octet_length(xml) <= 2097152),
  pdf bytea check (octet_length(pdf) <= 2097152),
  detail_code text not null default '' check (char_length(detail_code) <= 60),
  detail_field text check (detail_field in ('rfc', 'name', 'postalCode', 'taxRegime', 'cfdiUse', 'email')),
  detail_message text not null default '' check (char_length(detail_message) <= 300),
  tries integer not null default 0 check (tries >= 0),
  created_at timestamptz not null default app_now(),
  sent_at timestamptz, -- when it was last sent
  busy_until timestamptz, -- a worker has it until then; if it is still 'sending' afterwards, that worker died
  issued_at timestamptz,
  closed_at timestamptz,
  constraint invoices_fiscal_client_of_buyer foreign key (fiscal_client_id, buyer_id) references fiscal_clients (id, buyer_id),
  constraint invoices_instalment_of_purchase foreign key (instalment_id, purchase_id) references instalments (id, purchase_id),
  constraint invoices_purchase_of_buyer foreign key (purchase_id, buyer_id, merchant_id) references purchases (id, buyer_id, merchant_id),
  constraint invoices_stamped_with_a_folio check (state not in ('stamped', 'issued') or (provider_uuid is not null and fiscal_folio is not null)),
  constraint invoices_issued_with_its_file check (state <> 'issued' or (xml is not null and issued_at is not null)),
  constraint invoices_closed_has_a_moment check ((state in ('refused', 'cancelled')) = (closed_at is not null))
);
create unique index invoices_one_per_instalment on invoices (instalment_id) where state not in ('refused', 'cancelled');
create unique index invoices_folio_once on invoices (fiscal_folio) where fiscal_folio is not null;
create index invoices_by_purchase on invoices (purchase_id, instalment_id, id desc);
create index invoices_by_fiscal_client on invoices (fiscal_client_id);
create index invoices_by_buyer on invoices (buyer_id);
create index invoices_open on invoices (created_at) where state in ('requested', 'sending', 'stamped', 'review');
create trigger invoices_moves after update of state on invoices
  for each row when (old.state is distinct from new.state) execute function record_state_move('invoice');
grant select, insert on invoices to aparta_app;
-- Whose it is, what it is for and how much never change.
grant update (state, receiver, receiver_revision, business_uuid, provider_uuid, fiscal_folio, folio, xml, pdf, detail_code,
  detail_field, detail_message, tries, sent_at, busy_until, issued_at, closed_at) on invoices to aparta_app;
