import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findReference, type LayawayReference } from './read-model.ts';

/** One of the buyer's references as it stands now. Refuses NOT_FOUND for another's as for none. */
export async function readReference(db: Db, buyerId: number, id: number): Promise<LayawayReference> {
  const reference = await findReference(db, buyerId, id);
  if (reference === undefined) throw new Refusal('NOT_FOUND');
  return reference;
}
