-- What the limits against stolen cards and stolen tills count by (docs/security.md, threats 9 and 10).

-- A keyed hash of brand, first and last digits, as far as the provider told them: one card used by many, many cards used from one
-- place. Of use for an hour; let go of after two days.
alter table card_attempts
  add column card_mark bytea constraint card_attempts_mark_is_a_hash check (octet_length(card_mark) = 32),
  -- The address, or the IPv6 network of one household: who has a network has all its addresses.
  add column source_household text not null default '';
create index card_attempts_by_card on card_attempts (card_mark, created_at desc) where card_mark is not null;
create index card_attempts_by_household on card_attempts (source_household, created_at desc) where source_household <> '';
-- contract: the limits ask by household now, and nothing else asked by address.
drop index card_attempts_by_source;

-- Addresses and networks from which a machine may call; none listed: from everywhere.
alter table machine_credentials add column addresses text[] not null default '{}';
