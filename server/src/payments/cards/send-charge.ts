import { add, type Centavos } from '@aparta/domain/money';
import { raiseAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import type { Log } from '../../platform/logging.ts';
import { Refusal } from '../../platform/refusal.ts';
import { isPairRefused, openCredential } from '../card-keys/credential.ts';
import type { SealedCredential } from '../card-keys/store.ts';
import type { CardCredential, ChargeRequest } from '../card-provider/port.ts';
import type { Breaker } from './breaker.ts';
import type { CardLimits } from './card-limits.ts';
import { observe, type Observation } from './observe.ts';
import { resolveAttempt, type ResolveDeps } from './resolve-attempt.ts';
import { type Attempt, findAttempt, insertAttempt, type NewAttempt } from './store.ts';

export interface StartDeps extends ResolveDeps {
  readonly cardLimits: CardLimits;
  readonly breaker: Breaker;
  readonly publicOrigin: string;
}

export interface CallerContext {
  readonly sourceAddress: string;
  readonly requestId: string;
  readonly log: Log;
}

/** An attempt that is stored, to be charged once. */
export interface RecordedCharge {
  readonly attemptId: string;
  readonly merchantId: number;
  readonly webhookNonce: string;
  readonly totalCentavos: Centavos;
  readonly keys: CardCredential;
  readonly request3ds: boolean;
  /** On the clock of this process. */
  readonly committedAt: number;
}

/** What the provider is told of a charge, besides its sum. */
export type ChargeDetails = Pick<
  ChargeRequest,
  'token' | 'description' | 'customer' | 'sessionId' | 'userAgent'
>;

/** Refuses PROVIDER_DOWN for a while after the provider went silent. */
export function refuseWhilePaused({ breaker }: StartDeps): void {
  const pause = breaker.secondsLeft();
  if (pause > 0) throw new Refusal('PROVIDER_DOWN', { retryAfterSeconds: pause });
}

/** Stores an attempt before its call, with the job that finds out what became of the money if this process dies during it. */
export async function recordCharge(
  deps: StartDeps,
  tx: Tx,
  attempt: Omit<NewAttempt, 'state'>,
): Promise<Omit<RecordedCharge, 'keys' | 'request3ds' | 'committedAt'>> {
  const { id, webhookNonce } = await insertAttempt(tx, { ...attempt, state: 'submitting' });
  await enqueue(
    tx,
    'resolve_attempt',
    { attemptId: id },
    { key: `resolve:${id}`, afterMs: deps.clocks.submittingMs },
  );
  const { merchantId, principalCentavos, feeCentavos } = attempt;
  const totalCentavos = add(principalCentavos, feeCentavos);
  return { attemptId: id, merchantId, webhookNonce, totalCentavos };
}

/** Makes the one call of a stored attempt, outside any transaction, and answers the attempt as it is then. */
export async function sendCharge(
  deps: StartDeps,
  charge: RecordedCharge,
  details: ChargeDetails,
  caller: CallerContext,
): Promise<Attempt> {
  const { attemptId } = charge;
  deps.instrumentation?.attemptMoved({ to: 'submitting', ageMs: 0 });
  await resolveAttempt(deps, attemptId, {
    by: 'reply',
    log: caller.log,
    observation: await send(deps, charge, details, caller),
  });
  const attempt = await findAttempt(deps.db, attemptId);
  if (attempt === undefined) throw new Error(`attempt ${attemptId} vanished`);
  return attempt;
}

/** Opens a merchant's card key. Refuses MERCHANT_MISCONFIGURED one that does not open. */
export function openOrRefuse(deps: StartDeps, credential: SealedCredential, log: Log): CardCredential {
  try {
    return openCredential(deps, credential);
  } catch (error) {
    log.error({ merchantId: credential.merchantId, err: error }, "a merchant's card key cannot be used");
    throw new Refusal('MERCHANT_MISCONFIGURED');
  }
}

/** Makes the one call that charges; not at all when too much time has passed since the attempt was recorded. */
async function send(
  deps: StartDeps,
  charge: RecordedCharge,
  details: ChargeDetails,
  caller: CallerContext,
): Promise<Observation> {
  const { attemptId, merchantId, totalCentavos, webhookNonce, keys, request3ds } = charge;
  if (performance.now() - charge.committedAt > deps.clocks.sendWithinMs) return { kind: 'not_sent' };
  const outcome = await deps.card.charge(keys, {
    attemptId,
    amountCentavos: totalCentavos,
    token: details.token,
    description: details.description,
    customer: details.customer,
    sessionId: details.sessionId,
    userAgent: details.userAgent,
    request3ds,
    webhookUrl: `${deps.publicOrigin}/webhooks/clip/${webhookNonce}`,
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
    await raiseAlert(deps.db, 'merchant_key_refused', String(merchantId), { why: outcome.why });
  return outcome.kind === 'not_sent'
    ? { kind: 'not_sent', why: outcome.why }
    : { kind: 'unreachable', why: outcome.why };
}
