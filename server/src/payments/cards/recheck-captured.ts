import { sumOwnRefunds } from '../../ledger/refunds/store.ts';
import { raiseAlert } from '../../platform/alerts.ts';
import type { Log } from '../../platform/logging.ts';
import { isPairRefused, openCredential } from '../card-keys/credential.ts';
import { observe } from './observe.ts';
import { resolveAttempt, type ResolveDeps } from './resolve-attempt.ts';
import {
  claimRecheck,
  type DueRecheck,
  findAttempt,
  findCurrentCredential,
  findUsableCredential,
  listDueRechecks,
  markRechecked,
  type SealedCredential,
} from './store.ts';

/** Of one run. Hourly ones read more than eight thousand payments of a merchant in a week. */
const MOST = { perMerchant: 50, inAll: 500 };
/** Less than what makes a job look dead: what is left waits for the next run. */
const RUN_MS = 3 * 60_000;

/**
 * Reads captured payments again, each within a week (rules/card-attempts#checking-captured-payments-again), so that money which
 * was refunded externally is seen: a refund in the provider's panel, a dispute. It raises an alert
 * (rules/refunds#external-refunds). A merchant whose provider does not answer is left alone for this run, and what could not be
 * read is tried again the next day.
 */
export async function recheckCaptured(deps: ResolveDeps, log: Log): Promise<void> {
  const endsAt = performance.now() + RUN_MS;
  const silent = new Set<number>();
  for (const due of await listDueRechecks(deps.db, MOST)) {
    if (performance.now() > endsAt) return;
    if (due.isOver) await markRechecked(deps.db, due.id, 'not again');
    else if (!silent.has(due.merchantId) && !(await recheck(deps, due, log))) silent.add(due.merchantId);
  }
}

/** False when there was no answer. */
async function recheck(deps: ResolveDeps, due: DueRecheck, log: Log): Promise<boolean> {
  if (!(await claimRecheck(deps.db, due.id))) return true;
  try {
    return await read(deps, due, log);
  } catch (err) {
    log.error({ err, attemptId: due.id, merchantId: due.merchantId }, 'a payment could not be read again');
    return false;
  }
}

async function read(deps: ResolveDeps, { id, merchantId }: DueRecheck, log: Log): Promise<boolean> {
  const attempt = await findAttempt(deps.db, id);
  if (attempt?.providerPaymentId === undefined || attempt.providerPaymentId === null) return true;
  const sealed = await findUsableCredential(deps.db, attempt);
  if (sealed === undefined) return false;
  const found = await find(deps, attempt.providerPaymentId, sealed, merchantId);
  if (found === undefined) {
    log.warn({ attemptId: id, merchantId }, 'a payment of an account whose keys were changed cannot be read');
  } else if (found.kind === 'payment') {
    // Summed after it was read: a refund of ours that went through meanwhile is no unexpected one.
    const observation = observe(
      {
        // One that the sweep found names another attempt, or none that is ours.
        attemptId: attempt.intentId === null ? (found.payment.externalReference ?? id) : id,
        totalCentavos: attempt.capturedCentavos,
        refundsExplained: await sumOwnRefunds(deps.db, id),
        threeDsOrigins: deps.threeDsOrigins,
      },
      found.payment,
    );
    if (observation.kind !== 'approved' && observation.kind !== 'processing')
      await resolveAttempt(deps, id, { by: 'sweep', observation, log });
  } else if (found.why.startsWith('404')) {
    // A payment that was there and is gone (rules/card-attempts#observations).
    const observation = { kind: 'unreachable', why: found.why, alert: true } as const;
    await resolveAttempt(deps, id, { by: 'sweep', observation, log });
  } else {
    if (isKeyRefused(found))
      await raiseAlert(deps.db, 'merchant_key_refused', String(merchantId), { why: found.why });
    log.warn({ attemptId: id, merchantId, why: found.why }, 'a payment could not be read again');
    return false;
  }
  await markRechecked(deps.db, id, 'within the week');
  return true;
}

type Found = Awaited<ReturnType<ResolveDeps['card']['find']>>;

/**
 * Asks with the merchant's pair of today where the provider takes the payment's own no more. Undefined when that one is taken and
 * does not see it: it is of another account, and nobody can read the payment here.
 */
async function find(
  deps: ResolveDeps,
  paymentId: string,
  sealed: SealedCredential,
  merchantId: number,
): Promise<Found | undefined> {
  const found = await deps.card.find(openCredential(deps, sealed), paymentId);
  if (!isKeyRefused(found)) return found;
  const today = await findCurrentCredential(deps.db, merchantId);
  if (today === undefined || today.id === sealed.id) return found;
  const seenToday = await deps.card.find(openCredential(deps, today), paymentId);
  return seenToday.kind !== 'payment' && seenToday.why.startsWith('404') ? undefined : seenToday;
}

function isKeyRefused(found: Found): boolean {
  return found.kind !== 'payment' && isPairRefused(found.why);
}
