import { createHash } from 'node:crypto';
import { add, type Centavos } from '@aparta/domain/money';
import { raiseAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import type { Log } from '../../platform/logging.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Breaker } from './breaker.ts';
import type { CardLimits } from './card-limits.ts';
import { isPairRefused, openCredential } from '../card-keys/credential.ts';
import { findCurrentCredential, type SealedCredential } from '../card-keys/store.ts';
import type { CardCredential, ChargeRequest } from '../card-provider/port.ts';
import { observe, type Observation } from './observe.ts';
import {
  type Due,
  dueAsShown,
  dueOf,
  lockPrinted,
  refuseSoldOut,
  refuseUnlessAlive,
  type Shown,
} from './payable.ts';
import { resolveAttempt, type ResolveDeps } from './resolve-attempt.ts';
import { type Attempt, findAttempt, findAttemptByIntent, insertAttempt } from './store.ts';
import { findBlockingAttempt } from './blocking.read-model.ts';
import { countVelocity } from './velocity.read-model.ts';

export interface StartDeps extends ResolveDeps {
  readonly cardLimits: CardLimits;
  readonly breaker: Breaker;
  readonly publicOrigin: string;
}

export interface CardPaymentRequest {
  /** As printed: prefix and ten digits. */
  readonly reference: string;
  readonly merchantId: number;
  /** Made by the browser before it sent anything; unique per buyer. */
  readonly intentId: string;
  readonly shown: Shown;
  readonly token: string;
  readonly description: string;
  readonly customer: ChargeRequest['customer'];
  readonly sessionId: string | undefined;
  readonly userAgent: string | undefined;
}

export interface CallerContext {
  readonly sourceAddress: string;
  readonly requestId: string;
  readonly log: Log;
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
  deps.instrumentation?.attemptMoved({ to: 'submitting', ageMs: 0 });
  await resolveAttempt(deps, started.attemptId, {
    by: 'reply',
    log: caller.log,
    observation: await send(deps, started, request, caller),
  });
  const attempt = await findAttempt(deps.db, started.attemptId);
  if (attempt === undefined) throw new Error(`attempt ${started.attemptId} vanished`);
  return attempt;
}

type Started =
  | { readonly kind: 'replay'; readonly attempt: Attempt }
  | {
      readonly kind: 'fresh';
      readonly attemptId: string;
      readonly webhookNonce: string;
      readonly keys: CardCredential;
      readonly due: Due;
      /** The provider is asked for 3DS after rejections, and while the email address is not confirmed (rules/threats#stolen-cards). */
      readonly request3ds: boolean;
      readonly committedAt: number;
    };

async function record(
  deps: StartDeps,
  buyerId: number,
  request: CardPaymentRequest,
  intentHash: Buffer,
  caller: CallerContext,
): Promise<Started> {
  try {
    const started = await transaction(deps.db, (tx) =>
      recordOnce(deps, tx, buyerId, request, intentHash, caller),
    );
    return started.kind === 'fresh' ? { ...started, committedAt: performance.now() } : started;
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
  'card_attempts_one_open_per_reference',
  'card_attempts_one_open_per_purchase',
]);

async function recordOnce(
  deps: StartDeps,
  tx: Tx,
  buyerId: number,
  request: CardPaymentRequest,
  intentHash: Buffer,
  caller: CallerContext,
): Promise<Started> {
  const payable = await lockPrinted(tx, request.reference);
  const asked = payable && dueOf(payable);
  if (payable === undefined || asked?.buyerId !== buyerId || asked.merchantId !== request.merchantId) {
    throw new Refusal('NOT_FOUND');
  }
  const before = await findAttemptByIntent(tx, buyerId, request.intentId);
  if (before !== undefined) return { kind: 'replay', attempt: sameContent(before, intentHash) };

  const blocking = await findBlockingAttempt(tx, asked.referenceId);
  if (blocking !== undefined)
    throw new Refusal('ATTEMPT_OPEN', { intentoId: blocking.intentId, state: blocking.state });
  refuseUnlessAlive(payable);
  await refuseSoldOut(tx, payable);
  const due = dueAsShown(payable, request.shown);
  const credential = await findCurrentCredential(tx, due.merchantId);
  if (credential === undefined) throw new Refusal('CARDS_NOT_ACCEPTED');
  const keys = openOrRefuse(deps, credential, caller.log);
  const request3ds = await refuseCardTesters(deps, tx, due, caller);
  const pause = deps.breaker.secondsLeft();
  if (pause > 0) throw new Refusal('PROVIDER_DOWN', { retryAfterSeconds: pause });

  const attempt = await insertAttempt(tx, {
    buyerId,
    merchantId: due.merchantId,
    credentialId: credential.id,
    referenceId: due.referenceId,
    intentId: request.intentId,
    intentHash,
    state: 'submitting',
    principalCentavos: due.principalCentavos,
    feeCentavos: due.feeCentavos,
    sourceAddress: caller.sourceAddress,
    requestId: caller.requestId,
  });
  // If this process dies during the call, the job finds out what became of the money.
  await enqueue(
    tx,
    'resolve_attempt',
    { attemptId: attempt.id },
    { key: `resolve:${attempt.id}`, afterMs: deps.clocks.submittingMs },
  );
  return {
    kind: 'fresh',
    attemptId: attempt.id,
    webhookNonce: attempt.webhookNonce,
    keys,
    due,
    request3ds,
    committedAt: 0,
  };
}

function openOrRefuse(deps: StartDeps, credential: SealedCredential, log: Log): CardCredential {
  try {
    return openCredential(deps, credential);
  } catch (error) {
    log.error({ merchantId: credential.merchantId, err: error }, "a merchant's card key cannot be used");
    throw new Refusal('MERCHANT_MISCONFIGURED');
  }
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

/** Makes the one call that charges; not at all when too much time has passed since the attempt was recorded. */
async function send(
  deps: StartDeps,
  started: Extract<Started, { kind: 'fresh' }>,
  request: CardPaymentRequest,
  caller: CallerContext,
): Promise<Observation> {
  const { attemptId, due } = started;
  if (performance.now() - started.committedAt > deps.clocks.sendWithinMs) return { kind: 'not_sent' };
  const totalCentavos = add(due.principalCentavos, due.feeCentavos);
  const outcome = await deps.card.charge(started.keys, {
    attemptId,
    amountCentavos: totalCentavos,
    token: request.token,
    description: request.description,
    customer: request.customer,
    sessionId: request.sessionId,
    userAgent: request.userAgent,
    request3ds: started.request3ds,
    webhookUrl: `${deps.publicOrigin}/webhooks/clip/${started.webhookNonce}`,
    requestId: caller.requestId,
  });
  if (outcome.kind !== 'not_sent') deps.breaker.report(outcome.kind === 'payment');
  if (outcome.kind === 'payment') {
    return observe(
      { attemptId, totalCentavos, refundsExplained: 0 as Centavos, threeDsOrigins: deps.threeDsOrigins },
      outcome.payment,
    );
  }
  caller.log.warn(
    { attemptId, outcome: outcome.kind, why: outcome.why },
    'the card provider gave no payment',
  );
  if (isPairRefused(outcome.why))
    await raiseAlert(deps.db, 'merchant_key_refused', String(due.merchantId), { why: outcome.why });
  return outcome.kind === 'not_sent'
    ? { kind: 'not_sent', why: outcome.why }
    : { kind: 'unreachable', why: outcome.why };
}

function sameContent(attempt: Attempt, intentHash: Buffer): Attempt {
  if (attempt.intentHash === null || !attempt.intentHash.equals(intentHash))
    throw new Refusal('INTENT_CONFLICT');
  return attempt;
}

/** What must be the same when an intent is sent again. Only the hash is stored, since it holds the token. */
function hashOf(request: CardPaymentRequest): Buffer {
  const { reference, merchantId, shown, token } = request;
  const chosen = shown.fills?.map(({ number, amountCentavos }) => [number, amountCentavos]);
  return createHash('sha256')
    .update(JSON.stringify([reference, merchantId, shown.totalCentavos, token, ...(chosen ? [chosen] : [])]))
    .digest();
}
