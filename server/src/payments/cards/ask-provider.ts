import { add } from '@aparta/domain/money';
import { sumOwnRefunds } from '../../ledger/refunds/store.ts';
import { raiseAlert } from '../../platform/alerts.ts';
import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import type { Log } from '../../platform/logging.ts';
import type { KeyRing } from '../../platform/secrets.ts';
import { isPairRefused, KEY_UNOPENED, openCredential } from '../card-keys/credential.ts';
import { findCredential, findCurrentCredential, type SealedCredential } from '../card-keys/store.ts';
import type { CardCredential, CardProvider, ProviderPayment } from '../card-provider/port.ts';
import { type Clocks, type ObservationKind, OPEN_STATES } from './attempt.ts';
import { ageOf } from './carry-out.ts';
import { type Expected, observe, type Observation } from './observe.ts';
import { isAbsurd, MOST_APART_MS, watchProviderClock, windowsOf } from './provider-clock.ts';
import { type Attempt, claimPoll, findAttempt } from './store.ts';

export interface AskDeps {
  readonly db: Db;
  readonly card: CardProvider;
  readonly keyRing: KeyRing;
  /** Test keys charge nobody: goods would be given away for nothing. Production refuses them at each call. */
  readonly allowTestKeys: boolean;
  readonly clocks: Clocks;
  readonly threeDsOrigins: readonly string[];
}

/** Who wants the provider to be asked. */
export type Asker =
  | { readonly by: 'browser' | 'job' }
  | {
      readonly by: 'webhook';
      /** As the notice says: a hint, nothing more. */
      readonly paymentId?: string;
      /** The notice came too soon after another poll, and has waited since. */
      readonly hasWaited?: true;
    };

/**
 * Polls the provider about an attempt. More than one observation means that several payments carry our reference; the first is
 * the attempt's. Undefined for an unknown attempt, and when a browser or notice comes within `coalesceMs` of the last poll.
 */
export async function askProvider(
  deps: AskDeps,
  attemptId: string,
  asker: Asker,
  log: Log,
): Promise<Observation[] | undefined> {
  const attempt = await findAttempt(deps.db, attemptId);
  const readAt = performance.now();
  if (attempt === undefined) return undefined;
  const isClaimed = await claimPoll(deps.db, attemptId, deps.clocks.coalesceMs);
  // A job polls in any case: its schedule is the promise that every wait ends.
  if (!isClaimed && asker.by !== 'job' && !('hasWaited' in asker)) {
    // The poll before may just have missed what a notice tells of.
    if (asker.by === 'webhook') await pollLater(deps, attemptId, asker.paymentId);
    return undefined;
  }
  // Summed after the provider has answered: a refund of ours that begins before its answer must not look like another's.
  const expectedNow = async () => ({
    attemptId,
    totalCentavos: add(attempt.principalCentavos, attempt.feeCentavos),
    refundsExplained: await sumOwnRefunds(deps.db, attemptId),
    threeDsOrigins: deps.threeDsOrigins,
  });
  const hint = 'paymentId' in asker ? asker.paymentId : undefined;
  const readWith = async (sealed: SealedCredential): Promise<Observation[]> => {
    const credential = openOrUndefined(deps, sealed, attempt, log);
    // The clocks go on: an attempt ends even if its key never opens.
    if (credential === undefined) return [{ kind: 'unusable', why: KEY_UNOPENED }];
    return read(deps, { attempt, readAt, expectedNow, credential, hint, mayProve: asker.by === 'job', log });
  };
  const seen = await readWith(await findCredential(deps.db, attempt.credentialId));
  if (refusalOfKey(seen) === undefined) return seen;
  const current = await findCurrentCredential(deps.db, attempt.merchantId);
  const seenNow =
    current === undefined || current.id === attempt.credentialId ? seen : await readWith(current);
  const why = refusalOfKey(seenNow);
  if (why !== undefined)
    await raiseAlert(deps.db, 'merchant_key_refused', String(attempt.merchantId), { why });
  // Another pair may belong to another account: that it does not see the payment proves nothing.
  return seenNow.some((observation) => 'payment' in observation) ? seenNow : seen;
}

async function pollLater({ db, clocks }: AskDeps, attemptId: string, paymentId?: string): Promise<void> {
  await transaction(db, (tx) =>
    enqueue(
      tx,
      'resolve_attempt',
      { attemptId, notice: paymentId === undefined ? {} : { paymentId } },
      { key: `notice:${attemptId}`, afterMs: clocks.coalesceMs },
    ),
  );
}

