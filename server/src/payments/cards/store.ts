import type { Centavos } from '@aparta/domain/money';
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import { pipeline } from '../../platform/db/transaction.ts';
import { ipPrefixOf } from '../../platform/limiter.ts';
import { moveState, recordBirth } from '../../platform/lifecycle.ts';
import { ATTEMPT, type AttemptEvent, type AttemptState, OPEN_STATES } from './attempt.ts';

/** A card attempt as the engine reads it. */
export interface Attempt {
  readonly id: string;
  readonly buyerId: number | null;
  readonly merchantId: number;
  readonly credentialId: string;
  readonly referenceId: number | null;
  readonly reference: string | null;
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
  readonly cardType: string | null;
  readonly cardLast4: string | null;
  readonly requestId: string;
  readonly polls: number;
  readonly notFoundCount: number;
  readonly createdAt: Date;
  readonly stateSince: Date;
  /** The database's time when it was read. */
  readonly now: Date;
}

function attempts(db: Db | Tx) {
  return db
    .selectFrom('card_attempts as a')
    .leftJoin('payment_references as r', 'r.id', 'a.reference_id')
    .select([
      'a.id',
      'a.buyer_id as buyerId',
      'a.merchant_id as merchantId',
      'a.credential_id as credentialId',
      'a.reference_id as referenceId',
      'r.reference',
      'a.intent_id as intentId',
      'a.intent_hash as intentHash',
      'a.state',
      'a.principal_centavos as principalCentavos',
      'a.fee_centavos as feeCentavos',
      'a.captured_centavos as capturedCentavos',
      'a.refunded_centavos as refundedCentavos',
      'a.webhook_nonce as webhookNonce',
      'a.provider_payment_id as providerPaymentId',
      'a.three_ds_url as threeDsUrl',
      'a.detail_code as detailCode',
      'a.card_type as cardType',
      'a.card_last4 as cardLast4',
      'a.request_id as requestId',
      'a.polls',
      'a.not_found_count as notFoundCount',
      'a.created_at as createdAt',
      'a.state_since as stateSince',
      sql<Date>`app_now()`.as('now'),
    ]);
}

export async function findAttempt(db: Db | Tx, id: string): Promise<Attempt | undefined> {
  return attempts(db).where('a.id', '=', id).executeTakeFirst();
}

export async function findAttemptByIntent(
  db: Db | Tx,
  buyerId: number,
  intentId: string,
): Promise<Attempt | undefined> {
  return attempts(db)
    .where('a.buyer_id', '=', buyerId)
    .where('a.intent_id', '=', intentId)
    .executeTakeFirst();
}

/** By the provider's payment id, within one merchant; of a buyer only his own. */
export async function findAttemptByPayment(
  db: Db | Tx,
  where: { merchantId: number; paymentId: string; buyerId?: number },
): Promise<Attempt | undefined> {
  let query = attempts(db)
    .where('a.merchant_id', '=', where.merchantId)
    .where('a.provider_payment_id', '=', where.paymentId);
  if (where.buyerId !== undefined) query = query.where('a.buyer_id', '=', where.buyerId);
  return query.executeTakeFirst();
}

/** A buyer's attempt by the reference it pays and the provider's payment id. */
export async function findBuyersAttempt(
  db: Db,
  where: { buyerId: number; reference: string; paymentId: string },
): Promise<Attempt | undefined> {
  return attempts(db)
    .where('a.buyer_id', '=', where.buyerId)
    .where('r.reference', '=', where.reference)
    .where('a.provider_payment_id', '=', where.paymentId)
    .executeTakeFirst();
}

export async function findAttemptByNonce(db: Db, nonce: string): Promise<{ id: string } | undefined> {
  return db.selectFrom('card_attempts').select('id').where('webhook_nonce', '=', nonce).executeTakeFirst();
}

