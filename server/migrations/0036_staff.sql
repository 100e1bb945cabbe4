-- contract: every server asks for service accounts by their kind, so that none takes a third kind for its own
-- The people of a shop and its branches, and the money that they take at its counter. A counter is a till without a secret of
-- its own: one service account for each merchant, so that caps, answers, day file and books are those of a till.
alter table service_accounts drop constraint service_accounts_kind_check;
alter table service_accounts add constraint service_accounts_kind_check
  check (kind in ('till', 'integrator', 'counter')) not valid;
alter table service_accounts drop constraint service_accounts_have_their_scope;
alter table service_accounts add constraint service_accounts_have_their_scope check (
  (kind = 'till' and chain is not null and merchant_id is null)
  or (kind = 'integrator' and merchant_id is not null and chain is null)
  -- Its name is unique, so a merchant has one; nobody signs in as it.
  or (kind = 'counter' and merchant_id is not null and chain = 'mostrador-' || merchant_id::text and user_name = chain and secret_hash = '')
) not valid;

create table branches (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants,
  name text not null check (char_length(name) between 1 and 60),
  address text not null default '' check (char_length(address) <= 200),
  hours text not null default '' check (char_length(hours) <= 200),
  phone text not null default '' check (char_length(phone) <= 30),
  -- What the merchant's own tills call it: `compañia` and `sucursal`.
  till_chain text check (char_length(till_chain) between 1 and 60),
  till_branch text check (char_length(till_branch) between 1 and 60),
  created_at timestamptz not null default app_now(),
  closed_at timestamptz,
  constraint branches_id_with_merchant unique (id, merchant_id),
  constraint branches_tills_call_it_by_both check ((till_chain is null) = (till_branch is null))
);
create unique index branches_name_once on branches (merchant_id, lower(name)) where closed_at is null;
grant select on branches to aparta_app;
grant insert (merchant_id, name, address, hours, phone, till_chain, till_branch) on branches to aparta_operator;
grant update (closed_at) on branches to aparta_operator;

create table staff (
  id uuid primary key default gen_random_uuid(),
  email text not null constraint staff_email_once unique check (char_length(email) between 3 and 254),
  name text not null check (char_length(name) between 1 and 80),
  password_hash text not null,
  created_at timestamptz not null default app_now()
);
grant select on staff to aparta_app;
grant insert (email, name, password_hash) on staff to aparta_app;

-- What somebody is at a merchant. A changed role is a new position.
create table staff_positions (
  id uuid primary key default gen_random_uuid(),
  staff_id uuid not null references staff,
  merchant_id bigint not null references merchants,
  role text not null check (role in ('cashier', 'manager', 'owner', 'accountant')),
  created_at timestamptz not null default app_now(),
  revoked_at timestamptz,
  constraint staff_positions_id_with_merchant unique (id, merchant_id),
  constraint staff_positions_id_with_role unique (id, merchant_id, role)
);
create unique index staff_positions_one_live on staff_positions (staff_id, merchant_id) where revoked_at is null;
create index staff_positions_by_merchant on staff_positions (merchant_id);
grant select on staff_positions to aparta_app;
grant insert (staff_id, merchant_id, role) on staff_positions to aparta_app;
grant update (revoked_at) on staff_positions to aparta_app;

-- Where cashiers and managers work. Owners and accountants have no rows: every branch is theirs.
create table staff_position_branches (
  position_id uuid not null,
  merchant_id bigint not null,
  role text not null constraint staff_position_branches_are_of_cashiers_and_managers check (role in ('cashier', 'manager')),
  branch_id bigint not null,
  primary key (position_id, branch_id),
  constraint staff_position_branches_of_their_merchants_position foreign key (position_id, merchant_id, role)
    references staff_positions (id, merchant_id, role),
  constraint staff_position_branches_of_their_merchant foreign key (branch_id, merchant_id) references branches (id, merchant_id)
);
grant select, insert on staff_position_branches to aparta_app;

-- Deleted when it is accepted, replaced by a newer one, or withdrawn with the position of whoever invited.
create table staff_invitations (
  merchant_id bigint not null references merchants,
  email text not null check (char_length(email) between 3 and 254),
  token_hash bytea not null constraint staff_invitations_token_once unique check (octet_length(token_hash) = 32),
  name text not null check (char_length(name) between 1 and 80),
  role text not null check (role in ('cashier', 'manager', 'owner', 'accountant')),
  branch_ids bigint[] not null default '{}',
  invited_by uuid references staff_positions, -- null: the operator
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  primary key (merchant_id, email)
);
grant select, insert, update, delete on staff_invitations to aparta_app;

create table staff_sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  position_id uuid not null references staff_positions,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null
);
create index staff_sessions_by_position on staff_sessions (position_id);
create index staff_sessions_by_end on staff_sessions (expires_at);
grant select, insert, delete on staff_sessions to aparta_app;

-- What staff did, with person and branch: written beside the act, never changed.
create table staff_acts (
  id bigint generated always as identity primary key,
  at timestamptz not null default app_now(),
  position_id uuid not null references staff_positions,
  merchant_id bigint not null references merchants,
  branch_id bigint,
  act text not null check (act ~ '^[a-z][a-z_]{1,39}$'),
  subject_id text not null check (char_length(subject_id) between 1 and 254),
  detail jsonb not null default '{}',
  constraint staff_acts_branch_of_their_merchant foreign key (branch_id, merchant_id) references branches (id, merchant_id)
);
create index staff_acts_by_merchant on staff_acts (merchant_id, id desc);
create trigger staff_acts_append_only before update or delete or truncate on staff_acts
  for each statement execute function refuse_change();
grant select on staff_acts to aparta_app;
grant insert (position_id, merchant_id, branch_id, act, subject_id, detail) on staff_acts to aparta_app;
