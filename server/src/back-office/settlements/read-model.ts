import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';

import type { LedgerEvent, Transfer } from '../../ledger/books/postings.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { dayOf } from '../../platform/db/mexico-city.ts';
import type { Collector, LedgerEventKind, ReceiptChannel } from '../../platform/db/tables.ts';
import type { Settlement } from './store.ts';

/**
 * Receipts of tills and Tapi whose money no deposit brought yet, with their chain and the day by which the payer counts them. What a
 * counter took is not on its way: it is in the merchant's hands (rules/ledger#till-receipt).
 */
function onItsWay(merchantId?: number) {
  return sql`
    from receipts r
    left join till_operations o on o.id = case when r.channel = 'till' and r.source_id ~ '^[0-9a-f-]{36}$' then r.source_id::uuid end
    left join cash_notices n on r.channel = 'cash' and n.provider = 'tapi' and n.operation_id = r.source_id,
    lateral (select ${dayOf(sql`coalesce(r.paid_at, n.paid_at, r.received_at)`)} as day,
      case when r.channel = 'till' then coalesce(o.chain, '') end as chain) its
    where r.channel <> 'card' and r.settlement_id is null and r.withdrawn_centavos = 0
      and not exists (select from refunds f where f.receipt_id = r.id and f.provider_refund_id is not null) -- refunded by Tapi later
      and not exists (select from counter_operations c where r.channel = 'till' and c.till_operation_id::text = r.source_id)
      ${merchantId === undefined ? sql`` : sql`and r.merchant_id = ${merchantId}`}`;
}

/** An operation of a till or of Tapi that no deposit paid yet. */
export interface OnItsWay {
  readonly receiptId: number;
  readonly sourceId: string;
  readonly amountCentavos: Centavos;
  readonly collectedBy: Collector;
}

/** Locks the operations that a chain or Tapi took for a merchant in those days and did not pay yet. */
export async function lockOnItsWay(
  tx: Tx,
  which: {
    merchantId: number;
    channel: 'till' | 'cash';
    chain: string | null;
    fromOn: DateOnly;
    toOn: DateOnly;
  },
): Promise<OnItsWay[]> {
  const { rows } = await sql<OnItsWay>`
    select r.id as "receiptId", r.source_id as "sourceId", r.amount_centavos as "amountCentavos",
      r.collected_by as "collectedBy"
    ${onItsWay(which.merchantId)} and r.channel = ${which.channel} and its.chain is not distinct from ${which.chain}
      and its.day between ${which.fromOn} and ${which.toOn}
    order by r.id for no key update of r`.execute(tx);
  return rows;
}

/** What a merchant's book holds in an account, as it grows by debit. */
export async function sumHeld(
  tx: Tx,
  merchantId: number,
  account: 'card_clearing' | 'operator_current',
): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select coalesce(sum(balance), 0)::bigint as held from balances
    where merchant_id = ${merchantId} and account = ${account}`.execute(tx);
  return rows[0]?.held ?? 0;
}

/** What a provider, a chain or Tapi still has to pay for one day; a card's `day` and `operations` are null. */
export interface Pending {
  readonly merchantId: number;
  readonly merchant: string;
  readonly channel: ReceiptChannel;
  readonly chain: string | null;
  readonly day: DateOnly | null;
  readonly collectedBy: Collector;
  readonly operations: number | null;
  readonly amountCentavos: number;
}

/** Money on its way by merchant, oldest first; cards as one sum, since their provider counts days of its own. */
export async function listPending(db: Db, merchantId?: number): Promise<Pending[]> {
  const { rows } = await sql<Pending>`
    select p.*, m.trade_name as merchant from (
      select r.merchant_id as "merchantId", r.channel, its.chain, its.day::text as day, r.collected_by as "collectedBy",
        count(*)::int as operations, sum(r.amount_centavos)::bigint as "amountCentavos"
      ${onItsWay(merchantId)} group by 1, 2, 3, 4, 5
      union all
      select b.merchant_id, 'card', null, null, 'merchant', null, sum(b.balance)::bigint from balances b
      where b.account = 'card_clearing' ${merchantId === undefined ? sql`` : sql`and b.merchant_id = ${merchantId}`}
      group by b.merchant_id having sum(b.balance) <> 0
    ) p join merchants m on m.id = p."merchantId" order by p."merchantId", p.day nulls first, p.channel, p.chain, p."collectedBy"`.execute(
    db,
  );
  return rows;
}

/** Every ledger event that a settlement booked, with its transfers. */
export async function listEventsOf(
  tx: Tx,
  settlement: Pick<Settlement, 'id' | 'kind'>,
): Promise<(LedgerEvent & { readonly id: number })[]> {
  const { id, kind } = settlement;
  const { rows } = await sql<
    Transfer & { id: number; merchantId: number; kind: LedgerEventKind; sourceId: string }
  >`
    select e.id, e.merchant_id as "merchantId", e.kind, e.source_id as "sourceId", t.debit, t.debit_subject as "debitSubject",
      t.credit, t.credit_subject as "creditSubject", t.amount_centavos as "amountCentavos"
    from ledger_events e join ledger_transfers t on t.event_id = e.id
    where (e.kind = ${`settlement_${kind}`} and e.source_id = ${String(id)})
      or (e.kind = 'operation_settled' and e.source_id in
        (select ${`${id}:`} || channel || ':' || source_id from receipts where settlement_id = ${id}))
    order by e.id, t.leg`.execute(tx);
  const events = new Map<number, LedgerEvent & { id: number; transfers: Transfer[] }>();
  for (const { id: eventId, merchantId, kind: event, sourceId, ...transfer } of rows) {
    const known = events.get(eventId);
    if (known !== undefined) known.transfers.push(transfer);
    else events.set(eventId, { id: eventId, merchantId, kind: event, sourceId, transfers: [transfer] });
  }
  return [...events.values()];
}
