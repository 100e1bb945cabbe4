import { sumOwnRefunds } from '../../ledger/refunds/store.ts';
import { raiseAlert, raiseAlertOnce } from '../../platform/alerts.ts';
import type { Log } from '../../platform/logging.ts';
import { isPairRefused, openCredential } from '../card-keys/credential.ts';
import { findCurrentCredential, findUsableCredential, type SealedCredential } from '../card-keys/store.ts';
import type { ProviderPayment } from '../card-provider/port.ts';
import { isUndone, observe } from './observe.ts';
import { type DueRecheck, listDueRechecks } from './read-model.ts';
import { resolveAttempt, type ResolveDeps } from './resolve-attempt.ts';
import { claimRecheck, markRechecked } from './store.ts';

/** Of one run. Hourly runs read more than eight thousand payments of a merchant in a week. */
const MOST = { perMerchant: 50, inAll: 500 };
/** Shorter than what makes a job look dead; the next run goes on. */
const RUN_MS = 3 * 60_000;

/**
 * Reads each captured payment again within a week (rules/card-attempts#checking-captured-payments-again), and raises an alert
 * when money left it otherwise than by our refunds: in the provider's panel, by a dispute (rules/refunds#external-refunds); or
 * when a refund that was made is none any more (rules/refunds#sent-back). A merchant that cannot be read is left alone for this
 * run; tomorrow's run tries its payments again.
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

/** False when the provider gave no answer. */
async function recheck(deps: ResolveDeps, due: DueRecheck, log: Log): Promise<boolean> {
  if (!(await claimRecheck(deps.db, due.id))) return true;
  try {
    return await read(deps, due, log);
  } catch (err) {
    log.error({ err, attemptId: due.id, merchantId: due.merchantId }, 'a payment could not be read again');
    return false;
  }
}

async function read(deps: ResolveDeps, due: DueRecheck, log: Log): Promise<boolean> {
  const { id, merchantId } = due;
  const sealed = await findUsableCredential(deps.db, due);
  if (sealed === undefined) return false;
  const found = await find(deps, due.paymentId, sealed, merchantId);
  if (found === undefined) {
    log.warn({ attemptId: id, merchantId }, 'a payment of an account whose keys were changed cannot be read');
  } else if (found.kind === 'payment') {
    // Summed after the reading, so that a refund of ours in between is explained.
    const observation = observe(
      {
        // One that the sweep found names no attempt of ours.
        attemptId: due.intentId === null ? (found.payment.externalReference ?? id) : id,
        totalCentavos: due.capturedCentavos,
        refundsExplained: await sumOwnRefunds(deps.db, id),
        threeDsOrigins: deps.threeDsOrigins,
      },
      found.payment,
    );
    if (observation.kind !== 'approved' && observation.kind !== 'processing')
      await resolveAttempt(deps, id, { by: 'sweep', observation, log });
    if (observation.kind !== 'unusable' && isUndone(found.payment, due.refundedCentavos))
      await tellUndone(deps, due, found.payment, log);
  } else if (found.why.startsWith('404')) {
    // It was there before (rules/card-attempts#observations).
    const observation = { kind: 'unusable', why: found.why } as const;
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

/** The buyer was told that they have it back, and has not: only a person can pay it another way. */
async function tellUndone(
  { db }: ResolveDeps,
  { id, refundedCentavos }: DueRecheck,
  payment: ProviderPayment,
  log: Log,
): Promise<void> {
  const detail = { refundedCentavos, seenCentavos: payment.refundedCentavos };
  // The books keep it as paid back, also once the buyer was paid another way: dealt with, it is not told every week.
  const isOpen = await raiseAlertOnce(db, 'refund_undone', id, detail);
  if (isOpen)
    log.error({ attemptId: id, ...detail }, 'a card refund that was made came back to the provider');
}

type Found = Awaited<ReturnType<ResolveDeps['card']['find']>>;

/**
 * Reads a payment with the merchant's current pair where its own is refused. Undefined when the current pair works and does not
 * find it: the account is another one, and the payment cannot be read.
 */
async function find(
  deps: ResolveDeps,
  paymentId: string,
  sealed: SealedCredential,
  merchantId: number,
): Promise<Found | undefined> {
  const found = await deps.card.find(openCredential(deps, sealed), paymentId);
  if (!isKeyRefused(found)) return found;
  const current = await findCurrentCredential(deps.db, merchantId);
  if (current === undefined || current.id === sealed.id) return found;
  const foundNow = await deps.card.find(openCredential(deps, current), paymentId);
  return foundNow.kind !== 'payment' && foundNow.why.startsWith('404') ? undefined : foundNow;
}

function isKeyRefused(found: Found): boolean {
  return found.kind !== 'payment' && isPairRefused(found.why);
}