/** The newest attempt at a reference, whatever became of it. */
export async function findNewestAttempt(db: Db | Tx, referenceId: number): Promise<Attempt | undefined> {
  return attempts(db)
    .where('a.reference_id', '=', referenceId)
    .orderBy('a.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Printed numbers that a buyer could pay a merchant now and that cost just this by card, at most two of them: live layaway
 * references, and of each active purchase the oldest unpaid instalment.
 */
export async function findReferencesCosting(
  db: Db,
  where: { buyerId: number; merchantId: number; totalCentavos: Centavos },
): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`
    select r.reference from (
      select l.id, l.deposit_centavos + case when 'card' = any (l.service_fee_methods) then l.service_fee_centavos else 0 end as total
      from layaway_references l
      where l.buyer_id = ${where.buyerId} and l.merchant_id = ${where.merchantId} and l.state = 'open' and l.expires_at > app_now()
      union all
      select i.id, i.amount_centavos - i.paid_centavos + case when 'card' = any (p.service_fee_methods) then p.service_fee_centavos else 0 end
      from purchases p join lateral (
        select * from instalments where purchase_id = p.id and paid_centavos < amount_centavos order by number limit 1
      ) i on true
      where p.buyer_id = ${where.buyerId} and p.merchant_id = ${where.merchantId} and p.state = 'active'
    ) payable join payment_references r on r.id = payable.id
    where payable.total = ${where.totalCentavos} limit 2
  `.execute(db);
  return rows.map(({ reference }) => reference);
}

/**
 * The attempt that stops another one from beginning: open, or held (checked under the head's lock, rules/card-attempts#states).
 */
export async function findBlockingAttempt(tx: Tx, referenceId: number): Promise<Attempt | undefined> {
  return attempts(tx)
    .where('a.reference_id', '=', referenceId)
    .where('a.state', 'in', [...OPEN_STATES, 'held'])
    .limit(1)
    .executeTakeFirst();
}

/**
 * Whether a buyer reserved the same product by another reference after he made this one, or has a card under way for one. First it
 * waits for whoever decides about this buyer and product, and for a payment of the open reference: it would be seen too late.
 */
export async function isReservedSince(
  tx: Tx,
  { id, buyerId, productId, createdAt }: { id: number; buyerId: number; productId: number; createdAt: Date },
): Promise<boolean> {
  const [, , since] = await pipeline(
    tx,
    sql`select pg_advisory_xact_lock(hashtextextended(${`reserve ${buyerId} ${productId}`}, 0))`.compile(tx),
    tx
      .selectFrom('layaway_references')
      .select('id')
      .where('buyer_id', '=', buyerId)
      .where('product_id', '=', productId)
      .where('state', '=', 'open')
      .forNoKeyUpdate()
      .compile(),
    sql`
      select from layaway_references l
      left join purchases p on p.layaway_reference_id = l.id
      where l.buyer_id = ${buyerId} and l.product_id = ${productId} and l.id <> ${id}
        and (p.created_at > ${createdAt} or l.state = 'open' and exists (
          select from card_attempts where reference_id = l.id and state in ('submitting', 'pending_3ds', 'unknown', 'held')))
      limit 1`.compile(tx),
  );
  return since.length > 0;
}

/** Locks an attempt (rules/ledger#lock-order, level 2) and reads it. The caller holds the lock of its head already. */
export async function lockAttempt(tx: Tx, id: string): Promise<Attempt | undefined> {
  await tx.selectFrom('card_attempts').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  return findAttempt(tx, id);
}

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
}

/** Throws on `card_attempts_one_open_per_reference`, `card_attempts_intent_once`, `card_attempts_provider_payment_once`. */
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

/** What a poll may change of an attempt. The state's own clock starts again when the state changes. */
export interface AttemptChange {
  readonly state: AttemptState;
  readonly capturedCentavos?: Centavos;
  readonly refundedCentavos?: Centavos;
  readonly providerPaymentId?: string;
  readonly threeDsUrl?: string | null;
  readonly detailCode?: string;
  readonly cardType?: string | undefined;
  readonly cardBrand?: string | undefined;
  readonly cardLast4?: string | undefined;
  readonly cardFingerprint?: Buffer | undefined;
  readonly providerReceipt?: string | undefined;
  readonly polls: number;
  readonly notFoundCount: number;
}

/**
 * Writes what an event changed of an attempt, whose lock the caller holds. Throws where the attempt's table does not lead from
 * the state that was read to the new one by this event.
 */
export async function updateAttempt(
  tx: Tx,
  before: Attempt,
  event: AttemptEvent,
  { state, ...change }: AttemptChange,
): Promise<void> {
  const set = Object.fromEntries(
    Object.entries({
      polls: change.polls,
      not_found_count: change.notFoundCount,
      captured_centavos: change.capturedCentavos,
      refunded_centavos: change.refundedCentavos,
      provider_payment_id: change.providerPaymentId,
      three_ds_url: change.threeDsUrl,
      detail_code: change.detailCode,
      card_type: change.cardType,
      card_brand: change.cardBrand,
      card_last4: change.cardLast4,
      card_fingerprint: change.cardFingerprint,
      provider_receipt: change.providerReceipt,
    }).filter(([, value]) => value !== undefined),
  );
  if (state === before.state) {
    await tx.updateTable('card_attempts').set(set).where('id', '=', before.id).execute();
    return;
  }
  const moved = await moveState(tx, ATTEMPT, { event, to: state, where: sql`id = ${before.id}`, set });
  if (moved.length === 0) throw new Error(`attempt ${before.id} is no longer ${before.state}`);
}

