import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import type {
  Collector,
  ReceiptChannel,
  RefundCause,
  RefundState,
  RefundMethod,
} from '../../platform/db/tables.ts';
import { moveState, recordBirth } from '../../platform/lifecycle.ts';
import { REFUND, type RefundEvent } from './refund.ts';

export interface Refund {
  readonly id: number;
  readonly receiptId: number;
  readonly attemptId: string | null;
  /** The purchase whose end gives it back, or that cash was for; null of any other whole payment. */
  readonly purchaseId: number | null;
  readonly cause: RefundCause;
  readonly method: RefundMethod;
  readonly state: RefundState;
  readonly amountCentavos: Centavos;
  readonly refundedBefore: Centavos | null;
  readonly tries: number;
  readonly detailCode: string | null;
  readonly sentAt: Date | null;
  readonly checkedAt: Date | null;
  readonly doneAt: Date | null;
  readonly paidBy: Collector | null;
  /** The database's time when it was read. */
  readonly now: Date;
}

function refunds(db: Db | Tx) {
  return db
    .selectFrom('refunds')
    .select([
      'id',
      'receipt_id as receiptId',
      'attempt_id as attemptId',
      'purchase_id as purchaseId',
      'cause',
      'method',
      'state',
      'amount_centavos as amountCentavos',
      'refunded_before_centavos as refundedBefore',
      'tries',
      'detail_code as detailCode',
      'sent_at as sentAt',
      'checked_at as checkedAt',
      'done_at as doneAt',
      'paid_by as paidBy',
      sql<Date>`app_now()`.as('now'),
    ]);
}

/** A refund in any state; undefined when there is none of that id. */
export async function findRefund(db: Db | Tx, id: number): Promise<Refund | undefined> {
  return refunds(db).where('id', '=', id).executeTakeFirst();
}

