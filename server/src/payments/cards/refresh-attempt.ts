import type { Db } from '../../platform/db/db.ts';
import type { Log } from '../../platform/logging.ts';
import { findCurrentCredential } from '../card-keys/store.ts';
import { OPEN_STATES } from './attempt.ts';
import { findHelperAttempt } from './help.read-model.ts';
import { type AttemptOutcome, findAttemptPaying, findOutcome, findAttemptByNonce } from './read-model.ts';
import { resolveAttempt, type ResolveDeps } from './resolve-attempt.ts';
import { type Attempt, findAttempt, findAttemptByIntent, findAttemptByPayment } from './store.ts';
import { findNewestAttempt } from './blocking.read-model.ts';

/** An attempt and what became of its money. */
export interface SeenAttempt {
  readonly attempt: Attempt;
  readonly outcome: AttemptOutcome | undefined;
}

/** States in which another poll of the provider may still change something. */
const WORTH_REFRESHING: readonly string[] = [...OPEN_STATES, 'abandoned', 'not_charged', 'held'];

/** An attempt as the books have it, without asking the provider. */
export async function seeAttempt(db: Db, attempt: Attempt): Promise<SeenAttempt> {
  return { attempt, outcome: await findOutcome(db, attempt.id) };
}

/** The newest attempt at a reference, as the books have it. */
export async function seeNewestAttempt(db: Db, referenceId: number): Promise<SeenAttempt | undefined> {
  const attempt = await findNewestAttempt(db, referenceId);
  return attempt && seeAttempt(db, attempt);
}

/** The public key with which a merchant's card form opens; '' without a key pair to charge with. */
export async function cardKeyOf(db: Db, merchantId: number): Promise<string> {
  return (await findCurrentCredential(db, merchantId))?.publicKey ?? '';
}

/** A helper's is not the buyer's own: nothing of their card is told (rules/helping#paying). */
const ownOf = (attempt: Attempt | undefined) => (attempt?.helpLinkId === null ? attempt : undefined);

/** The buyer's attempt by the id that their browser gave it, after one more poll of the provider. */
export async function refreshByIntent(
  deps: ResolveDeps,
  buyerId: number,
  intentId: string,
  log: Log,
): Promise<SeenAttempt | undefined> {
  return refresh(deps, ownOf(await findAttemptByIntent(deps.db, buyerId, intentId)), log);
}

/**
 * The buyer's attempt by the provider's payment id and the merchant, after one more poll. A 3DS that they left can be finished
 * after all while the provider waits for it and nothing else pays the reference (rules/card-attempts#resuming).
 */
export async function refreshByPayment(
  deps: ResolveDeps,
  where: { buyerId: number; merchantId: number; paymentId: string },
  log: Log,
): Promise<SeenAttempt | undefined> {
  return refresh(deps, ownOf(await findAttemptByPayment(deps.db, where)), log, { resumes: true });
}

/** The buyer's attempt by the printed number it pays and the provider's payment id, after one more poll. */
export async function refreshByReference(
  deps: ResolveDeps,
  where: { buyerId: number; reference: string; paymentId: string },
  log: Log,
): Promise<SeenAttempt | undefined> {
  const id = await findAttemptPaying(deps.db, where);
  return refresh(deps, ownOf(id === undefined ? undefined : await findAttempt(deps.db, id)), log);
}

/** A helper's attempt by the id that their browser gave it, after one more poll. Whoever knows that id began it. */
export async function refreshHelp(
  deps: ResolveDeps,
  intentId: string,
  log: Log,
): Promise<SeenAttempt | undefined> {
  return refresh(deps, await findHelperAttempt(deps.db, intentId), log, { resumes: true });
}

/** A payment of an integrator's own merchant, as the books have it. */
export async function readForMerchant(
  db: Db,
  merchantId: number,
  paymentId: string,
): Promise<SeenAttempt | undefined> {
  const attempt = await findAttemptByPayment(db, { merchantId, paymentId });
  return attempt && seeAttempt(db, attempt);
}

/** Polls the attempt whose nonce a notice carries; for an unknown nonce nobody is asked. */
export async function refreshByNotice(
  deps: ResolveDeps,
  notice: { nonce: string; paymentId: string | undefined },
  log: Log,
): Promise<void> {
  const attempt = await findAttemptByNonce(deps.db, notice.nonce);
  if (attempt === undefined) return;
  await resolveAttempt(deps, attempt.id, {
    by: 'webhook',
    log,
    ...(notice.paymentId === undefined ? {} : { paymentId: notice.paymentId }),
  });
}

async function refresh(
  deps: ResolveDeps,
  attempt: Attempt | undefined,
  log: Log,
  how: { readonly resumes?: true } = {},
): Promise<SeenAttempt | undefined> {
  if (attempt === undefined) return undefined;
  if (!WORTH_REFRESHING.includes(attempt.state)) return seeAttempt(deps.db, attempt);
  await resolveAttempt(deps, attempt.id, { by: 'browser', log, ...how });
  return seeAttempt(deps.db, (await findAttempt(deps.db, attempt.id)) ?? attempt);
}