/** What the provider said where it refused the key pair. */
function refusalOfKey(seen: readonly Observation[]): string | undefined {
  return seen
    .flatMap((observation) => (observation.kind === 'unreachable' ? observation.why : []))
    .find(isPairRefused);
}

interface Reading {
  readonly attempt: Attempt;
  /** When it was read, by this process's steady clock. */
  readonly readAt: number;
  readonly expectedNow: () => Promise<Expected>;
  readonly credential: CardCredential;
  readonly hint: string | undefined;
  /** Only a job's reads are far enough apart to prove that nothing was charged; two others may be seconds apart. */
  readonly mayProve: boolean;
  readonly log: Log;
}

/** Reads an attempt's payment by its id where that is known, else finds our reference in the provider's list of that time. */
async function read(deps: AskDeps, reading: Reading): Promise<Observation[]> {
  const { attempt, expectedNow, credential, hint } = reading;
  const paymentId = attempt.providerPaymentId ?? hint;
  if (paymentId !== undefined) {
    const found = await deps.card.find(credential, paymentId);
    const observation: Observation =
      found.kind === 'payment'
        ? observe(await expectedNow(), found.payment)
        : // 404 for a payment that was seen before is more than silence.
          { kind: found.why.startsWith('404') ? 'unusable' : 'unreachable', why: found.why };
    // A hint that leads to no payment of ours says nothing: our reference does.
    if (attempt.providerPaymentId !== null || 'payment' in observation) return [observation];
  }
  return readList(deps, reading);
}

/**
 * Finds our reference in the provider's list of the attempt's time. A clock that is off, or was and may have been set right, puts
 * a charge elsewhere: nothing is proven, and a charge by a wrong clock is not found, before the hours around are read too.
 */
async function readList(
  deps: AskDeps,
  { attempt, readAt, expectedNow, credential, mayProve, log }: Reading,
): Promise<Observation[]> {
  const { near, far } = windowsOf(attempt);
  const listed = await deps.card.list(credential, near.from, near.to);
  if (listed.kind !== 'payments') return [{ kind: 'unreachable', why: listed.why }];
  const aheadMs = listed.at && listed.at.getTime() - attempt.now.getTime() - (performance.now() - readAt);
  if (aheadMs !== undefined) await watchProviderClock(deps.db, aheadMs, log);
  const ours = async (payments: readonly ProviderPayment[]) => {
    const expected = await expectedNow();
    return payments
      .filter((payment) => payment.externalReference === attempt.id)
      .map((payment) => observe(expected, payment))
      .toSorted((a, b) => BEST_FIRST.indexOf(a.kind) - BEST_FIRST.indexOf(b.kind));
  };
  const found = await ours(listed.payments);
  if (found.length > 0) return found;
  if (aheadMs === undefined) return [{ kind: 'unreachable', why: 'a list that tells no time' }];
  if (isAbsurd(aheadMs)) return [{ kind: 'unreachable', why: 'a clock that cannot be' }];

  const isApart = Math.abs(aheadMs) > MOST_APART_MS;
  // Where the clocks disagree the attempt is as young as either says: ours may have leapt ahead.
  const ageMs = ageOf(attempt) + (isApart ? Math.min(aheadMs, 0) : 0);
  // Once an attempt is freed there is nothing to prove, and the daily sweep reads days.
  const isOpen = OPEN_STATES.some((state) => state === attempt.state);
  const isProof = isOpen && mayProve && ageMs >= deps.clocks.notFoundCountsAfterMs;
  if (!isProof && !isApart) return [{ kind: 'not_found', isProof }];
  for (const { from, to } of far) {
    const farther = await deps.card.list(credential, from, to);
    if (farther.kind !== 'payments') return [{ kind: 'unreachable', why: farther.why }];
    const foundThere = await ours(farther.payments);
    if (foundThere.length > 0) return foundThere;
  }
  return [{ kind: 'not_found', isProof }];
}

/** Approved as agreed, then other money, then what may still become money. */
const BEST_FIRST: readonly ObservationKind[] = [
  'approved',
  'mismatch',
  'reversed',
  'requires_action',
  'processing',
  'declined',
];

function openOrUndefined(
  deps: AskDeps,
  sealed: SealedCredential,
  attempt: Attempt,
  log: Log,
): CardCredential | undefined {
  try {
    return openCredential(deps, sealed);
  } catch (err) {
    log.error(
      { err, attemptId: attempt.id, merchantId: attempt.merchantId },
      "a merchant's card key cannot be used",
    );
    return undefined;
  }
}
