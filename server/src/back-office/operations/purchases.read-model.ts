import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';

import { assignedTo } from '../../ledger/refunds/assigned.read-model.ts';
import { takenBack } from '../../ledger/refunds/taken-back.read-model.ts';
import { terminalLast4 } from '../../ledger/refunds/terminal.read-model.ts';
import type { Db } from '../../platform/db/db.ts';
import { TODAY } from '../../platform/db/mexico-city.ts';
import type { RefundCause, RefundMethod, RefundState, ReceiptChannel } from '../../platform/db/tables.ts';
import type { AttemptState } from '../../payments/cards/attempt.ts';
import { findPurchase, type PurchaseRow } from '../../purchases/overview/read-model.ts';
import { payerOf } from '../../ledger/receipts/payer-at-store.read-model.ts';
import { serviceFeeIn } from '../../ledger/receipts/service-fee.read-model.ts';
import { isInMonth } from './months.ts';

/** As an operator asks for them: `late` is active too. */
export const PURCHASE_STANDINGS = ['active', 'late', 'paid-off', 'delivered', 'cancelled'] as const;
export type PurchaseStanding = (typeof PURCHASE_STANDINGS)[number];

export interface ListedPurchase {
  readonly id: number;
  readonly madeAt: Date;
  readonly merchantId: number;
  readonly merchant: string;
  readonly buyerEmail: string;
  readonly product: string;
  readonly priceCentavos: Centavos;
  readonly paidCentavos: Centavos;
  /** What is left to pay; 0 of a cancelled one. */
  readonly balanceCentavos: Centavos;
  readonly paidInstalments: number;
  readonly instalments: number;
  readonly standing: PurchaseStanding;
  /** The next due date; null when nothing is left to pay. */
  readonly nextDueOn: DateOnly | null;
  /** The branch that keeps a unit for it. */
  readonly keptIn: string | null;
  readonly handedOverAt: Date | null;
  readonly handedOverBy: string | null;
}

/** Purchases, the newest first, and how many there are; their month is that of the deposit. */
export async function listPurchases(
  db: Db,
  given: {
    merchantId?: number | undefined;
    buyerId?: number | undefined;
    month?: DateOnly | undefined;
    standing?: PurchaseStanding | undefined;
    /** All when absent. */
    limit?: number | undefined;
  },
): Promise<{ purchases: ListedPurchase[]; total: number }> {
  const { merchantId, buyerId, month, standing, limit } = given;
  const { rows } = await sql<ListedPurchase & { total: number }>`
    select *, count(*) over () as total from (
      select p.id, p.created_at as "madeAt", m.id as "merchantId", m.trade_name as merchant, b.email as "buyerEmail",
        p.product_name as product, p.price_centavos as "priceCentavos", p.paid_centavos as "paidCentavos",
        case p.state when 'active' then p.price_centavos - p.paid_centavos else 0 end as "balanceCentavos",
        plan.paid as "paidInstalments", plan.all as instalments,
        case when p.state <> 'active' then p.state when p.paid_centavos = p.price_centavos then 'paid-off'
          when p.next_due_on < ${TODAY} then 'late' else 'active' end as standing,
        p.next_due_on as "nextDueOn", w.name as "keptIn", o.created_at as "handedOverAt", s.name as "handedOverBy"
      from purchases p join merchants m on m.id = p.merchant_id join buyers b on b.id = p.buyer_id
        left join holds h on h.layaway_reference_id = p.layaway_reference_id and h.state = 'held'
        left join branches w on w.id = h.branch_id left join hand_overs o on o.purchase_id = p.id
        left join staff_positions t on t.id = o.position_id left join staff s on s.id = t.staff_id
        cross join lateral (select count(*) as all, count(*) filter (where paid_centavos = amount_centavos) as paid
          from instalments where purchase_id = p.id) plan
      where ${isInMonth(sql`p.created_at`, month)} ${merchantId === undefined ? sql`` : sql`and m.id = ${merchantId}`}
        ${buyerId === undefined ? sql`` : sql`and b.id = ${buyerId}`}
    ) purchase ${standing === undefined ? sql`` : sql`where standing = ${standing}`}
    order by id desc limit ${limit ?? null}`.execute(db);
  return {
    purchases: rows.map(({ total: _total, ...purchase }) => purchase),
    total: rows[0]?.total ?? 0,
  };
}

/** Money that came for a purchase, applied to it or not. */
export interface PurchaseReceipt {
  readonly folio: string;
  readonly channel: ReceiptChannel;
  readonly paidAt: Date;
  readonly bookedAt: Date;
  readonly amountCentavos: Centavos;
  readonly feeCentavos: Centavos;
  /** The numbers of the instalments that it paid of; none where it was not applied, or taken back. */
  readonly instalments: readonly number[];
  /** What the till or store took back. */
  readonly withdrawnCentavos: Centavos;
  /** The number that the provider knows it by: Clip's payment, the till's chain, branch and operation, Tapi's operation. */
  readonly providerId: string;
  /** Clip's receipt, or the till's authorisation. */
  readonly providerReceipt: string;
}
export interface PurchaseAttempt {
  readonly id: string;
  readonly at: Date;
  readonly amountCentavos: Centavos;
  readonly state: AttemptState;
  readonly providerId: string;
  readonly last4: string;
  readonly detail: string;
}
export interface PurchaseRefund {
  readonly id: number;
  readonly folio: string;
  readonly method: RefundMethod;
  readonly cause: RefundCause;
  readonly state: RefundState;
  readonly amountCentavos: Centavos;
  readonly providerId: string;
  /** Of the card to which the shop's own terminal gives it back. */
  readonly last4: string | null;
  /** Its money may have gone back another way: it is not to be handed over. */
  readonly isTakenBack: boolean;
  /** Whose money it is, where somebody helped to pay. */
  readonly payerName: string | null;
  readonly at: Date;
  readonly doneAt: Date | null;
}
export interface PurchaseCashReference {
  readonly reference: string;
  readonly number: number;
  readonly amountCentavos: Centavos;
  readonly state: string;
  readonly until: Date;
}

