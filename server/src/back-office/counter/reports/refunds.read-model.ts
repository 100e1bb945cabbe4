import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { type RawBuilder, sql } from 'kysely';

import { meantFor } from '../../../ledger/receipts/meant-for.read-model.ts';
import { payerOf } from '../../../ledger/receipts/payer-at-store.read-model.ts';
import { takenBack } from '../../../ledger/refunds/taken-back.read-model.ts';
import { terminalLast4 } from '../../../ledger/refunds/terminal.read-model.ts';
import type { Db } from '../../../platform/db/db.ts';
import { startOf } from '../../../platform/db/mexico-city.ts';
import type {
  Collector,
  EndedBy,
  RefundCause,
  RefundMethod,
  RefundState,
} from '../../../platform/db/tables.ts';
import type { Counted, Figure } from './today.read-model.ts';

/** Money that a shop gave back, or is to, as a line of a list. */
export interface RefundRow {
  readonly id: number;
  /** When it was done; of one that is not, since when it is owed. */
  readonly at: Date;
  readonly owedAt: Date;
  /** Of the payment that it gives back. */
  readonly folio: string;
  readonly method: RefundMethod;
  /** Of the card to which the shop gives it back on its own terminal. */
  readonly last4: string | null;
  readonly state: Exclude<RefundState, 'moved_to_cash'>;
  /** Still owed of money that the store network took back, which a person is to look at first. */
  readonly storeReversed: boolean;
  readonly cause: RefundCause;
  /** Of what the end of a purchase gives back, who ended it. */
  readonly endedBy: EndedBy | null;
  readonly amountCentavos: Centavos;
  readonly buyerName: string | null;
  /** Whose money it is, where somebody helped to pay. */
  readonly payerName: string | null;
  readonly productName: string | null;
  readonly purchaseId: number | null;
  /** Who handed it over in cash. */
  readonly paidBy: Collector | null;
  /** By name, and where, out of a drawer. */
  readonly handedOverBy: string | null;
  readonly branch: string | null;
}

export interface RefundsOf extends Counted {
  readonly from: DateOnly;
  readonly to: DateOnly;
}

/**
 * Refunds of a merchant that are done, each by the event that did it, in whose transaction and so at whose moment it was done: the
 * books know it by its merchant. What a payment lost externally has no event of its own.
 */
const doneOf = (merchantId: number) => sql`
  ledger_events e cross join lateral (
    select f.* from refunds f where f.done_at = e.occurred_at
      and f.id = case when e.kind in ('card_refund', 'cash_refund') then split_part(e.source_id, ':', 1)::bigint end
    union all
    select f.* from receipts c join refunds f on f.receipt_id = c.id and f.done_at = e.occurred_at and (f.cause = 'external' or f.method = 'cash')
    where c.merchant_id = e.merchant_id and c.channel in ('card', 'cash') and c.source_id = case
      when e.kind = 'external_refund' then regexp_replace(e.source_id, ':[0-9]+$', '')
      when e.kind in ('card_reversal', 'cash_reversal') then e.source_id end
    offset 0
  ) f
  where e.merchant_id = ${merchantId}
    and e.kind in ('card_refund', 'cash_refund', 'external_refund', 'card_reversal', 'cash_reversal')`;

/** Those that are not done. What moved to cash goes on as another. */
const openOf = (merchantId: number) => sql`
  refunds f join receipts c on c.id = f.receipt_id
  where c.merchant_id = ${merchantId} and f.state in ('owed', 'sending', 'unknown', 'blocked')`;

/** What a shop gave back in some days, and what it owed since one of them and still does, the newest first. */
export async function listRefunds(
  db: Db,
  of: RefundsOf & { readonly after?: number | undefined; readonly limit: number },
): Promise<RefundRow[]> {
  const { after, limit } = of;
  const page = (lines: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql`(
    select f.id, ${at} as at from ${lines} and ${after === undefined ? sql`true` : isAfter(at, after)}
    order by ${at} desc, f.id desc limit ${limit})`;
  const { rows } = await sql<RefundRow>`
    select f.id, line.at, f.created_at as "owedAt", r.folio, f.method, ${terminalLast4('f', 'r')} as last4, f.state,
      f.state <> 'done' and ${takenBack('r')} as "storeReversed", f.cause,
      case when f.cause = 'cancel' then (select ended_by from purchases where id = p.id) end as "endedBy",
      f.amount_centavos as "amountCentavos", b.name as "buyerName", ${payerOf('r')} as "payerName",
      coalesce(p.product_name, l.product_name) as "productName", p.id as "purchaseId", f.paid_by as "paidBy",
      s.name as "handedOverBy", h.name as branch
    from (
      ${page(within(of, doneOf(of.merchantId), sql`e.occurred_at`), sql`e.occurred_at`)}
      union all
      ${page(within(of, openOf(of.merchantId), sql`f.created_at`), sql`f.created_at`)}
      order by at desc, id desc limit ${limit}
    ) line join refunds f on f.id = line.id join receipts r on r.id = f.receipt_id left join buyers b on b.id = r.buyer_id
      ${meantFor('r', sql`f.purchase_id`)}
      left join counter_refunds c on c.refund_id = f.id and c.tries = f.tries and f.state = 'done'
      left join branches h on h.id = c.branch_id
      left join staff_positions t on t.id = c.position_id left join staff s on s.id = t.staff_id
    order by line.at desc, f.id desc`.execute(db);
  return rows;
}

/** What was given back in the days, and what is owed since one of them. */
export interface RefundSums {
  readonly done: Figure;
  readonly open: Figure;
}

/** The same in sums: of refunds there are few, and each counts once. */
export async function sumRefunds(db: Db, of: RefundsOf): Promise<RefundSums> {
  const figure = (lines: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql`(
    select json_build_object('amountCentavos', coalesce(sum(f.amount_centavos), 0), 'count', count(*)) from ${within(of, lines, at)})`;
  const { rows } = await sql<RefundSums>`
    select ${figure(doneOf(of.merchantId), sql`e.occurred_at`)} as done,
      ${figure(openOf(of.merchantId), sql`f.created_at`)} as open`.execute(db);
  const [sums] = rows;
  if (sums === undefined) throw new Error('the database answered no sums');
  return sums;
}

/** Of some days. Who works in branches is told of what their counters took, and of what left their drawers. */
function within({ from, to, branchIds }: RefundsOf, lines: RawBuilder<unknown>, at: RawBuilder<unknown>) {
  const branches = sql`any (${branchIds}::bigint[])`;
  return sql`${lines} and ${at} >= ${startOf(from)} and ${at} < ${startOf(to, 1)}
    and ${
      branchIds === undefined
        ? sql`true`
        : sql`((select count(*) > 0 from receipts r join counter_operations o on o.till_operation_id::text = r.source_id
            where r.id = f.receipt_id and r.channel = 'till' and o.branch_id = ${branches})
          or (select count(*) > 0 from counter_refunds g where g.refund_id = f.id and g.tries = f.tries and f.state = 'done'
            and g.branch_id = ${branches}))`
    }`;
}

/** The moment by itself leads through the index. */
function isAfter(at: RawBuilder<unknown>, id: number) {
  const its = sql`(select coalesce(done_at, created_at) from refunds where id = ${id})`;
  return sql`${at} <= ${its} and (${at}, f.id) < (${its}, ${id})`;
}
