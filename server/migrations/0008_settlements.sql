-- How collected money reaches the merchant: deposits, payouts, and what explains a difference.

-- An operator records money that moved outside the product: it reached somebody, passed from one to another, or explains why less or
-- more came than was expected. A mistake is taken back by a row of its own.
create table settlements (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants,
  kind text not null check (kind in ('deposit', 'payout', 'explanation', 'void')),
  channel text check (channel in ('card', 'till', 'cash')), -- deposits only
  chain text check (char_length(chain) between 1 and 60), -- deposits from tills only
  from_on date, -- first and last day, in Mexico City, that a chain's or the cash provider's deposit pays for
  to_on date,
  party text check (party in ('merchant', 'operator', 'provider')), -- who holds the money now
  amount_centavos bigint not null check (amount_centavos > 0),
  commission_centavos bigint not null default 0 check (commission_centavos >= 0), -- kept by whoever deposits, IVA included
  of_id bigint references settlements, -- the one it explains or takes back
  happened_on date not null,
  evidence text not null check (char_length(evidence) between 1 and 300),
  round integer not null default 0 check (round >= 0), -- how often the same evidence was taken back before
  recorded_at timestamptz not null default app_now(),
  constraint settlements_evidence_once unique (merchant_id, evidence, round),
  constraint settlements_of_their_kind check (
    (kind = 'deposit') = (channel is not null)
    and (channel is not distinct from 'till') = (chain is not null)
    and coalesce(channel in ('till', 'cash'), false) = (from_on is not null and to_on is not null and from_on <= to_on)
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

alter table receipts add constraint receipts_settlement_id_fkey foreign key (settlement_id) references settlements;
