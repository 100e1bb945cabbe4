-- Forgotten passwords of staff, invitations that go by email too, and sessions that say what opened them.
create table staff_password_resets (
  staff_id uuid not null references staff,
  code_hash bytea not null constraint staff_password_resets_code_once unique check (octet_length(code_hash) = 32),
  expires_at timestamptz not null,
  primary key (staff_id, code_hash)
);
grant select, insert, delete on staff_password_resets to aparta_app;

-- The link that is shown and the one that is mailed are two; either accepts.
alter table staff_invitations add column mailed_token_hash bytea;
alter table staff_invitations add constraint staff_invitations_mailed_is_a_hash
  check (octet_length(mailed_token_hash) = 32) not valid;

alter table staff_sessions add column browser text not null default '';
alter table staff_sessions add constraint staff_sessions_browser_is_short check (char_length(browser) <= 200) not valid;
