-- What a buyer shows to get what they paid for. Sealed: who reads the database hands nothing over.
create table pickup_codes (
  purchase_id bigint primary key,
  buyer_id bigint not null,
  merchant_id bigint not null,
  ciphertext bytea not null, -- the digits, and those that they replaced
  key_id text not null,
  tries integer not null default 0 constraint pickup_codes_lock_with_the_fifth check (tries between 0 and 5),
  collector_name text check (char_length(collector_name) between 3 and 80), -- null: the buyer
  expires_at timestamptz not null,
  constraint pickup_codes_of_a_purchase foreign key (purchase_id, buyer_id, merchant_id)
    references purchases (id, buyer_id, merchant_id)
);
create index pickup_codes_by_buyer on pickup_codes (buyer_id);
grant select, delete on pickup_codes to aparta_app;
grant insert (purchase_id, buyer_id, merchant_id, ciphertext, key_id, expires_at) on pickup_codes to aparta_app;
grant update (ciphertext, key_id, tries, collector_name, expires_at) on pickup_codes to aparta_app;

-- Whether who collects signs on the screen.
alter table merchants add column wants_signature boolean not null default false;
