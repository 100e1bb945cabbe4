-- What the operator does: who changed what, when. Secrets of machines that are exchanged without a stop; one product per sku.

-- Written in the transaction of the change itself, so that neither exists without the other. Never a secret.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default app_now(),
  actor text not null check (char_length(actor) between 1 and 120),
  command text not null check (command ~ '^[a-z]+( [a-z-]+)*$'),
  subject_kind text not null check (subject_kind ~ '^[a-z][a-z_]{1,39}$'),
  subject_id text not null check (char_length(subject_id) between 1 and 120),
  detail jsonb not null default '{}'
);
create index audit_log_by_subject on audit_log (subject_kind, subject_id, id desc);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
grant select, insert on audit_log to aparta_app;

-- The secret before the current one stays good for a while, so that a chain changes its tills one by one.
alter table machine_credentials
  add column previous_secret_hash text,
  add column previous_until timestamptz,
  add constraint machine_credentials_previous_has_an_end check ((previous_secret_hash is null) = (previous_until is null));

-- A file of products finds the ones that are there by it.
create unique index products_sku_once on products (merchant_id, sku) where sku <> '';
