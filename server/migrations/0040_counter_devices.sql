-- Shared phones and tablets of a branch, on which its people sign in with a PIN of their own. What they do names the device.
create table counter_devices (
  id uuid primary key default gen_random_uuid(),
  merchant_id bigint not null,
  branch_id bigint not null,
  name text not null check (char_length(name) between 1 and 40),
  secret_hash bytea not null constraint counter_devices_secret_once unique check (octet_length(secret_hash) = 32),
  enrolled_by uuid not null,
  enrolled_at timestamptz not null default app_now(),
  revoked_at timestamptz,
  constraint counter_devices_id_with_merchant unique (id, merchant_id),
  constraint counter_devices_in_the_merchants_branch foreign key (branch_id, merchant_id) references branches (id, merchant_id),
  constraint counter_devices_by_the_merchants_staff foreign key (enrolled_by, merchant_id)
    references staff_positions (id, merchant_id)
);
create index counter_devices_by_merchant on counter_devices (merchant_id) where revoked_at is null;
grant select on counter_devices to aparta_app;
grant insert (merchant_id, branch_id, name, secret_hash, enrolled_by) on counter_devices to aparta_app;
grant update (revoked_at) on counter_devices to aparta_app;

-- The code that a device shows once to become one. Deleted with its use.
create table device_enrolments (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  merchant_id bigint not null,
  branch_id bigint not null,
  name text not null check (char_length(name) between 1 and 40),
  position_id uuid not null,
  expires_at timestamptz not null,
  constraint device_enrolments_in_the_merchants_branch foreign key (branch_id, merchant_id) references branches (id, merchant_id),
  constraint device_enrolments_by_the_merchants_staff foreign key (position_id, merchant_id)
    references staff_positions (id, merchant_id)
);
grant select, insert, delete on device_enrolments to aparta_app;

-- A PIN is the person's, so that it outlives a change of role; it opens nothing without a device.
create table staff_pins (
  staff_id uuid primary key references staff,
  pin_hash text not null,
  set_at timestamptz not null default app_now()
);
grant select, insert, delete on staff_pins to aparta_app;
grant update (pin_hash, set_at) on staff_pins to aparta_app;

-- Tries of a person's PIN on a device since the last right one. The fifth wrong one locks them there until somebody lifts it.
create table device_pin_tries (
  device_id uuid not null references counter_devices,
  staff_id uuid not null references staff,
  tries integer not null constraint device_pin_tries_lock_with_the_fifth check (tries between 1 and 5),
  primary key (device_id, staff_id)
);
grant select, insert, update, delete on device_pin_tries to aparta_app;

alter table staff_sessions add column device_id uuid, add column used_at timestamptz;
alter table staff_sessions add constraint staff_sessions_of_a_device foreign key (device_id) references counter_devices not valid;
alter table staff_sessions add constraint staff_sessions_of_a_device_say_when_used
  check ((device_id is null) = (used_at is null)) not valid;
grant update (used_at) on staff_sessions to aparta_app;
-- For whoever forgot theirs; a sign-in waits for the change.
grant update (password_hash) on staff to aparta_app;

alter table staff_acts add column device_id uuid;
alter table staff_acts add constraint staff_acts_on_a_device_of_their_merchant foreign key (device_id, merchant_id)
  references counter_devices (id, merchant_id) not valid;
grant insert (device_id) on staff_acts to aparta_app;

alter table counter_operations add column device_id uuid;
alter table counter_operations add constraint counter_operations_on_the_merchants_device foreign key (device_id, merchant_id)
  references counter_devices (id, merchant_id) not valid;
grant insert (device_id) on counter_operations to aparta_app;
