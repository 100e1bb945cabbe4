import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { type Insertable, type RawBuilder, sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import type {
  Collector,
  LedgerAccount,
  LedgerEventKind,
  ReceiptChannel,
  SettlementKind,
  SettlementParty,
  SettlementsTable,
} from '../../platform/db/tables.ts';
import type { LedgerEvent, Transfer } from '../../ledger/books/postings.ts';

/** Lets one settlement of a merchant at a time be written; false when there is no such merchant. */
export async function lockBook(tx: Tx, merchantId: number): Promise<boolean> {
  const merchant = await tx
    .selectFrom('merchants')
    .select('id')
    .where('id', '=', merchantId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return merchant !== undefined;
}

export interface Settlement {
  readonly id: number;
  readonly merchantId: number;
  readonly kind: SettlementKind;
  readonly channel: ReceiptChannel | null;
  readonly chain: string | null;
  readonly fromOn: DateOnly | null;
  readonly toOn: DateOnly | null;
  readonly party: SettlementParty | null;
  readonly amountCentavos: Centavos;
  readonly commissionCentavos: Centavos;
  readonly ofId: number | null;
  readonly happenedOn: DateOnly;
  readonly evidence: string;
  readonly recordedAt: Date;
  readonly isVoided: boolean;
  /** What its operations are more than it: below zero where more came, and 0 where nothing is left to explain. */
  readonly differenceCentavos: number;
}

function settlements(db: Db | Tx) {
  return db.selectFrom('settlements as s').select([
    's.id',
    's.merchant_id as merchantId',
    's.kind',
    's.channel',
    's.chain',
    sql<DateOnly | null>`s.from_on::text`.as('fromOn'),
    sql<DateOnly | null>`s.to_on::text`.as('toOn'),
    's.party',
    's.amount_centavos as amountCentavos',
    's.commission_centavos as commissionCentavos',
    's.of_id as ofId',
    sql<DateOnly>`s.happened_on::text`.as('happenedOn'),
    's.evidence',
    's.recorded_at as recordedAt',
    sql<boolean>`exists (select from settlements v where v.of_id = s.id and v.kind = 'void')`.as('isVoided'),
    sql<number>`coalesce((select b.balance from balances b
        where b.account = 'settlement_difference' and b.subject = 'settlement:' || s.id), 0)::bigint`.as(
      'differenceCentavos',
    ),
  ]);
}

export async function findSettlement(db: Db | Tx, id: number): Promise<Settlement | undefined> {
  return settlements(db).where('s.id', '=', id).executeTakeFirst();
}

/** All of a merchant's, newest first, at most 500. */
export async function listSettlements(db: Db, merchantId: number): Promise<Settlement[]> {
  return settlements(db).where('s.merchant_id', '=', merchantId).orderBy('s.id', 'desc').limit(500).execute();
}

/** What was written with the same evidence, those that were taken back too. */
export async function listByEvidence(tx: Tx, merchantId: number, evidence: string): Promise<Settlement[]> {
  return settlements(tx)
    .where('s.merchant_id', '=', merchantId)
    .where('s.evidence', '=', evidence)
    .orderBy('s.id')
    .execute();
}

/** Those that explain another one and stand. */
export async function hasExplanation(tx: Tx, id: number): Promise<boolean> {
  const found = await settlements(tx).where('s.of_id', '=', id).where('s.kind', '=', 'explanation').execute();
  return found.some(({ isVoided }) => !isVoided);
}

/** Throws on `settlements_evidence_once`. */
export async function insertSettlement(tx: Tx, settlement: Insertable<SettlementsTable>): Promise<number> {
  const { id } = await tx
    .insertInto('settlements')
    .values(settlement)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Receipts of tills and Tapi that no deposit brought yet, with their chain and their day as the payer counts it. */
function onItsWay(merchantId?: number) {
  return sql`
    from receipts r
    left join till_operations o on o.id = case when r.channel = 'till' and r.source_id ~ '^[0-9a-f-]{36}$' then r.source_id::uuid end
    left join cash_notices n on r.channel = 'cash' and n.provider = 'tapi' and n.operation_id = r.source_id,
    lateral (select (coalesce(n.paid_at, r.received_at) at time zone 'America/Mexico_City')::date as day,
      case when r.channel = 'till' then coalesce(o.chain, '') end as chain) its
    where r.channel <> 'card' and r.settlement_id is null and r.withdrawn_centavos = 0
      and not exists (select from refunds f where f.receipt_id = r.id and f.provider_refund_id is not null) -- taken back later
      ${merchantId === undefined ? sql`` : sql`and r.merchant_id = ${merchantId}`}`;
}

export interface OnItsWay {
  readonly receiptId: number;
  readonly sourceId: string;
  readonly amountCentavos: Centavos;
  readonly collectedBy: Collector;
}

/** The operations that a chain or Tapi took for a merchant in those days and did not pay yet, locked. */
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

/** What a chain or Tapi still has to pay, by its days. */
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

/** What is on its way, oldest first; of cards in one sum, since the provider counts its own days. */
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

export async function markSettled(
  tx: Tx,
  receiptIds: readonly number[],
  settlementId: number,
): Promise<void> {
  await tx
    .updateTable('receipts')
    .set({ settlement_id: settlementId })
    .where(sql<boolean>`id = any(${receiptIds}::bigint[])`)
    .execute();
}

/** What a deposit brought is on its way again. */
export async function unsettle(tx: Tx, settlementId: number): Promise<void> {
  await tx
    .updateTable('receipts')
    .set({ settlement_id: null })
    .where('settlement_id', '=', settlementId)
    .execute();
}

/** Every event that a settlement wrote. */
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

// What a report is made of -------------------------------------------------------------------------------------

export interface Period {
  readonly merchantId: number;
  /** First and last day, of Mexico City. */
  readonly from: DateOnly;
  readonly to: DateOnly;
}

const startOf = ({ from }: Period) => sql`${from}::date::timestamp at time zone 'America/Mexico_City'`;
const endOf = ({ to }: Period) => sql`(${to}::date + 1)::timestamp at time zone 'America/Mexico_City'`;

export interface ReportedMerchant {
  readonly id: number;
  readonly tradeName: string;
  readonly businessName: string;
  readonly rfc: string;
}

export async function findReported(tx: Tx, id: number): Promise<ReportedMerchant | undefined> {
  return tx
    .selectFrom('merchants')
    .where('id', '=', id)
    .select(['id', 'trade_name as tradeName', 'business_name as businessName', 'rfc'])
    .executeTakeFirst();
}

/** What an account held before a period and at its end, as debit less credit. */
export interface AccountSums {
  readonly account: LedgerAccount;
  readonly normal: 'debit' | 'credit' | 'either';
  readonly opening: number;
  readonly closing: number;
}

export async function sumPeriod(tx: Tx, period: Period): Promise<AccountSums[]> {
  const { rows } = await sql<AccountSums>`
    select a.code as account, a.normal, coalesce(sum(p.amount) filter (where p.occurred_at < ${startOf(period)}), 0)::bigint as opening,
      coalesce(sum(p.amount), 0)::bigint as closing
    from ledger_accounts a left join (select p.account, p.amount, e.occurred_at from postings p join ledger_events e on e.id = p.event_id
      where e.merchant_id = ${period.merchantId} and e.occurred_at < ${endOf(period)}) p on p.account = a.code
    group by a.code, a.normal`.execute(tx);
  return rows;
}

/** Receipts of a period by channel: the oracle of what the ledger says came. */
export async function sumReceipts(
  tx: Tx,
  period: Period,
): Promise<{ channel: ReceiptChannel; amountCentavos: number }[]> {
  const { rows } = await sql<{ channel: ReceiptChannel; amountCentavos: number }>`
    select channel, sum(amount_centavos)::bigint as "amountCentavos" from receipts
    where merchant_id = ${period.merchantId} and received_at >= ${startOf(period)} and received_at < ${endOf(period)}
    group by channel`.execute(tx);
  return rows;
}

/** What tills and stores had still to pay at the end of a period, by who collects it. */
export async function sumOnItsWay(
  tx: Tx,
  period: Period,
): Promise<{ channel: 'till' | 'cash'; collectedBy: Collector; amountCentavos: number }[]> {
  const { rows } = await sql<{ channel: 'till' | 'cash'; collectedBy: Collector; amountCentavos: number }>`
    select r.channel, r.collected_by as "collectedBy", sum(p.amount)::bigint as "amountCentavos"
    from postings p join ledger_events e on e.id = p.event_id
      join receipts r on r.channel || '_clearing' = p.account and r.source_id = p.subject
    where e.merchant_id = ${period.merchantId} and e.occurred_at < ${endOf(period)}
      and p.account in ('till_clearing', 'cash_clearing')
    group by 1, 2`.execute(tx);
  return rows;
}

/** One transfer of the ledger, and what it is about. */
export interface Leg {
  readonly eventId: number;
  /** Day and hour in Mexico City. */
  readonly day: DateOnly;
  readonly time: string;
  /** Of what was taken back, the kind of that. */
  readonly kind: LedgerEventKind;
  readonly isVoid: boolean;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly amountCentavos: Centavos;
  readonly channel: ReceiptChannel | null;
  readonly folio: string | null;
  readonly purchaseId: number | null;
  readonly product: string | null;
}

export async function listLegs(tx: Tx, period: Period): Promise<Leg[]> {
  const number = (kinds: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
    sql`case when k.kind in (${kinds}) then (${value})::bigint end`;
  const { rows } = await sql<Leg>`
    select e.id as "eventId", to_char(e.occurred_at at time zone 'America/Mexico_City', 'YYYY-MM-DD') as day,
      to_char(e.occurred_at at time zone 'America/Mexico_City', 'HH24:MI') as time, k.kind, o.id is not null as "isVoid",
      t.debit, t.credit, t.amount_centavos as "amountCentavos", coalesce(r.channel, q.channel, s.channel) as channel,
      coalesce(r.folio, q.folio) as folio, p.id as "purchaseId", p.product_name as product
    from ledger_events e join ledger_transfers t on t.event_id = e.id
      left join ledger_events o on o.id = case when e.kind = 'settlement_void' then e.source_id::bigint end
      cross join lateral (select coalesce(o.kind, e.kind) as kind, coalesce(o.source_id, e.source_id) as source) k
      left join refunds f on f.id = ${number(
        sql`'card_refund', 'refund_moved', 'cash_refund', 'cash_refund_bounced'`,
        sql`split_part(k.source, ':', 1)`,
      )}
      left join settlements s on s.id = ${number(
        sql`'settlement_deposit', 'settlement_payout', 'settlement_explanation', 'operation_settled'`,
        sql`split_part(k.source, ':', 1)`,
      )}
      left join receipts r on r.id = coalesce(f.receipt_id, ${number(sql`'suspense_resolved'`, sql`k.source`)})
      left join receipts q on (q.channel, q.source_id) = (
        case k.kind when 'operation_settled' then split_part(k.source, ':', 2)
          when 'external_refund' then split_part(t.credit, '_', 1) else split_part(k.kind, '_', 1) end,
        case when k.kind = 'operation_settled' then regexp_replace(k.source, '^[0-9]+:[a-z]+:', '')
          when k.kind = 'external_refund' then regexp_replace(k.source, ':[0-9]+$', '')
          when k.kind like '%\\_receipt' or k.kind like '%\\_reversal' then k.source end)
      left join lateral (select i.purchase_id from allocations a join instalments i on i.id = a.instalment_id
        where a.receipt_id = coalesce(r.id, q.id) order by a.id limit 1) paid on true
      left join purchases p on p.id = coalesce(paid.purchase_id, ${number(sql`'cancel'`, sql`k.source`)})
    where e.merchant_id = ${period.merchantId} and e.occurred_at >= ${startOf(period)} and e.occurred_at < ${endOf(period)}
    order by e.occurred_at, e.id, t.leg`.execute(tx);
  return rows;
}
