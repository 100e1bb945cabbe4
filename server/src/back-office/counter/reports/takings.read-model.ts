import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import type { CounterMethod } from '@aparta/domain/shop-lists';
import { sql } from 'kysely';

import { meantFor } from '../../../ledger/receipts/meant-for.read-model.ts';
import { payerOf } from '../../../ledger/receipts/payer-at-store.read-model.ts';
import { terminalLast4 } from '../../../ledger/refunds/terminal.read-model.ts';
import { serviceFeeIn } from '../../../ledger/receipts/service-fee.read-model.ts';
import type { Db } from '../../../platform/db/db.ts';
import { type Counted, sumsOf, within } from './today.read-model.ts';

/** Money that a shop collected, as a line of a list. */
export interface TakingRow {
  readonly id: number;
  readonly folio: string;
  readonly at: Date;
  readonly method: CounterMethod;
  /** What stands of it. */
  readonly amountCentavos: Centavos;
  /** The service fee in it. */
  readonly feeCentavos: Centavos;
  readonly buyerName: string | null;
  readonly productName: string | null;
  readonly purchaseId: number | null;
  readonly takenBy: string | null;
  readonly branch: string | null;
}

export interface TakingsOf extends Counted {
  readonly from: DateOnly;
  readonly to: DateOnly;
  readonly method?: CounterMethod | undefined;
  /** Only those that follow this one. */
  readonly after?: number | undefined;
  readonly limit: number;
}

const startOf = (day: DateOnly, days = 0) =>
  sql`((${day}::date + ${sql.lit(days)})::timestamp at time zone 'America/Mexico_City')`;

/** What a shop collected in some days, the newest first, without what was taken back. A page reads no more than itself. */
export async function listTakings(db: Db, of: TakingsOf): Promise<TakingRow[]> {
  const { rows } = await sql<TakingRow>`
    select r.id, r.folio, r.at, r.method, r."amountCentavos",
      ${serviceFeeIn('r')} as "feeCentavos",
      b.name as "buyerName", coalesce(p.product_name, l.product_name) as "productName",
      p.id as "purchaseId", s.name as "takenBy", h.name as branch
    from (
      select r.id, r.folio, r.buyer_id, r.channel, r.source_id, coalesce(r.paid_at, r.received_at) as at, collected_by_method(r.channel, o.method) as method,
        r.amount_centavos - r.withdrawn_centavos as "amountCentavos", o.branch_id, o.position_id
      from receipts r left join counter_operations o on r.channel = 'till' and o.till_operation_id::text = r.source_id
      where r.merchant_id = ${of.merchantId} and r.withdrawn_centavos < r.amount_centavos
        and coalesce(r.paid_at, r.received_at) >= ${startOf(of.from)} and coalesce(r.paid_at, r.received_at) < ${startOf(of.to, 1)}
        and ${of.after === undefined ? sql`true` : afterOf(of.after)}
        and ${of.branchIds === undefined ? sql`true` : sql`o.branch_id = any (${of.branchIds}::bigint[])`}
        and ${of.method === undefined ? sql`true` : sql`collected_by_method(r.channel, o.method) = ${of.method}`}
      order by coalesce(r.paid_at, r.received_at) desc, r.id desc limit ${of.limit}
    ) r left join buyers b on b.id = r.buyer_id ${meantFor('r')}
      left join branches h on h.id = r.branch_id
      left join staff_positions t on t.id = r.position_id left join staff s on s.id = t.staff_id
    order by r.at desc, r.id desc`.execute(db);
  return rows;
}

const afterOf = (id: number) =>
  sql`(coalesce(r.paid_at, r.received_at), r.id) < (select coalesce(paid_at, received_at), id from receipts where id = ${id})`;

/** What a shop collected on a day. */
export interface DayTaken {
  readonly day: DateOnly;
  readonly amountCentavos: Centavos;
  readonly count: number;
}

/** The same by day, from the sums that are kept; days without any are left out. */
export async function sumTakings(db: Db, of: Omit<TakingsOf, 'after' | 'limit'>): Promise<DayTaken[]> {
  const { rows } = await sql<DayTaken>`
    select day, sum(amount)::bigint as "amountCentavos", sum(items)::bigint as count
    from ${sumsOf(of.merchantId, 'collected', sql`day between ${of.from} and ${of.to}`)}
    where ${within(of)} and ${of.method === undefined ? sql`true` : sql`method = ${of.method}`}
    group by day having sum(items) <> 0 order by day desc`.execute(db);
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
  readonly productName: string | null;
  readonly purchaseId: number | null;
}

/** Money that waits for its buyer, the oldest first. */
export async function listOwedRefunds(db: Db, merchantId: number, limit: number): Promise<OwedRefundRow[]> {
  const { rows } = await sql<OwedRefundRow>`
    select f.id, f.created_at as since, f.amount_centavos as "amountCentavos", r.folio, b.name as "buyerName",
      ${payerOf('r')} as "payerName", ${terminalLast4('f', 'r')} as last4, coalesce(p.product_name, l.product_name) as "productName", p.id as "purchaseId"
    from refunds f join receipts r on r.id = f.receipt_id left join buyers b on b.id = r.buyer_id ${meantFor('r', sql`f.purchase_id`)}
    where f.method = 'cash' and f.state = 'owed' and r.merchant_id = ${merchantId}
    order by f.id limit ${limit}`.execute(db);
  return rows;
}
