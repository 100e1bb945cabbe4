import type { Tx } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type LockedPurchase, lockPurchase } from '../plans/store.ts';
import { findHelped, type HelpedPurchase } from './read-model.ts';

/** What a live link leads to, its purchase locked. Refuses NOT_FOUND, the same for one that ended or was invented. */
export async function lockHelped(
  tx: Tx,
  linkId: string | undefined,
): Promise<{ readonly helped: HelpedPurchase; readonly purchase: LockedPurchase }> {
  const seen = linkId === undefined ? undefined : await findHelped(tx, linkId);
  const purchase = seen && (await lockPurchase(tx, seen.purchaseId));
  // Read after the lock, so that it stays true: a link ends under this lock alone.
  const helped = purchase && (await findHelped(tx, linkId ?? ''));
  if (purchase === undefined || helped === undefined) throw new Refusal('NOT_FOUND');
  return { helped, purchase };
}