/** Claims the next poll, so that browser, webhook and poll together ask the provider at most once per `coalesceMs`. */
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

/** A captured attempt whose provider is to be asked again whether its money is still there. */
export interface DueRecheck {
  readonly id: string;
  readonly merchantId: number;
  /** Nothing can leave it any more: it is not read again. */
  readonly isOver: boolean;
}

/**
 * Captured attempts that are due to be read again, the longest due first, each merchant's in turn. It is over when all went back,
 * half a year after a cancel (no refund is made later), and 300 days after a payment that nothing more hangs on (no dispute is
 * opened later, rules/providers#chargebacks).
 */
export async function listDueRechecks(
  db: Db,
  most: { readonly perMerchant: number; readonly inAll: number },
): Promise<DueRecheck[]> {
  const { rows } = await sql<DueRecheck>`
    select a.id, a.merchant_id as "merchantId",
      a.refunded_centavos = a.captured_centavos or not (case
        when p.state = 'cancelled' then p.cancelled_at > app_now() - interval '180 days'
        when p.paid_centavos < p.price_centavos and a.state = 'applied' then true
        else a.created_at > app_now() - interval '300 days' end) as "isOver"
    from (
      select *, row_number() over (partition by merchant_id order by recheck_at, id) as turn from card_attempts
      where state in ('applied', 'returned') and recheck_at <= app_now()
    ) a
    left join instalments i on i.id = a.reference_id
    left join purchases p on p.layaway_reference_id = a.reference_id or p.id = i.purchase_id
    where a.turn <= ${most.perMerchant} order by a.turn, a.recheck_at limit ${most.inAll}`.execute(db);
  return rows;
}

/** Claims a recheck that is due, until tomorrow: whoever dies over it, or gets no answer, leaves it to the next day. */
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

/** It was read, and is again within the week; or never any more. */
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

/** A merchant's key pair, sealed. */
export interface SealedCredential {
  readonly id: string;
  readonly merchantId: number;
  readonly publicKey: string;
  readonly secretCiphertext: Buffer;
  readonly secretKeyId: string;
  /** Since when the provider refuses to refund with it. */
  readonly refusedAt: Date | null;
}

function credentials(db: Db | Tx) {
  return db
    .selectFrom('provider_credentials')
    .where('provider', '=', 'clip')
    .select([
      'id',
      'merchant_id as merchantId',
      'public_key as publicKey',
      'secret_ciphertext as secretCiphertext',
      'secret_key_id as secretKeyId',
      'refused_at as refusedAt',
    ]);
}

/** The pair that new charges of a merchant use. */
export async function findCurrentCredential(
  db: Db | Tx,
  merchantId: number,
): Promise<SealedCredential | undefined> {
  return credentials(db)
    .where('merchant_id', '=', merchantId)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
}

/**
 * The pair to read and refund an attempt with: its own, retired or not, as long as the provider takes it, else the merchant's of
 * today. Undefined when both are refused.
 */
