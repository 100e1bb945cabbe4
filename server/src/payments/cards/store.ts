import type { Centavos } from '@aparta/domain/money';
import { type SqlBool, sql } from 'kysely';
import { gathered } from '../../platform/db/batch.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { ReturnReason } from '../../platform/db/tables.ts';
import { inOrder, lockRows } from '../../platform/db/rows.ts';
import { pipeline } from '../../platform/db/transaction.ts';
import { ipPrefixOf } from '../../platform/limiter.ts';
import { moveState, recordBirth } from '../../platform/lifecycle.ts';
import { ATTEMPT, type AttemptEvent, type AttemptState } from './attempt.ts';

/** A card attempt: one try to pay one reference. */
export interface Attempt {
  readonly id: string;
  readonly buyerId: number | null;
  readonly merchantId: number;
  readonly credentialId: string;
  readonly referenceId: number | null;
  readonly intentId: string | null;
  readonly intentHash: Buffer | null;
  readonly state: AttemptState;
  readonly principalCentavos: Centavos;
  readonly feeCentavos: Centavos;
  readonly capturedCentavos: Centavos;
  readonly refundedCentavos: Centavos;
  readonly webhookNonce: string;
  readonly providerPaymentId: string | null;
  readonly threeDsUrl: string | null;
  readonly detailCode: string | null;
  readonly returnReason: ReturnReason | null;
  readonly cardType: string | null;
  readonly cardLast4: string | null;
  readonly requestId: string;
  /** The link by which a helper pays, with who they said they are; null for the buyer's own. */
  readonly helpLinkId: string | null;
  readonly payerName: string | null;
  readonly payerEmail: string | null;
  /** It pays several purchases (parts-store.ts); `referenceId` is of the first. */
  readonly ofSeveral: boolean;
  readonly polls: number;
  readonly notFoundCount: number;
  readonly createdAt: Date;
  readonly stateSince: Date;
  /** The database's time when it was read. */
  readonly now: Date;
}

/** Attempts as they are read. */
export function attempts(db: Db | Tx) {
  return db
    .selectFrom('card_attempts')
    .select([
      'id',
      'buyer_id as buyerId',
      'merchant_id as merchantId',
      'credential_id as credentialId',
      'reference_id as referenceId',
      'intent_id as intentId',
      'intent_hash as intentHash',
      'state',
      'principal_centavos as principalCentavos',
      'fee_centavos as feeCentavos',
      'captured_centavos as capturedCentavos',
      'refunded_centavos as refundedCentavos',
      'webhook_nonce as webhookNonce',
      'provider_payment_id as providerPaymentId',
      'three_ds_url as threeDsUrl',
      'detail_code as detailCode',
      'return_reason as returnReason',
      'card_type as cardType',
      'card_last4 as cardLast4',
      'request_id as requestId',
      'help_link_id as helpLinkId',
      'payer_name as payerName',
      'payer_email as payerEmail',
      'of_several as ofSeveral',
      'polls',
      'not_found_count as notFoundCount',
      'created_at as createdAt',
      'state_since as stateSince',
      sql<Date>`app_now()`.as('now'),
    ]);
}

export async function findAttempt(db: Db | Tx, id: string): Promise<Attempt | undefined> {
  return attempts(db).where('id', '=', id).executeTakeFirst();
}

/** {@link findAttempt}, by one statement for all results of a batch. */
export const readAttempt = gathered<string, Attempt | undefined>({
  async many(tx, ids) {
    const found = await attempts(tx)
      .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
      .execute();
    return inOrder(ids, found, found);
  },
});

/** By the id that the buyer's browser gave it. */
export async function findAttemptByIntent(
  db: Db | Tx,
  buyerId: number,
  intentId: string,
): Promise<Attempt | undefined> {
  return attempts(db).where('buyer_id', '=', buyerId).where('intent_id', '=', intentId).executeTakeFirst();
}

/** By the provider's payment id, within one merchant; with `buyerId`, only if it is that buyer's own. */
export async function findAttemptByPayment(
  db: Db | Tx,
  where: { merchantId: number; paymentId: string; buyerId?: number },
): Promise<Attempt | undefined> {
  const { merchantId, paymentId, buyerId } = where;
  const query = attempts(db)
    .where('merchant_id', '=', merchantId)
    .where('provider_payment_id', '=', paymentId);
  return (buyerId === undefined ? query : query.where('buyer_id', '=', buyerId)).executeTakeFirst();
}

/** Locks an attempt (rules/ledger#lock-order, level 2) and reads it. The caller holds its head's lock. */
export const lockAttempt = gathered<string, Attempt | undefined>({
  async many(tx, ids, locking) {
    const read = attempts(tx).where(sql<SqlBool>`id = any(${ids})`);
    const lock = lockRows(tx, 'card_attempts', ids, locking);
    const [locked, found] = await pipeline(tx, lock, read.compile());
    return inOrder(ids, found, locked);
  },
});

export interface NewAttempt {
  readonly buyerId: number | null;
  readonly merchantId: number;
  readonly credentialId: string;
  readonly referenceId: number | null;
  readonly intentId: string | null;
  readonly intentHash: Buffer | null;
  readonly state: AttemptState;
  readonly principalCentavos: Centavos;
  readonly feeCentavos: Centavos;
  readonly capturedCentavos?: Centavos;
  readonly providerPaymentId?: string;
  readonly detailCode?: string;
  readonly sourceAddress: string;
  readonly requestId: string;
  readonly ofSeveral?: boolean;
  readonly payer?: Pick<Attempt, 'helpLinkId' | 'payerName' | 'payerEmail'>;
}

