import { createHash } from 'node:crypto';
import type { Tx } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findCurrentCredential } from '../card-keys/store.ts';
import { findBlockingAttempt } from './blocking.read-model.ts';
import {
  type Due,
  dueAsShown,
  isOf,
  lockPrinted,
  referencesOf,
  refuseSoldOut,
  refuseUnlessAlive,
  type Shown,
} from './payable.ts';
import { insertParts } from './parts-store.ts';
import {
  type CallerContext,
  type ChargeDetails,
  openOrRefuse,
  recordCharge,
  type RecordedCharge,
  refuseWhilePaused,
  sendCharge,
  type StartDeps,
} from './send-charge.ts';
import { lockPrintedShares, severalAsShown, type ShownShare } from './several.ts';
import { type Attempt, findAttemptByIntent } from './store.ts';
import { countVelocity } from './velocity.read-model.ts';

export interface CardPaymentRequest extends ChargeDetails {
  /** As printed: prefix and ten digits. */
  readonly reference: string;
  readonly merchantId: number;
  /** Made by the browser before it sent anything; unique per buyer. */
  readonly intentId: string;
  readonly shown: Shown;
  /** What is late of several purchases, by the numbers of their oldest unpaid instalments: then `reference` is the first of them. */
  readonly shares?: readonly ShownShare[] | undefined;
}

/**
 * Pays a reference with a card token (rules/card-attempts#starting). The intent is stored before the provider is
 * called, no transaction is held across the call, and the call is made at most once; whatever comes of it goes through
 * `resolveAttempt`. The same intent with the same content answers the same attempt again.
 *
 * Refuses NOT_FOUND, AMOUNT_CHANGED, ATTEMPT_OPEN, INTENT_CONFLICT, REFERENCE_EXPIRED, REFERENCE_PAID, REFERENCE_CANCELLED,
 * CARDS_NOT_ACCEPTED, CONFIRM_EMAIL_FIRST, TOO_MANY_REJECTIONS, TOO_MANY and PROVIDER_DOWN; in each case nothing was sent.
 */
export async function startCardPayment(
  deps: StartDeps,
  buyerId: number,
  request: CardPaymentRequest,
  caller: CallerContext,
): Promise<Attempt> {
  const intentHash = hashOf(request);
  const started = await record(deps, buyerId, request, intentHash, caller);
  if (started.kind === 'replay') return started.attempt;
  return sendCharge(deps, started.charge, request, caller);
}

type Started<C> =
  | { readonly kind: 'replay'; readonly attempt: Attempt }
  | { readonly kind: 'fresh'; readonly charge: C };

async function record(
  deps: StartDeps,
  buyerId: number,
  request: CardPaymentRequest,
  intentHash: Buffer,
  caller: CallerContext,
): Promise<Started<RecordedCharge>> {
  try {
    const started = await transaction(deps.db, (tx) =>
      recordOnce(deps, tx, buyerId, request, intentHash, caller),
    );
    return started.kind === 'fresh'
      ? { kind: 'fresh', charge: { ...started.charge, committedAt: performance.now() } }
      : started;
  } catch (error) {
    // The same tap sent twice at once: the one that came first answers for both.
    const constraint = refusedBy(error);
    if (constraint === undefined || !BEGUN_BY_ANOTHER.has(constraint)) throw error;
    const winner = await findAttemptByIntent(deps.db, buyerId, request.intentId);
    if (winner === undefined) throw new Refusal('ATTEMPT_OPEN');
    return { kind: 'replay', attempt: sameContent(winner, intentHash) };
  }
}

const BEGUN_BY_ANOTHER: ReadonlySet<string> = new Set([
  'card_attempts_intent_once',
  'card_attempts_one_own_open_per_reference',
  'card_attempts_one_own_open_per_purchase',
]);

