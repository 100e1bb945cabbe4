import type { Db } from '../db/db.ts';
import { seeNewestAttempt, type SeenAttempt } from '../payments/look-at-attempt.ts';
import { findCurrentCredential } from '../payments/store.ts';
import { Refusal } from '../refusal.ts';
import { findReference, type LayawayReference } from './store.ts';

/** A reference with all that its screen needs to show the truth. */
export interface SeenReference {
  readonly reference: LayawayReference;
  readonly newest: SeenAttempt | undefined;
  readonly acceptsCards: boolean;
}

/** One of the buyer's references as it stands now. Refuses NOT_FOUND for another's as for none. */
export async function readReference(db: Db, buyerId: number, id: number): Promise<SeenReference> {
  const reference = await findReference(db, buyerId, id);
  if (reference === undefined) throw new Refusal('NOT_FOUND');
  return {
    reference,
    newest: await seeNewestAttempt(db, reference.id),
    acceptsCards: (await findCurrentCredential(db, reference.merchantId)) !== undefined,
  };
}
