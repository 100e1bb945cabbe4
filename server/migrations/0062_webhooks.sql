-- Where a merchant's POS or ERP hears of its money. Nothing is written for it beside a payment: each endpoint reads the books on from
-- its place, and what it is to hear is a row until it is forgotten.
create table webhook_endpoints (
  id uuid primary key,
  merchant_id bigint not null references merchants,
  url text not null check (char_length(url) between 8 and 500),
  secret_ciphertext bytea not null,
  secret_key_id text not null,
  -- Signs too until then, after a rotation.
  previous_ciphertext bytea,
  previous_key_id text,
  previous_until timestamptz,
  position bigint not null,
  last_event_id bigint not null,
  sequence bigint not null default 0 check (sequence >= 0), -- of its last event
  failing_since timestamptz,
  busy_until timestamptz not null default app_now(), -- a server works on it, or it is let alone for a while
  off_at timestamptz,
  is_dead boolean not null default false, -- switched off because nobody answered
  created_at timestamptz not null default app_now(),
  constraint webhook_endpoints_previous_is_whole check (num_nulls(previous_ciphertext, previous_key_id, previous_until) in (0, 3)),
  constraint webhook_endpoints_dead_are_off check (not is_dead or off_at is not null)
);
create index webhook_endpoints_by_merchant on webhook_endpoints (merchant_id, created_at);
create index webhook_endpoints_on on webhook_endpoints (busy_until) where off_at is null;
grant select on webhook_endpoints to aparta_app;
grant insert (id, merchant_id, url, secret_ciphertext, secret_key_id, position, last_event_id) on webhook_endpoints to aparta_app;
grant update (secret_ciphertext, secret_key_id, previous_ciphertext, previous_key_id, previous_until, position, last_event_id, sequence,
  failing_since, busy_until, off_at, is_dead) on webhook_endpoints to aparta_app;

create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(), -- the receiver's `webhook-id`
  endpoint_id uuid not null references webhook_endpoints,
  sequence bigint not null check (sequence > 0),
  type text not null check (char_length(type) between 3 and 40),
  body text not null,
  created_at timestamptz not null default app_now(),
  due_at timestamptz default app_now(), -- null: nothing more is done
  tries integer not null default 0 check (tries >= 0),
  delivered_at timestamptz,
  problem text check (char_length(problem) <= 60), -- of the last try
  constraint webhook_deliveries_sequence_once unique (endpoint_id, sequence)
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where due_at is not null;
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
grant select, delete on webhook_deliveries to aparta_app;
grant insert (endpoint_id, sequence, type, body) on webhook_deliveries to aparta_app;
grant update (due_at, tries, delivered_at, problem) on webhook_deliveries to aparta_app;
