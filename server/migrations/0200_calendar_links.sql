-- The private address at which a buyer's calendar reads what they have to pay. What it carries is computed from its id by a key, so
-- that a copy of this table opens none. A new one takes the place of the one before; a revoked one is deleted.
create table calendar_links (
  buyer_id bigint primary key references buyers,
  id uuid not null default gen_random_uuid() constraint calendar_links_id_once unique,
  made_at timestamptz not null default app_now()
);
grant select, insert (buyer_id), update (id, made_at), delete on calendar_links to aparta_app;
