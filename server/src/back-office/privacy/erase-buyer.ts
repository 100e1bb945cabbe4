import type { Tx } from '../../platform/db/db.ts';
import { lockTies, scrub, type Ties } from './store.ts';

export type Erasure =
  | { readonly kind: 'erased' }
  | { readonly kind: 'unknown' }
  /** Something of his is not at its end: it has to be first. */
  | { readonly kind: 'tied'; readonly ties: Ties };

/**
 * Erases a buyer's person for good (LFPDPPP: cancellation, where no law wants it kept). Sessions end at once, waiting emails
 * are dropped, his email address is free again. The ledger, receipts and stamped invoices stay, and prove the books as before.
 * `passwordHash` is of a secret that nobody knows; `delivered` says that what he paid for whole is in his hands.
 */
export async function eraseBuyer(
  tx: Tx,
  buyerId: number,
  { passwordHash, delivered }: { passwordHash: string; delivered: boolean },
): Promise<Erasure> {
  const found = await lockTies(tx, buyerId);
  if (found === undefined) return { kind: 'unknown' };
  const ties = delivered ? { ...found, paidOffPurchases: [] } : found;
  if (Object.values(ties).some((open: readonly unknown[]) => open.length > 0)) return { kind: 'tied', ties };
  await scrub(tx, buyerId, passwordHash);
  return { kind: 'erased' };
}
