import type { Centavos } from '@aparta/domain/money';

import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findPayable } from '../owed/read-model.ts';
import { type LookedUp, readOwed } from '../owed/read-owed.ts';
import { countUnknownReference, secondsToWait, type TillDeps } from '../tills/operation.ts';
import { findCounter, findLastPaid, type LastPaid } from './read-model.ts';

export type LookedUpAtCounter = LookedUp & { readonly lastPaid: LastPaid | undefined };

/** To whoever asked for too many numbers that are nobody's. */
export const askedEnough = (seconds: number) =>
  new Refusal('TOO_MANY', { retryAfterSeconds: Math.max(1, seconds) });

/**
 * Looks a printed number or a folio up, free of consequences (rules/tills-and-cash#counter). Another merchant's is answered like
 * one that is nobody's, and both count against the account's limit of unknown references, as a till's do.
 */
export async function lookUp(
  deps: TillDeps,
  caller: Staff,
  { code, amountCentavos }: { code: string; amountCentavos: Centavos | undefined },
): Promise<LookedUpAtCounter> {
  const counter = await findCounter(deps.db, caller.merchantId);
  const seconds = counter === undefined ? 0 : await secondsToWait(deps, counter.serviceAccountId);
  if (seconds > 0) throw askedEnough(seconds);
  const payable = await findPayable(deps.db, code);
  if (payable === undefined || payable.merchantId !== caller.merchantId) {
    if (counter !== undefined) await countUnknownReference(deps, counter.serviceAccountId);
    throw new Refusal('NOT_FOUND');
  }
  const owed = await readOwed(deps.db, payable, amountCentavos);
  const lastPaid = owed.purchaseId === null ? undefined : await findLastPaid(deps.db, owed.purchaseId);
  return { ...owed, lastPaid };
}