export async function findUsableCredential(
  db: Db | Tx,
  { merchantId, credentialId }: Pick<Attempt, 'merchantId' | 'credentialId'>,
): Promise<SealedCredential | undefined> {
  return credentials(db)
    .where('merchant_id', '=', merchantId)
    .where('refused_at', 'is', null)
    .where((eb) => eb.or([eb('id', '=', credentialId), eb('retired_at', 'is', null)]))
    .orderBy(sql`id = ${credentialId}`, 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Locks all pairs of a merchant, the retired ones too: who refuses one and who sets another see each other. */
export async function lockCredentialsOf(tx: Tx, merchantId: number): Promise<void> {
  await credentials(tx).where('merchant_id', '=', merchantId).orderBy('id').forNoKeyUpdate().execute();
}

/** The provider refuses to refund with this pair. */
export async function markCredentialRefused(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('provider_credentials')
    .set({ refused_at: sql<Date>`app_now()` })
    .where('id', '=', id)
    .where('refused_at', 'is', null)
    .execute();
}

/** Whatever was refused of a merchant's is tried again. False when his pair of today was not. */
export async function forgetRefusals(tx: Tx, merchantId: number): Promise<boolean> {
  const forgotten = await tx
    .updateTable('provider_credentials')
    .set({ refused_at: null })
    .where('merchant_id', '=', merchantId)
    .where('refused_at', 'is not', null)
    .returning('retired_at as retiredAt')
    .execute();
  return forgotten.some(({ retiredAt }) => retiredAt === null);
}

/** The pair that an attempt was made with, retired or not. */
export async function findCredential(db: Db | Tx, id: string): Promise<SealedCredential> {
  return credentials(db).where('id', '=', id).executeTakeFirstOrThrow();
}

/** Every merchant's pair of today, and the ones that were retired while the last sweep's days ran. */
export async function listSweptCredentials(db: Db): Promise<SealedCredential[]> {
  return credentials(db)
    .where((eb) =>
      eb.or([eb('retired_at', 'is', null), eb('retired_at', '>', sql<Date>`app_now() - interval '4 days'`)]),
    )
    .orderBy('merchant_id')
    .execute();
}

/** Every pair there is, locked, the retired ones too. */
export async function lockCredentials(tx: Tx): Promise<SealedCredential[]> {
  return credentials(tx).orderBy('id').forUpdate().execute();
}

export async function insertCredential(
  tx: Tx,
  pair: Omit<SealedCredential, 'id' | 'refusedAt'>,
): Promise<void> {
  await tx
    .insertInto('provider_credentials')
    .values({
      merchant_id: pair.merchantId,
      provider: 'clip',
      public_key: pair.publicKey,
      secret_ciphertext: pair.secretCiphertext,
      secret_key_id: pair.secretKeyId,
    })
    .execute();
}

export async function retireCredential(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('provider_credentials')
    .set({ retired_at: sql<Date>`app_now()` })
    .where('id', '=', id)
    .execute();
}

/** The same secret under another of our keys. */
export async function resealCredential(tx: Tx, id: string, ciphertext: Buffer, keyId: string): Promise<void> {
  await tx
    .updateTable('provider_credentials')
    .set({ secret_ciphertext: ciphertext, secret_key_id: keyId })
    .where('id', '=', id)
    .execute();
}

export interface StoredCredential {
  readonly merchant_id: number;
  readonly merchant: string;
  readonly public_key: string;
  readonly secret_key_id: string;
  readonly created_at: Date;
  readonly retired_at: Date | null;
}

/** All pairs without their secrets, by merchant, newest first. */
export async function listCredentials(db: Db): Promise<StoredCredential[]> {
  return db
    .selectFrom('provider_credentials as pair')
    .innerJoin('merchants as merchant', 'merchant.id', 'pair.merchant_id')
    .select([
      'pair.merchant_id',
      'merchant.trade_name as merchant',
      'pair.public_key',
      'pair.secret_key_id',
      'pair.created_at',
      'pair.retired_at',
    ])
    .orderBy('pair.merchant_id')
    .orderBy('pair.created_at', 'desc')
    .execute();
}

/** Merchants whose current key only plays. */
export async function listTestKeyMerchants(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('provider_credentials')
    .where('retired_at', 'is', null)
    .where('public_key', 'like', 'test\\_%')
    .select('merchant_id as merchantId')
    .orderBy('merchant_id')
    .execute();
  return rows.map(({ merchantId }) => merchantId);
}

/**
 * Recent attempts, counted where a card tester would show (rules/threats#stolen-cards). A buyer's attempts that are under way
 * at this moment count as rejected: many references at once must not try more cards than one after the other.
 */
export interface Velocity {
  readonly buyerRejections: number;
  readonly referenceRejections: number;
  readonly merchantRejections: number;
  /** Attempts, and different cards that were rejected, from one IP prefix (an address, or an IPv6 /64). */
  readonly addressAttempts: number;
  readonly addressRejectedCards: number;
  /** Different cards that the buyer used, whatever came of them. */
  readonly buyerCards: number;
  /** Rejections, of whosoever, of the most rejected card among those that this buyer or reference used. */
  readonly cardRejections: number;
  /** Of the last day. */
  readonly buyerAttempts: number;
  /** Whether the buyer's email address is confirmed. */
  readonly isConfirmed: boolean;
  /** Seconds until the oldest counted rejection of buyer or reference is an hour old. */
  readonly oldestRejectionSeconds: number;
}

export async function countVelocity(
  tx: Tx,
  subject: { buyerId: number; referenceId: number; merchantId: number; sourceAddress: string },
): Promise<Velocity> {
  const hourAgo = sql<Date>`app_now() - interval '1 hour'`;
  const ipPrefix = ipPrefixOf(subject.sourceAddress);
  const { rows } = await sql<Velocity>`
    select
      (select count(*) from card_attempts where buyer_id = ${subject.buyerId} and state in ('rejected', 'submitting') and created_at > ${hourAgo}) as "buyerRejections",
      (select count(*) from card_attempts where reference_id = ${subject.referenceId} and state = 'rejected' and created_at > ${hourAgo}) as "referenceRejections",
      (select count(*) from card_attempts where merchant_id = ${subject.merchantId} and state = 'rejected' and created_at > ${hourAgo}) as "merchantRejections",
      (select count(*) from card_attempts where source_ip_prefix = ${ipPrefix} and source_ip_prefix <> '' and created_at > ${hourAgo}) as "addressAttempts",
      (select count(distinct card_fingerprint) from card_attempts
        where source_ip_prefix = ${ipPrefix} and source_ip_prefix <> '' and state = 'rejected' and created_at > ${hourAgo}) as "addressRejectedCards",
      (select count(distinct card_fingerprint) from card_attempts where buyer_id = ${subject.buyerId} and created_at > ${hourAgo}) as "buyerCards",
      coalesce((select max(rejections) from (
        select count(*) as rejections from card_attempts
        where state = 'rejected' and created_at > ${hourAgo} and card_fingerprint in (
          select card_fingerprint from card_attempts
          where (buyer_id = ${subject.buyerId} or reference_id = ${subject.referenceId}) and card_fingerprint is not null and created_at > ${hourAgo})
        group by card_fingerprint) of_card), 0) as "cardRejections",
      (select count(*) from card_attempts where buyer_id = ${subject.buyerId} and created_at > app_now() - interval '1 day') as "buyerAttempts",
      exists (select from buyers where id = ${subject.buyerId} and email_confirmed_at is not null) as "isConfirmed",
      coalesce((select ceil(extract(epoch from min(created_at) + interval '1 hour' - app_now()))::int from card_attempts
        where (buyer_id = ${subject.buyerId} or reference_id = ${subject.referenceId}) and state = 'rejected' and created_at > ${hourAgo}), 3600) as "oldestRejectionSeconds"
  `.execute(tx);
  const counted = rows[0];
  if (counted === undefined) throw new Error('a count without a row');
  return counted;
}

/** What became of an attempt's money, for the buyer's eyes. */
export interface AttemptOutcome {
  readonly folio: string | null;
  readonly paidAt: Date | null;
  readonly purchaseId: number | null;
  readonly refundCentavos: Centavos | null;
  readonly refundDone: boolean | null;
}

export async function findOutcome(db: Db | Tx, attemptId: string): Promise<AttemptOutcome | undefined> {
  return db
    .selectFrom('card_attempts as a')
    .leftJoin('receipts as r', (join) =>
      join.on('r.channel', '=', 'card').onRef('r.source_id', '=', sql`a.id::text`),
    )
    .leftJoin('allocations as l', (join) =>
      join.onRef('l.receipt_id', '=', 'r.id').on('l.target', '=', 'instalment'),
    )
    .leftJoin('instalments as i', 'i.id', 'l.instalment_id')
    .leftJoin('refunds as f', (join) =>
      join.onRef('f.attempt_id', '=', 'a.id').on('f.state', '<>', 'moved_to_cash'),
    )
    .where('a.id', '=', attemptId)
    .select([
      'r.folio',
      'r.received_at as paidAt',
      'i.purchase_id as purchaseId',
      'f.amount_centavos as refundCentavos',
      sql<boolean | null>`f.state = 'done'`.as('refundDone'),
    ])
    .limit(1)
    .executeTakeFirst();
}

/** Whether an attempt of this merchant already stands for a payment of the provider's. */
export async function isKnownPayment(db: Db | Tx, merchantId: number, paymentId: string): Promise<boolean> {
  const found = await db
    .selectFrom('card_attempts')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('provider_payment_id', '=', paymentId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Adds to what went back of an attempt; more than was captured is refused by constraint. */
export async function addRefunded(tx: Tx, attemptId: string, amount: Centavos): Promise<void> {
  await tx
    .updateTable('card_attempts')
    .set({ refunded_centavos: sql<Centavos>`refunded_centavos + ${amount}` })
    .where('id', '=', attemptId)
    .execute();
}
