-- Who collects the money of each way to pay, and how it reaches the merchant: deposits, payouts, and what differs.

-- A card is always taken on the merchant's own account at the provider. For the others it is agreed.
alter table merchants
  add column till_collected_by text not null default 'merchant' check (till_collected_by in ('merchant', 'operator')),
  add column tapi_collected_by text not null default 'operator' check (tapi_collected_by in ('merchant', 'operator'));

-- What an operator writes down of money that moved outside: it reached somebody's hands, went from one's to the other's, or explains
-- why less or more came than was expected. A mistake is taken back by a row of its own.
create table settlements (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants,
  kind text not null check (kind in ('deposit', 'payout', 'explanation', 'void')),
  channel text check (channel in ('card', 'till', 'tapi')), -- of a deposit
  chain text check (char_length(chain) between 1 and 60), -- of a deposit of tills
  from_on date, -- first and last day, of Mexico City, of what a chain or the network pays
  to_on date,
  party text check (party in ('merchant', 'operator', 'provider')), -- in whose hands it is now
  amount_centavos bigint not null check (amount_centavos > 0),
  commission_centavos bigint not null default 0 check (commission_centavos >= 0), -- kept by who deposits, with its IVA
  of_id bigint references settlements, -- what it explains, or takes back
  happened_on date not null,
  evidence text not null check (char_length(evidence) between 1 and 300),
  round integer not null default 0 check (round >= 0), -- how often the same evidence was taken back before
  recorded_at timestamptz not null default app_now(),
  constraint settlements_evidence_once unique (merchant_id, evidence, round),
  constraint settlements_of_their_kind check (
    (kind = 'deposit') = (channel is not null)
    and (channel is not distinct from 'till') = (chain is not null)
    and coalesce(channel in ('till', 'tapi'), false) = (from_on is not null and to_on is not null and from_on <= to_on)
    and (kind in ('explanation', 'void')) = (of_id is not null)
    and (kind = 'void') = (party is null)
    and (kind = 'deposit' or commission_centavos = 0)
    and (kind = 'explanation' or party is distinct from 'provider')
    and (channel is distinct from 'card' or party = 'merchant'))
);
create unique index settlements_voided_once on settlements (of_id) where kind = 'void';
create trigger settlements_append_only before update or delete or truncate on settlements
  for each statement execute function refuse_change();
grant select, insert on settlements to aparta_app;

-- Who collects is agreed when the money comes: a later change moves nothing that is there. By a trigger, so that a server of the
-- version before freezes it too.
alter table receipts
  add column collected_by text not null default 'merchant' check (collected_by in ('merchant', 'operator')),
  add column settlement_id bigint references settlements, -- the deposit that brought it, of tills and the network
  add constraint receipts_of_a_card_are_the_merchants check (channel <> 'card' or collected_by = 'merchant'),
  add constraint receipts_settled_stay check (settlement_id is null or (withdrawn_centavos = 0 and channel <> 'card'));
create index receipts_by_settlement on receipts (settlement_id) where settlement_id is not null;

create function freeze_who_collects() returns trigger language plpgsql as $$
begin
  new.collected_by := (select case new.channel when 'till' then till_collected_by when 'tapi' then tapi_collected_by else 'merchant' end
    from merchants where id = new.merchant_id);
  return new;
end $$;
create trigger receipts_freeze_who_collects before insert on receipts for each row execute function freeze_who_collects();

insert into ledger_accounts (code, normal, meaning) values
  ('provider_commission', 'debit', 'kept by the card provider, a chain or the network for itself'),
  ('settlement_difference', 'either', 'debit: less came than was expected; credit: more; until it is explained');

-- Last: its deferred checks are pending until the end.
update receipts set collected_by = 'operator' where channel = 'tapi';