/** Locks and reads a refund (rules/ledger#lock-order, level 4). The caller holds its attempt's lock. */
export async function lockRefund(tx: Tx, id: number): Promise<Refund | undefined> {
  return refunds(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Locks and reads an attempt's refunds (rules/ledger#lock-order, level 4), by id. The caller holds the attempt's lock. */
export async function lockRefundsOfAttempt(tx: Tx, attemptId: string): Promise<Refund[]> {
  return refunds(tx).where('attempt_id', '=', attemptId).orderBy('id').forNoKeyUpdate().execute();
}

/** Locks and reads the refunds of a receipt (rules/ledger#lock-order, level 4), by id, where no card brought it. */
export async function lockRefundsOfReceipt(tx: Tx, receiptId: number): Promise<Refund[]> {
  return refunds(tx).where('receipt_id', '=', receiptId).orderBy('id').forNoKeyUpdate().execute();
}

/** The same by what brought the receipt's money; none where it brought none. */
export async function lockRefundsOfSource(
  tx: Tx,
  channel: ReceiptChannel,
  sourceId: string,
): Promise<Refund[]> {
  return refunds(tx)
    .where('receipt_id', 'in', (eb) =>
      eb
        .selectFrom('receipts')
        .where('channel', '=', channel)
        .where('source_id', '=', sourceId)
        .select('receipts.id'),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** A merchant's card refunds that their job still brings further: neither ended nor blocked. */
export async function listOpenCardRefunds(tx: Tx, merchantId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('refunds as f')
    .innerJoin('receipts as r', 'r.id', 'f.receipt_id')
    .where('r.merchant_id', '=', merchantId)
    .where('f.method', '=', 'card')
    .where('f.state', 'in', ['owed', 'sending', 'unknown'])
    .orderBy('f.id')
    .select('f.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** What of an attempt's money the books know to be refunded, or on its way back. */
export async function sumOwnRefunds(db: Db | Tx, attemptId: string): Promise<Centavos> {
  const { total } = await db
    .selectFrom('refunds')
    .select(sql<Centavos>`coalesce(sum(amount_centavos), 0)::bigint`.as('total'))
    .where('attempt_id', '=', attemptId)
    .where(({ eb, or }) => or([eb('method', '=', 'card'), eb('provider_refund_id', 'is not', null)]))
    .where('state', 'in', ['sending', 'unknown', 'blocked', 'done'])
    .executeTakeFirstOrThrow();
  return total;
}

/** Merchant and buyer of the money that a refund gives back. */
export async function findReceiptOf(
  tx: Tx,
  refundId: number,
): Promise<{ readonly merchantId: number; readonly buyerId: number | null } | undefined> {
  return tx
    .selectFrom('refunds as f')
    .innerJoin('receipts as r', 'r.id', 'f.receipt_id')
    .where('f.id', '=', refundId)
    .select(['r.merchant_id as merchantId', 'r.buyer_id as buyerId'])
    .executeTakeFirst();
}

/** Owes money back; answers the refund's id. One per receipt, cause, method and purchase (`refunds_once_per_cause`). */
export async function oweRefund(
  tx: Tx,
  refund: {
    readonly receiptId: number;
    readonly attemptId: string | null;
    readonly purchaseId?: number | null;
    readonly layawayReferenceId?: number | null;
    readonly cause: RefundCause;
    readonly method: RefundMethod;
    readonly amountCentavos: Centavos;
  },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into refunds (receipt_id, attempt_id, purchase_id, layaway_reference_id, cause, method, state, amount_centavos)
    values (${refund.receiptId}, ${refund.attemptId}, ${refund.purchaseId ?? null}, ${refund.layawayReferenceId ?? null}, ${refund.cause},
      ${refund.method}, ${REFUND.initial}, ${refund.amountCentavos}) returning id`.execute(tx);
  const [owed] = rows;
  if (owed === undefined) throw new Error('a refund without an id');
  return owed.id;
}

/** What a move changes beside the state. */
export interface RefundChange {
  /** The provider's code, or why in our words; cut to 60 characters. */
  readonly detailCode?: string;
  readonly amountCentavos?: Centavos;
  /** It was asked for: what the provider had refunded before, and the call's key. */
  readonly sent?: { readonly refundedBefore?: Centavos; readonly idempotencyKey: string };
  /** It was read at the provider now. */
  readonly checked?: true;
  /** One more try is used up. */
  readonly tried?: true;
  /** The provider's id of the refund that was made. */
  readonly providerRefundId?: string;
  readonly handedOver?: {
    readonly paidBy: Collector;
    readonly evidence: string;
    readonly isOnTerminal: boolean;
  };
}

/** Moves a refund, whose lock the caller holds. Throws when its state does not know the event. */
export async function moveRefund(
  tx: Tx,
  id: number,
  event: RefundEvent,
  change: RefundChange = {},
): Promise<void> {
  const moved = await moveState(tx, REFUND, {
    event,
    where: sql`id = ${id}`,
    set: {
      ...(BACK_ON_CARD.has(event) ? { detail_code: null } : {}),
      ...columnsOf(change),
      ...(ENDS.has(event) ? { done_at: sql`app_now()` } : {}),
    },
  });
  if (moved.length === 0) throw new Error(`refund ${id} knows no '${event}' in its state`);
}

const ENDS: ReadonlySet<RefundEvent> = new Set([
  'refunded',
  'handed_over',
  'refunded_externally',
  'returned_by_store',
]);

/** Why it had not gone back is over with these. */
const BACK_ON_CARD: ReadonlySet<RefundEvent> = new Set(['refunded', 'refunded_externally']);

/** Notes that a refund is asked for once more, as another call. Its state stays. */
export async function resendRefund(tx: Tx, id: number, idempotencyKey: string): Promise<void> {
  await sql`update refunds set idempotency_key = ${idempotencyKey}, sent_at = app_now(), checked_at = null
    where id = ${id}`.execute(tx);
}

/** A handover bounced: the refund is owed again. Its next handover is another try, and another event in the books. */
export async function reopenCashRefund(tx: Tx, id: number): Promise<void> {
  const moved = await moveState(tx, REFUND, {
    event: 'bounced',
    where: sql`id = ${id}`,
    set: { done_at: null, paid_by: null, paid_on_terminal: false, evidence: null, tries: sql`tries + 1` },
  });
  if (moved.length === 0) throw new Error(`refund ${id} was not handed over`);
}

/** Tells nobody of a blocked refund until a moment; null: it is told of again. */
export async function quietRefund(tx: Tx, id: number, until: Date | null): Promise<void> {
  await tx.updateTable('refunds').set({ quiet_until: until }).where('id', '=', id).execute();
}

function columnsOf(change: RefundChange): Record<string, unknown> {
  const { detailCode, amountCentavos, sent, checked, tried, providerRefundId, handedOver } = change;
  return {
    ...(detailCode !== undefined && { detail_code: detailCode.slice(0, 60) }),
    ...(amountCentavos !== undefined && { amount_centavos: amountCentavos }),
    ...(sent !== undefined && {
      idempotency_key: sent.idempotencyKey,
      sent_at: sql`app_now()`,
      checked_at: null,
      ...(sent.refundedBefore !== undefined && { refunded_before_centavos: sent.refundedBefore }),
    }),
    ...(checked && { checked_at: sql`app_now()` }),
    ...(tried && { tries: sql`tries + 1` }),
    ...(providerRefundId !== undefined && { provider_refund_id: providerRefundId }),
    ...(handedOver !== undefined && {
      paid_by: handedOver.paidBy,
      evidence: handedOver.evidence,
      paid_on_terminal: handedOver.isOnTerminal,
    }),
  };
}

/** Records money that left a payment externally and was owed by no refund. One row per receipt and method, whose amount grows. */
export async function addExternalRefund(
  tx: Tx,
  external: {
    readonly receiptId: number;
    readonly attemptId: string | null;
    readonly method: RefundMethod;
    readonly amountCentavos: Centavos;
    readonly providerRefundId: string;
  },
): Promise<void> {
  const { rows } = await sql<{ id: number; isNew: boolean }>`
    insert into refunds (receipt_id, attempt_id, cause, method, state, amount_centavos, provider_refund_id, done_at)
    values (${external.receiptId}, ${external.attemptId}, 'external', ${external.method}, 'done', ${external.amountCentavos},
      ${external.providerRefundId}, app_now())
    on conflict on constraint refunds_once_per_cause do update set
      amount_centavos = refunds.amount_centavos + excluded.amount_centavos,
      provider_refund_id = excluded.provider_refund_id, done_at = excluded.done_at
    returning id, xmax = 0 as "isNew"`.execute(tx);
  for (const { id, isNew } of rows)
    if (isNew) await recordBirth(tx, REFUND, { id: String(id), state: 'done' });
}