async function recordOnce(
  deps: StartDeps,
  tx: Tx,
  buyerId: number,
  request: CardPaymentRequest,
  intentHash: Buffer,
  caller: CallerContext,
): Promise<Started<Omit<RecordedCharge, 'committedAt'>>> {
  const payable =
    request.shares === undefined
      ? await lockPrinted(tx, request.reference)
      : await lockPrintedShares(tx, request.shares);
  if (payable === undefined || !isOf(payable, buyerId, request.merchantId)) throw new Refusal('NOT_FOUND');
  const before = await findAttemptByIntent(tx, buyerId, request.intentId);
  if (before !== undefined) return { kind: 'replay', attempt: sameContent(before, intentHash) };

  for (const referenceId of referencesOf(payable)) {
    const blocking = await findBlockingAttempt(tx, referenceId);
    if (blocking !== undefined)
      throw new Refusal('ATTEMPT_OPEN', { intentoId: blocking.intentId, state: blocking.state });
  }
  refuseUnlessAlive(payable);
  await refuseSoldOut(tx, payable);
  const due =
    request.shares === undefined || payable.kind !== 'several'
      ? dueAsShown(payable, request.shown)
      : severalAsShown(payable, request.shares, request.shown.totalCentavos);
  const credential = await findCurrentCredential(tx, due.merchantId);
  if (credential === undefined) throw new Refusal('CARDS_NOT_ACCEPTED');
  const keys = openOrRefuse(deps, credential, caller.log);
  const request3ds = await refuseCardTesters(deps, tx, due, caller);
  refuseWhilePaused(deps);
  const recorded = await recordCharge(deps, tx, {
    buyerId,
    merchantId: due.merchantId,
    credentialId: credential.id,
    referenceId: due.referenceId,
    intentId: request.intentId,
    intentHash,
    principalCentavos: due.principalCentavos,
    feeCentavos: due.feeCentavos,
    sourceAddress: caller.sourceAddress,
    requestId: caller.requestId,
    ofSeveral: payable.kind === 'several',
  });
  if (payable.kind === 'several')
    await insertParts(
      tx,
      recorded.attemptId,
      payable.shares.map(({ purchase, instalmentId, principalCentavos }) => ({
        purchaseId: purchase.id,
        instalmentId,
        amountCentavos: principalCentavos,
      })),
    );
  // The provider is asked for 3DS after rejections, and while the email address is not confirmed (rules/threats#stolen-cards).
  return { kind: 'fresh', charge: { ...recorded, keys, request3ds } };
}

/** Refuses a buyer, reference, merchant or address with too many rejected cards. Returns whether 3DS is asked for. */
async function refuseCardTesters(deps: StartDeps, tx: Tx, due: Due, caller: CallerContext): Promise<boolean> {
  const { cardLimits: limits } = deps;
  const seen = await countVelocity(tx, { ...due, sourceAddress: caller.sourceAddress });
  if (
    seen.buyerRejections >= limits.rejectionsPerBuyer ||
    seen.referenceRejections >= limits.rejectionsPerReference ||
    seen.cardRejections >= limits.rejectionsPerCard
  ) {
    throw new Refusal('TOO_MANY_REJECTIONS', { retryAfterSeconds: Math.max(seen.oldestRejectionSeconds, 1) });
  }
  if (
    seen.merchantRejections >= limits.rejectionsPerMerchant ||
    seen.buyerCards >= limits.cardsPerBuyer ||
    seen.addressAttempts >= limits.attemptsPerAddress ||
    seen.addressRejectedCards >= limits.rejectedCardsPerAddress
  ) {
    throw new Refusal('TOO_MANY', { retryAfterSeconds: 3_600 });
  }
  if (!seen.isConfirmed && seen.buyerAttempts >= limits.attemptsUnconfirmed) {
    throw new Refusal('CONFIRM_EMAIL_FIRST');
  }
  return (
    !seen.isConfirmed ||
    seen.buyerRejections + seen.referenceRejections > 0 ||
    seen.addressRejectedCards >= limits.rejectedCardsUntil3ds
  );
}

/** An attempt that an intent began before, if it is sent again with the same content. Refuses INTENT_CONFLICT. */
export function sameContent(attempt: Attempt, intentHash: Buffer): Attempt {
  if (attempt.intentHash === null || !attempt.intentHash.equals(intentHash))
    throw new Refusal('INTENT_CONFLICT');
  return attempt;
}

/** What must be the same when an intent is sent again. Only the hash is stored, since it holds the token. */
function hashOf(request: CardPaymentRequest): Buffer {
  const { reference, merchantId, shown, token, shares } = request;
  const flat = (fills: Shown['fills']) =>
    fills?.map(({ number, amountCentavos }) => [number, amountCentavos]);
  const chosen = shares?.map((share) => [share.reference, flat(share.fills)]) ?? flat(shown.fills);
  return createHash('sha256')
    .update(JSON.stringify([reference, merchantId, shown.totalCentavos, token, ...(chosen ? [chosen] : [])]))
    .digest();
}
