import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import type { CounterMethod } from '@aparta/domain/shop-lists';
import { type RawBuilder, sql } from 'kysely';

import { meantFor } from '../../../ledger/receipts/meant-for.read-model.ts';
import { payerOf } from '../../../ledger/receipts/payer-at-store.read-model.ts';
import { takenBack } from '../../../ledger/refunds/taken-back.read-model.ts';
import { terminalLast4 } from '../../../ledger/refunds/terminal.read-model.ts';
import { serviceFeeCameIn } from '../../../ledger/receipts/service-fee.read-model.ts';
import type { Db } from '../../../platform/db/db.ts';
import { startOf } from '../../../platform/db/mexico-city.ts';
import { collectedIn, type Counted, IS_ANY, within } from './today.read-model.ts';
import { collectedOnce, PAID_AT, withdrawnLater } from './withdrawn.read-model.ts';

/** A line of a list: money that a shop collected, or that was taken back of what it had collected on an earlier day. */
export interface TakingRow {
  /** The receipt's. */
  readonly id: number;
  readonly folio: string;
  /** When it was paid, or taken back. */
  readonly at: Date;
  readonly method: CounterMethod;
  /** 0 of what was taken back. */
  readonly amountCentavos: Centavos;
  readonly withdrawnCentavos: Centavos;
  /** The service fee in it. */
  readonly feeCentavos: Centavos;
  readonly buyerName: string | null;
  readonly productName: string | null;
  readonly purchaseId: number | null;
  readonly takenBy: string | null;
  readonly branch: string | null;
}

/** Where a list goes on: behind the line of a receipt, or of its being taken back. */
export interface TakingCursor {
  readonly id: number;
  readonly isWithdrawn: boolean;
}

export interface TakingsOf extends Counted {
  readonly from: DateOnly;
  readonly to: DateOnly;
  readonly method?: CounterMethod | undefined;
  /** Only those that follow this one. */
  readonly after?: TakingCursor | undefined;
  readonly limit: number;
}

/**
 * What a shop collected in some days, the newest first, without what was taken back on the same day; what was on a later one is a
 * line of that day. A page reads no more than itself.
 */
export async function listTakings(db: Db, of: TakingsOf): Promise<TakingRow[]> {
  const { merchantId, limit } = of;
  const { rows } = await sql<TakingRow>`
    select r.id, r.folio, r.at, r.method, r."amountCentavos", r."withdrawnCentavos", ${serviceFeeCameIn('r')} as "feeCentavos",
      b.name as "buyerName", coalesce(p.product_name, l.product_name) as "productName",
      p.id as "purchaseId", s.name as "takenBy", h.name as branch
    from (
      ${linesOf(of, { amount: sql`r.amount_centavos`, withdrawn: sql`0`, at: PAID_AT, from: collectedOnce(merchantId) })}
      union all
      ${linesOf(of, { amount: sql`0`, withdrawn: sql`r.withdrawn_centavos`, at: sql`e.occurred_at`, from: withdrawnLater(merchantId) })}
      order by at desc, id desc limit ${limit}
    ) r left join buyers b on b.id = r.buyer_id ${meantFor('r')}
      left join branches h on h.id = r.branch_id
      left join staff_positions t on t.id = r.position_id left join staff s on s.id = t.staff_id
    order by r.at desc, r.id desc`.execute(db);
  return rows;
}

/** The newest lines of one kind. */
function linesOf(
  { from: first, to: last, after, branchIds, method, limit }: TakingsOf,
  of: Readonly<Record<'amount' | 'withdrawn' | 'at' | 'from', RawBuilder<unknown>>>,
) {
  const taken = sql`collected_by_method(r.channel, o.method)`;
  return sql`(
    select r.id, r.folio, r.buyer_id, r.channel, r.source_id, ${of.at} as at, ${taken} as method,
      ${of.amount} as "amountCentavos", ${of.withdrawn} as "withdrawnCentavos", o.branch_id, o.position_id
    from ${of.from} and ${of.at} >= ${startOf(first)} and ${of.at} < ${startOf(last, 1)}
      and ${after === undefined ? sql`true` : isAfter(of.at, after)}
      and ${branchIds === undefined ? sql`true` : sql`o.branch_id = any (${branchIds}::bigint[])`}
      and ${method === undefined ? sql`true` : sql`${taken} = ${method}`}
    order by ${of.at} desc, r.id desc limit ${limit})`;
}

/** The moment by itself leads through the index. */
function isAfter(at: RawBuilder<unknown>, { id, isWithdrawn }: TakingCursor) {
  const its = isWithdrawn
    ? sql`(select max(v.occurred_at) from receipts c join ledger_events v on v.kind = c.channel || '_reversal' and v.source_id = c.source_id
        where c.id = ${id})`
    : sql`(select coalesce(paid_at, received_at) from receipts where id = ${id})`;
  return sql`${at} <= ${its} and (${at}, r.id) < (${its}, ${id})`;
}

/** What a shop collected on a day, and what of earlier days was taken back on it. */
export interface DayTaken {
  readonly day: DateOnly;
  readonly amountCentavos: Centavos;
  readonly withdrawnCentavos: Centavos;
  readonly count: number;
}

/** The same by day, from the sums that are kept; days without any are left out. */
export async function sumTakings(db: Db, of: Omit<TakingsOf, 'after' | 'limit'>): Promise<DayTaken[]> {
  const { rows } = await sql<DayTaken>`
    select day, sum(amount)::bigint as "amountCentavos", sum(withdrawn)::bigint as "withdrawnCentavos", sum(items)::bigint as count
    from ${collectedIn(of.merchantId, sql`${of.from}::date`, sql`${of.to}::date`)}
    where ${within(of)} and ${of.method === undefined ? sql`true` : sql`method = ${of.method}`}
    group by day having ${IS_ANY} order by day desc`.execute(db);
  return rows;
}

/** Money that a shop owes at its till. */
export interface OwedRefundRow {
  readonly id: number;
  readonly since: Date;
  readonly amountCentavos: Centavos;
  readonly folio: string;
  readonly buyerName: string | null;
  /** Whose money it is, where somebody helped to pay. */
  readonly payerName: string | null;
  /** Of the card that the shop's own terminal took, and gives it back to. */
  readonly last4: string | null;
  /** Its money may have gone back another way: it is not to be handed over. */
  readonly isTakenBack: boolean;
  readonly productName: string | null;
  readonly purchaseId: number | null;
}

/** Money that waits for its buyer, the oldest first. */
export async function listOwedRefunds(db: Db, merchantId: number, limit: number): Promise<OwedRefundRow[]> {
  const { rows } = await sql<OwedRefundRow>`
    select f.id, f.created_at as since, f.amount_centavos as "amountCentavos", r.folio, b.name as "buyerName",
      ${payerOf('r')} as "payerName", ${terminalLast4('f', 'r')} as last4,
      ${takenBack('r')} as "isTakenBack", coalesce(p.product_name, l.product_name) as "productName", p.id as "purchaseId"
    from refunds f join receipts r on r.id = f.receipt_id left join buyers b on b.id = r.buyer_id ${meantFor('r', sql`f.purchase_id`)}
    where f.method = 'cash' and f.state = 'owed' and r.merchant_id = ${merchantId}
    order by f.id limit ${limit}`.execute(db);
  return rows;
}
