-- The buyer's tax papers: who he is to SAT, the invoices of his instalments; the texts he agrees to; the proof that an e-mail is his.

-- A tax identity of a buyer. Corrected in place: an invoice keeps what it was made with.
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
  -- Grows with every correction: a customer at the provider that has an older one is replaced before its next invoice.
  revision integer not null default 1 check (revision >= 1),
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  deleted_at timestamptz,
  constraint fiscal_clients_rfc_has_its_shape check (rfc ~ '^[A-ZÑ&]{3,4}[0-9]{6}[A-Z0-9]{2}[A0-9]$'),
  constraint fiscal_clients_id_with_buyer unique (id, buyer_id)
);
create unique index fiscal_clients_one_per_rfc on fiscal_clients (buyer_id, rfc) where deleted_at is null;
grant select, insert, update on fiscal_clients to aparta_app;

-- The same identity as a merchant's customer at the invoicing provider, made at its first invoice there.
create table invoicing_customers (
  fiscal_client_id bigint not null references fiscal_clients,
  merchant_id bigint not null references merchants,
  provider_uuid text not null check (char_length(provider_uuid) between 1 and 100),
  revision integer not null check (revision >= 1),
  registered_at timestamptz not null default app_now(),
  primary key (fiscal_client_id, merchant_id)
);
grant select, insert, update on invoicing_customers to aparta_app;

-- Wider than the primary keys, so that an invoice cannot be of one purchase and for the buyer of another.
alter table purchases add constraint purchases_id_with_buyer_and_merchant unique (id, buyer_id, merchant_id);
alter table instalments add constraint instalments_id_with_purchase unique (id, purchase_id);

-- One invoice of one instalment. Its request is kept before the provider is asked; its life is one table in code.
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
  amount_centavos bigint not null check (amount_centavos > 0), -- what was paid, IVA included: the stamped total must be this
  iva_basis_points integer not null check (iva_basis_points between 0 and 10000),
  -- The receiver as he is put on it. A correction reaches it only while it was not sent.
  receiver jsonb not null,
  receiver_revision integer not null check (receiver_revision >= 1),
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
  sent_at timestamptz, -- when the emission was last under way
  busy_until timestamptz, -- somebody is at it until then; still 'sending' afterwards, its sender died
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
create index invoices_open on invoices (created_at) where state in ('requested', 'sending', 'stamped', 'review');
grant select, insert on invoices to aparta_app;
-- Whose it is, of what and how much never changes.
grant update (state, receiver, receiver_revision, provider_uuid, fiscal_folio, folio, xml, pdf, detail_code, detail_field,
  detail_message, tries, sent_at, busy_until, issued_at, closed_at) on invoices to aparta_app;

-- The mode is the merchant's (its accountant decides); PPD_REP is not built, and this keeps its seat.
alter table merchants
  add column invoicing_mode text not null default 'PUE_POR_ABONO'
    constraint merchants_invoicing_mode_is_built check (invoicing_mode in ('PUE_POR_ABONO'));

-- What buyers agree to, word by word. A new wording is a new version; none is ever changed.
create table legal_texts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('terms', 'privacy')),
  version text not null check (version ~ '^[0-9A-Za-z][0-9A-Za-z._-]{0,39}$'),
  body text not null check (char_length(body) between 1 and 200000),
  sha256 bytea not null check (octet_length(sha256) = 32),
  is_template boolean not null default false, -- the one we ship, with blanks to fill: good for a demonstration only
  published_at timestamptz not null default app_now(),
  constraint legal_texts_version_once unique (kind, version)
);
create trigger legal_texts_append_only before update or delete or truncate on legal_texts
  for each statement execute function refuse_change();
grant select, insert on legal_texts to aparta_app;

-- Who agreed to which text, when and from where: evidence, so it is only ever added to.
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

-- An e-mail is its buyer's once he followed the link of the welcome letter. Until then letters say little.
alter table buyers add column email_confirmed_at timestamptz;
create table email_confirmations (
  buyer_id bigint primary key references buyers,
  code_hash bytea not null constraint email_confirmations_code_once unique check (octet_length(code_hash) = 32),
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null
);
grant select, insert, update, delete on email_confirmations to aparta_app;
