-- A link by which anybody helps to pay a purchase, without an account. Its code is computed from its id, so that a copy of this
-- table opens none. An attempt of a helper carries the link, their name and, for the receipt, their email address.
create table help_links (
  id uuid primary key default gen_random_uuid(),
  purchase_id bigint not null,
  buyer_id bigint not null,
  merchant_id bigint not null,
  message text not null check (char_length(message) <= 140), -- the buyer's
  goal_centavos bigint check (goal_centavos > 0),
  state text not null default 'live' check (state in ('live', 'revoked', 'closed')),
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint help_links_of_a_purchase foreign key (purchase_id, buyer_id, merchant_id)
    references purchases (id, buyer_id, merchant_id),
  constraint help_links_with_purchase unique (id, purchase_id),
  constraint help_links_end_when_they_say check ((state = 'live') = (ended_at is null)),
  constraint help_links_expire_after_they_begin check (expires_at > created_at)
);
create index help_links_by_purchase on help_links (purchase_id, created_at);
create index help_links_by_buyer on help_links (buyer_id);
grant select, insert (purchase_id, buyer_id, merchant_id, message, goal_centavos, expires_at),
  update (state, message, ended_at) on help_links to aparta_app;

alter table card_attempts add column help_link_id uuid;
alter table card_attempts add column payer_name text;
alter table card_attempts add column payer_email text;
alter table card_attempts add constraint card_attempts_help_their_purchase foreign key (help_link_id, purchase_id)
  references help_links (id, purchase_id) not valid;
alter table card_attempts add constraint card_attempts_helpers_have_names check (
  (help_link_id is null) = (payer_name is null) and (payer_name is null or char_length(payer_name) <= 40)) not valid;
alter table card_attempts add constraint card_attempts_payers_are_helpers check (
  payer_email is null or help_link_id is not null and purchase_id is not null and char_length(payer_email) <= 254) not valid;
grant update (payer_name, payer_email) on card_attempts to aparta_app;
