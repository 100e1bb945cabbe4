import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { type RawBuilder, sql } from 'kysely';

import { POSTINGS_IN_HANDS } from '../../ledger/books/in-hands.read-model.ts';
import { gapOfRestores } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/db.ts';
import { startOf, wallTimeOf } from '../../platform/db/mexico-city.ts';
import { initialsOf } from '../initials.read-model.ts';
import type { Collector, LedgerAccount, LedgerEventKind, ReceiptChannel } from '../../platform/db/tables.ts';

/** The number of a merchant's next report. */
export function nextReportNumber(merchantId: number): RawBuilder<number> {
  return sql`(
    select coalesce(max(r.number), 0) + 1 + ${gapOfRestores(sql`coalesce(max(r.issued_at), m.created_at)`)}
    from merchants m left join settlement_reports r on r.merchant_id = m.id where m.id = ${merchantId} group by m.id)`;
}

export interface Period {
  readonly merchantId: number;
  /** First and last day, of Mexico City. */
  readonly from: DateOnly;
  readonly to: DateOnly;
}

/** When an event counts: a receipt when its money was paid, which is never after it was booked; anything else when it was booked. */
const moment = sql`coalesce(
  (select x.paid_at from receipts x where e.kind like '%\\_receipt' and x.channel = split_part(e.kind, '_', 1) and x.source_id = e.source_id),
  e.occurred_at)`;

/** A merchant as a report names it. */
export interface ReportedMerchant {
  readonly id: number;
  readonly tradeName: string;
  readonly businessName: string;
  readonly rfc: string;
}

/** Undefined when there is no such merchant. */
export async function findReported(tx: Tx, id: number): Promise<ReportedMerchant | undefined> {
  return tx
    .selectFrom('merchants')
    .where('id', '=', id)
    .select(['id', 'trade_name as tradeName', 'business_name as businessName', 'rfc'])
    .executeTakeFirst();
}

/** What an account held before a period and at its end, as debit less credit, in centavos. */
export interface AccountSums {
  readonly account: LedgerAccount;
  readonly normal: 'debit' | 'credit' | 'either';
  readonly opening: number;
  readonly closing: number;
}

/** Every account of a merchant over a period. */
export async function sumPeriod(tx: Tx, period: Period): Promise<AccountSums[]> {
  const { rows } = await sql<AccountSums>`
    select a.code as account, a.normal, coalesce(sum(p.amount) filter (where p.moment < ${startOf(period.from)}), 0)::bigint as opening,
      coalesce(sum(p.amount), 0)::bigint as closing
    from ledger_accounts a left join (select p.account, p.amount, e.moment from ${POSTINGS_IN_HANDS} p join (select e.id, ${moment} as moment from ledger_events e
        where e.merchant_id = ${period.merchantId}) e on e.id = p.event_id
      where e.moment < ${startOf(period.to, 1)}) p on p.account = a.code
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
    where merchant_id = ${period.merchantId} and coalesce(paid_at, received_at) >= ${startOf(period.from)}
      and coalesce(paid_at, received_at) < ${startOf(period.to, 1)}
    group by channel`.execute(tx);
  return rows;
}

/** What tills and stores still had to pay at the end of a period, by who collects it. */
export async function sumOnItsWay(
  tx: Tx,
  period: Period,
): Promise<{ channel: 'till' | 'cash'; collectedBy: Collector; amountCentavos: number }[]> {
  const { rows } = await sql<{ channel: 'till' | 'cash'; collectedBy: Collector; amountCentavos: number }>`
    select r.channel, r.collected_by as "collectedBy", sum(p.amount)::bigint as "amountCentavos"
    from ${POSTINGS_IN_HANDS} p join ledger_events e on e.id = p.event_id
      join receipts r on r.channel || '_clearing' = p.account and r.source_id = p.subject
    where e.merchant_id = ${period.merchantId} and ${moment} < ${startOf(period.to, 1)}
      and p.account in ('till_clearing', 'cash_clearing')
    group by 1, 2`.execute(tx);
  return rows;
}

/** By which way money came: a merchant's own counter is told from a chain's tills. */
export type Via = ReceiptChannel | 'counter_cash' | 'counter_terminal';

/** One transfer of the ledger, and the payment and purchase that it is about. */
export interface Leg {
  readonly eventId: number;
  /** Day and hour in Mexico City. */
  readonly day: DateOnly;
  readonly time: string;
  /** Of a voided event, the kind of what it voids. */
  readonly kind: LedgerEventKind;
  /** The event that it voids. */
  readonly voids: number | null;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly amountCentavos: Centavos;
  readonly channel: Via | null;
  readonly folio: string | null;
  readonly purchaseId: number | null;
  readonly product: string | null;
  /** The product's IVA; null without a purchase. */
  readonly ivaBasisPoints: number | null;
  /** The number that Clip, the till or Tapi knows the payment by: of a till, branch and operation. */
  readonly operation: string | null;
  /** The buyer's initials. */
  readonly buyer: string | null;
}

/** Every transfer of a merchant over a period, in the order in which they happened. */
export async function listLegs(tx: Tx, period: Period): Promise<Leg[]> {
  const number = (kinds: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
    sql`case when k.kind in (${kinds}) then (${value})::bigint end`;
  // Both sides as `POSTINGS_IN_HANDS` names them.
  const inHands = (account: RawBuilder<unknown>) =>
    sql`case when w.till_operation_id is not null and ${account} = 'till_clearing' then 'merchant_funds' else ${account} end`;
  const { rows } = await sql<Leg>`
    select e.id as "eventId", to_char(${wallTimeOf(moment)}, 'YYYY-MM-DD') as day,
      to_char(${wallTimeOf(moment)}, 'HH24:MI') as time, k.kind, o.id as voids,
      ${inHands(sql`t.debit`)} as debit, ${inHands(sql`t.credit`)} as credit, t.amount_centavos as "amountCentavos",
      coalesce('counter_' || w.method, r.channel, q.channel, s.channel) as channel,
      coalesce(r.folio, q.folio) as folio, p.id as "purchaseId", p.product_name as product,
      d.iva_basis_points as "ivaBasisPoints",
      coalesce(c.provider_payment_id, l.branch || ' ' || l.transaction_id,
        case when coalesce(r.channel, q.channel) = 'cash' then coalesce(r.source_id, q.source_id) end) as operation,
      ${initialsOf(sql`coalesce(r.buyer_id, q.buyer_id, p.buyer_id)`)} as buyer
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
      left join purchases p on p.id = coalesce(case when t.credit = 'layaway_deposits' then t.credit_subject::bigint end, f.purchase_id, paid.purchase_id, ${number(sql`'cancel', 'handover'`, sql`k.source`)})
      left join products d on d.id = p.product_id
      left join card_attempts c on c.id = case when coalesce(r.channel, q.channel) = 'card' then coalesce(r.source_id, q.source_id)::uuid end
      left join till_operations l on l.id = case when coalesce(r.channel, q.channel) = 'till' then coalesce(r.source_id, q.source_id)::uuid end
      left join counter_operations w on w.till_operation_id = l.id
    where e.merchant_id = ${period.merchantId} and e.occurred_at >= ${startOf(period.from)} and ${moment} >= ${startOf(period.from)}
      and ${moment} < ${startOf(period.to, 1)}
    order by ${moment}, e.id, t.leg`.execute(tx);
  return rows;
}
