-- Passkeys of the people of a shop, and the rule by which a merchant demands them of its owners.
create table staff_passkeys (
  id uuid primary key default gen_random_uuid(),
  staff_id uuid not null references staff,
  credential_id text not null constraint staff_passkeys_credential_once unique check (char_length(credential_id) between 1 and 1400 and credential_id ~ '^[\w-]+$'),
  public_key bytea not null check (octet_length(public_key) between 1 and 4096),
  counter bigint not null constraint staff_passkeys_counter_is_not_negative check (counter >= 0),
  transports text[] not null default '{}',
  name text not null check (char_length(name) between 1 and 40),
  backed_up boolean not null,
  created_at timestamptz not null default app_now(),
  used_at timestamptz
);
create index staff_passkeys_by_person on staff_passkeys (staff_id);
grant select, delete on staff_passkeys to aparta_app;
grant insert (staff_id, credential_id, public_key, counter, transports, name, backed_up) on staff_passkeys to aparta_app;
grant update (counter, name, backed_up, used_at) on staff_passkeys to aparta_app;

-- What a passkey is asked to sign: for a person who adds one, or for nobody yet, who signs in. Deleted with its use.
create table passkey_challenges (
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  staff_id uuid references staff,
  expires_at timestamptz not null
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);
grant select, insert, delete on passkey_challenges to aparta_app;

-- The merchants whose owners need a passkey.
create table owner_passkey_rules (
  merchant_id bigint primary key references merchants,
  set_at timestamptz not null default app_now()
);
grant select, delete on owner_passkey_rules to aparta_app;
grant insert (merchant_id) on owner_passkey_rules to aparta_app;

-- The passkey that opened a session; null: a password did, or a PIN where there is a device.
alter table staff_sessions add column passkey_id uuid;
alter table staff_sessions add constraint staff_sessions_of_a_passkey
  foreign key (passkey_id) references staff_passkeys on delete set null not valid;
alter table staff_sessions add constraint staff_sessions_of_a_device_have_no_passkey
  check (device_id is null or passkey_id is null) not valid;
grant update (passkey_id) on staff_sessions to aparta_app;
