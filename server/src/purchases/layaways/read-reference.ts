import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findReference, type ShownReference } from './shown.read-model.ts';

/** One of the buyer's references. Refuses NOT_FOUND, for another buyer's too. */
export async function readReference(db: Db, buyerId: number, id: number): Promise<ShownReference> {
  const reference = await findReference(db, buyerId, id);
  if (reference === undefined) throw new Refusal('NOT_FOUND');
  return reference;
}