/** All that stands about a purchase, whosever it is. */
export interface WholePurchase {
  readonly purchase: PurchaseRow;
  readonly receipts: readonly PurchaseReceipt[];
  readonly attempts: readonly PurchaseAttempt[];
  readonly refunds: readonly PurchaseRefund[];
  readonly cashReferences: readonly PurchaseCashReference[];
}

/** Undefined when there is no such purchase. */
export async function findWholePurchase(db: Db, id: number): Promise<WholePurchase | undefined> {
  const owner = await db.selectFrom('purchases').select('buyer_id').where('id', '=', id).executeTakeFirst();
  const purchase = owner && (await findPurchase(db, owner.buyer_id, id));
  if (purchase === undefined) return undefined;
  const payable = sql`(select layaway_reference_id from purchases where id = ${id} union select i.id from instalments i where i.purchase_id = ${id})`;
  const several = sql`(select attempt_id from card_attempt_parts where purchase_id = ${id})`;
  const attempt = sql`select a.id::text from card_attempts a where a.reference_id in ${payable} or a.id in ${several}`;
  // By what it paid: a till may say a number as it is printed, in groups.
  const operation = sql`select s.source_id from receipts s join allocations a on a.receipt_id = s.id join instalments i on i.id = a.instalment_id
    where s.channel = 'till' and i.purchase_id = ${id}`;
  const notice = sql`select n.operation_id from cash_notices n join cash_references c on c.id = n.cash_reference_id where (c.purchase_id = ${id} or c.layaway_reference_id = (select layaway_reference_id from purchases where id = ${id}))
    union select s.source_id from receipts s join allocations a on a.receipt_id = s.id join instalments i on i.id = a.instalment_id
      where s.channel = 'cash' and i.purchase_id = ${id}
    union ${assignedTo(sql`(select layaway_reference_id from purchases where id = ${id})`)}`;
  const mine = sql`(r.channel, r.source_id) in (select 'card', id from (${attempt}) x (id) union all select 'till', id from (${operation}) x (id)
    union all select 'cash', id from (${notice}) x (id))`;
  const [receipts, attempts, refunds, cashReferences] = await Promise.all([
    sql<PurchaseReceipt>`
      select r.folio, r.channel, coalesce(r.paid_at, r.received_at) as "paidAt", r.received_at as "bookedAt",
        (r.amount_centavos - shared.others - shared.fee)::bigint as "amountCentavos", r.withdrawn_centavos as "withdrawnCentavos",
        (${serviceFeeIn('r')} - shared.fee)::bigint as "feeCentavos",
        coalesce((select json_agg(distinct i.number order by i.number) from allocations a join instalments i on i.id = a.instalment_id
          where a.receipt_id = r.id and i.purchase_id = ${id} and a.reverses_id is null
            and not exists (select from allocations u where u.reverses_id = a.id)), '[]') as instalments,
        coalesce(c.provider_payment_id, o.chain || ' ' || o.branch || ' ' || o.transaction_id, r.source_id) as "providerId",
        coalesce(c.provider_receipt, o.authorisation, '') as "providerReceipt"
      from receipts r
        left join card_attempts c on c.id = case when r.channel = 'card' then r.source_id::uuid end
        left join till_operations o on o.id = case when r.channel = 'till' then r.source_id::uuid end
        -- Of a payment of several purchases: what went to others, and its one fee, which stands with the first of them.
        cross join lateral (
          select coalesce(sum(a.amount_centavos) filter (where i.purchase_id <> ${id}), 0) as others,
            case when min(i.purchase_id) < ${id} then coalesce(sum(a.amount_centavos) filter (where a.target = 'service_fee'), 0) else 0 end as fee
          from allocations a left join instalments i on i.id = a.instalment_id where a.receipt_id = r.id
        ) shared
      where ${mine} order by r.id`.execute(db),
    sql<PurchaseAttempt>`
      select id, created_at as at, principal_centavos + fee_centavos as "amountCentavos", state,
        coalesce(provider_payment_id, '') as "providerId", coalesce(card_last4, '') as last4, coalesce(detail_code, '') as detail
      from card_attempts where reference_id in ${payable} or id in ${several} order by created_at`.execute(
      db,
    ),
    sql<PurchaseRefund>`
      select f.id, r.folio, f.method, f.cause, f.state, f.amount_centavos as "amountCentavos",
        coalesce(f.provider_refund_id, '') as "providerId", f.created_at as at, f.done_at as "doneAt",
        ${terminalLast4('f', 'r')} as last4, ${takenBack('r')} as "isTakenBack", ${payerOf('r')} as "payerName"
      from refunds f join receipts r on r.id = f.receipt_id
      where ${mine} and coalesce(f.purchase_id, ${id}) = ${id} order by f.id`.execute(db),
    sql<PurchaseCashReference>`
      select coalesce(c.provider_reference, '') as reference, coalesce(i.number, 1) as number, c.amount_centavos as "amountCentavos", c.state,
        upper(c.valid) as until
      from cash_references c left join instalments i on i.id = c.instalment_id where (c.purchase_id = ${id} or c.layaway_reference_id = (select layaway_reference_id from purchases where id = ${id})) order by c.created_at`.execute(
      db,
    ),
  ]);
  return {
    purchase,
    receipts: receipts.rows,
    attempts: attempts.rows,
    refunds: refunds.rows,
    cashReferences: cashReferences.rows,
  };
}
