-- A browser that is told what its buyer is told by email. The push service's address and the keys are the browser's; an address is
-- one browser's, so whoever signed in there last has it.
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  buyer_id bigint not null references buyers,
  session_id bigint not null, -- a session's number; it ends with that session's logout, not with its hours
  endpoint text not null constraint push_subscriptions_endpoint_once unique
    constraint push_subscriptions_endpoints_are_addresses check (endpoint ~ '^https?://' and char_length(endpoint) <= 1000),
  public_key text not null constraint push_subscriptions_keys_are_points check (public_key ~ '^[A-Za-z0-9_-]{87}$'),
  auth_secret text not null constraint push_subscriptions_secrets_are_whole check (auth_secret ~ '^[A-Za-z0-9_-]{22}$'),
  saved_at timestamptz not null default app_now()
);
-- Whom an email that is queued is also pushed to, and which of a buyer's are the oldest.
create index push_subscriptions_by_buyer on push_subscriptions (buyer_id, saved_at);
-- What nobody said again for long (`accounts/pushes/retention.ts`).
create index push_subscriptions_by_age on push_subscriptions (saved_at);
grant select, insert, update, delete on push_subscriptions to aparta_app;