/** Throws on `card_attempts_one_own_open_per_reference`, `card_attempts_one_own_open_per_purchase`, `card_attempts_intent_once`, `card_attempts_provider_payment_once`. */
export async function insertAttempt(
  tx: Tx,
  attempt: NewAttempt,
): Promise<{ id: string; webhookNonce: string; createdAt: Date }> {
  const born = await tx
    .insertInto('card_attempts')
    .values({
      buyer_id: attempt.buyerId,
      merchant_id: attempt.merchantId,
      credential_id: attempt.credentialId,
      reference_id: attempt.referenceId,
      intent_id: attempt.intentId,
      intent_hash: attempt.intentHash,
      state: attempt.state,
      principal_centavos: attempt.principalCentavos,
      fee_centavos: attempt.feeCentavos,
      ...(attempt.capturedCentavos === undefined ? {} : { captured_centavos: attempt.capturedCentavos }),
      provider_payment_id: attempt.providerPaymentId ?? null,
      three_ds_url: null,
      detail_code: attempt.detailCode ?? null,
      card_type: null,
      card_brand: null,
      card_last4: null,
      card_fingerprint: null,
      provider_receipt: null,
      source_address: attempt.sourceAddress,
      source_ip_prefix: ipPrefixOf(attempt.sourceAddress),
      request_id: attempt.requestId,
      polled_at: null,
      // A trigger writes it.
      purchase_id: null,
      of_several: attempt.ofSeveral ?? false,
      help_link_id: attempt.payer?.helpLinkId ?? null,
      payer_name: attempt.payer?.payerName ?? null,
      payer_email: attempt.payer?.payerEmail ?? null,
    })
    .returning(['id', 'webhook_nonce as webhookNonce', 'created_at as createdAt'])
    .executeTakeFirstOrThrow();
  await recordBirth(tx, ATTEMPT, {
    id: born.id,
    state: attempt.state,
    ...(attempt.detailCode !== undefined && { detail: attempt.detailCode }),
  });
  return born;
}

/** What an observation may change of an attempt. What is undefined stays as it is. */
export interface AttemptChange {
  readonly state: AttemptState;
  readonly capturedCentavos?: Centavos;
  readonly refundedCentavos?: Centavos;
  readonly providerPaymentId?: string;
  readonly threeDsUrl?: string | null;
  readonly detailCode?: string;
  readonly returnReason?: ReturnReason;
  readonly cardType?: string | undefined;
  readonly cardBrand?: string | undefined;
  readonly cardLast4?: string | undefined;
  readonly cardFingerprint?: Buffer | undefined;
  readonly providerReceipt?: string | undefined;
  readonly polls: number;
  readonly notFoundCount: number;
}

/**
 * Writes what an event changed of an attempt, whose lock the caller holds. Throws where the attempt's table has no move by this
 * event from the state that was read to the new one.
 */
export async function updateAttempt(
  tx: Tx,
  before: Attempt,
  event: AttemptEvent,
  change: AttemptChange,
): Promise<void> {
  const columns = {
    polls: change.polls,
    not_found_count: change.notFoundCount,
    captured_centavos: change.capturedCentavos,
    refunded_centavos: change.refundedCentavos,
    provider_payment_id: change.providerPaymentId,
    three_ds_url: change.threeDsUrl,
    detail_code: change.detailCode,
    return_reason: change.returnReason,
    card_type: change.cardType,
    card_brand: change.cardBrand,
    card_last4: change.cardLast4,
    card_fingerprint: change.cardFingerprint,
    provider_receipt: change.providerReceipt,
  };
  if (change.state === before.state) {
    await tx.updateTable('card_attempts').set(columns).where('id', '=', before.id).execute();
    return;
  }
  const set = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  const moved = await moveState(tx, ATTEMPT, {
    event,
    to: change.state,
    where: sql`id = ${before.id}`,
    set,
  });
  if (moved.length === 0) throw new Error(`attempt ${before.id} is no longer ${before.state}`);
}

/** Claims the next poll: browsers, notices and jobs together reach the provider at most once per `coalesceMs`. */
export async function claimPoll(db: Db, id: string, coalesceMs: number): Promise<boolean> {
  const claimed = await db
    .updateTable('card_attempts')
    .set({ polled_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where(
      sql<SqlBool>`(polled_at is null or polled_at < clock_timestamp() - ${`${coalesceMs} milliseconds`}::interval)`,
    )
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Claims a due recheck until tomorrow. If it fails or gets no answer, tomorrow's run picks it up. */
export async function claimRecheck(db: Db, id: string): Promise<boolean> {
  const claimed = await db
    .updateTable('card_attempts')
    .set({ recheck_at: sql<Date>`app_now() + interval '1 day'` })
    .where('id', '=', id)
    .where('recheck_at', '<=', sql<Date>`app_now()`)
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Schedules the next recheck of a payment that was just read, or ends its rechecks. */
export async function markRechecked(
  db: Db,
  id: string,
  next: 'within the week' | 'not again',
): Promise<void> {
  await db
    .updateTable('card_attempts')
    .set({ recheck_at: next === 'not again' ? null : sql<Date>`app_now() + interval '6 days'` })
    .where('id', '=', id)
    .execute();
}

/** Adds to an attempt's refunded sum; a constraint refuses more than was captured. */
export async function addRefunded(tx: Tx, attemptId: string, amount: Centavos): Promise<void> {
  await tx
    .updateTable('card_attempts')
    .set({ refunded_centavos: sql<Centavos>`refunded_centavos + ${amount}` })
    .where('id', '=', attemptId)
    .execute();
}
