-- A buyer who chose to stay signed in on a browser (rules/accounts#staying-signed-in). Its cookie holds a name and a secret; each use
-- replaces the secret by the one that `chain_key` makes of it, so that it can be told what followed one. Only its hash is here.
create table kept_sessions (
  id bigint generated always as identity primary key,
  buyer_id bigint not null references buyers,
  name_hash bytea not null constraint kept_sessions_name_once unique check (octet_length(name_hash) = 32),
  chain_key bytea not null check (octet_length(chain_key) = 32),
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  turn integer not null default 0, -- how often the secret was replaced
  device text not null default '' check (char_length(device) <= 200),
  opened_at timestamptz not null default app_now(),
  grace_turn integer not null default 0, -- from which one on secrets are taken for some time
  grace_at timestamptz,
  proven_at timestamptz, -- when its browser was seen to have the newest secret
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint kept_sessions_spare_what_was_turned check (grace_turn between 0 and turn and (turn > 0) = (grace_at is not null)
    and (turn = 0 or grace_turn < turn)),
  constraint kept_sessions_last_a_year_at_most check (expires_at > opened_at and expires_at <= opened_at + interval '366 days')
);
create index kept_sessions_by_buyer on kept_sessions (buyer_id);
grant select, insert (buyer_id, name_hash, chain_key, secret_hash, device, expires_at),
  update (secret_hash, turn, grace_turn, grace_at, proven_at, expires_at, ended_at), delete on kept_sessions to aparta_app;

-- Sessions that came of one. The first call of such a session proves that its browser got the secret of that turn.
alter table sessions add column kept_id bigint;
alter table sessions add column proves_turn integer;
alter table sessions add constraint sessions_prove_what_they_came_of check (proves_turn is null or kept_id is not null) not valid;
grant update (proves_turn) on sessions to aparta_app;
-- The same browser that is told, whichever of its sessions said so.
alter table push_subscriptions add column kept_id bigint;
