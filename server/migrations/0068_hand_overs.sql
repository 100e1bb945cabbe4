-- contract: widens the states of a purchase under the name of the check that it had; no server names it
-- Goods that are handed over: the purchase is delivered, which nothing undoes, and its deposits are the merchant's.
alter table purchases drop constraint purchases_state_check;
alter table purchases add constraint purchases_state_check check (state in ('active', 'cancelled', 'delivered')) not valid;
alter table purchases add constraint purchases_delivered_were_paid
  check (state <> 'delivered' or paid_centavos = price_centavos) not valid;

insert into ledger_accounts (code, normal, meaning) values
  ('sale_delivered', 'credit', 'paid for goods that the buyer has');

create table hand_overs (
  purchase_id bigint primary key,
  buyer_id bigint not null,
  merchant_id bigint not null,
  -- Made by the device with the press: one press is one hand-over.
  request_id uuid not null,
  position_id uuid not null,
  branch_id bigint not null,
  device_id uuid,
  code_hash bytea not null constraint hand_overs_code_is_a_hash check (octet_length(code_hash) = 32),
  collector_name text check (char_length(collector_name) between 3 and 80), -- null: the buyer
  signature jsonb constraint hand_overs_signature_is_short check (octet_length(signature::text) <= 40000), -- strokes of points
  created_at timestamptz not null default app_now(),
  constraint hand_overs_once unique (merchant_id, request_id),
  constraint hand_overs_of_a_purchase foreign key (purchase_id, buyer_id, merchant_id)
    references purchases (id, buyer_id, merchant_id),
  constraint hand_overs_by_the_merchants_staff foreign key (position_id, merchant_id) references staff_positions (id, merchant_id),
  constraint hand_overs_in_the_merchants_branch foreign key (branch_id, merchant_id) references branches (id, merchant_id),
  constraint hand_overs_on_the_merchants_device foreign key (device_id, merchant_id) references counter_devices (id, merchant_id)
);
create index hand_overs_by_buyer on hand_overs (buyer_id);
create index hand_overs_by_age on hand_overs (created_at) where signature is not null or collector_name is not null;
grant select on hand_overs to aparta_app;
grant insert (purchase_id, buyer_id, merchant_id, request_id, position_id, branch_id, device_id, code_hash, collector_name, signature)
  on hand_overs to aparta_app;
-- What is personal is forgotten.
grant update (collector_name, signature) on hand_overs to aparta_app;
