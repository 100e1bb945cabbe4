-- One-time codes for forgotten passwords, and sessions that their buyer can tell apart and close.

-- One row per buyer: the code of a newer letter takes the place of the one before. The code itself is in the letter alone.
create table password_resets (
  buyer_id bigint primary key references buyers,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  wrong_tries integer not null default 0 constraint password_resets_die_of_five_wrong_tries check (wrong_tries between 0 and 5),
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null
);
grant select, insert, update, delete on password_resets to aparta_app;

-- An e-mail without an account is queued like any other, and dropped when its turn comes.
alter table outbox
  drop constraint outbox_state_check,
  add constraint outbox_state_check check (state in ('waiting', 'sent', 'failed', 'dropped'));

alter table sessions
  add column id bigint generated always as identity constraint sessions_id_once unique,
  add column device text not null default '' check (char_length(device) <= 200);
