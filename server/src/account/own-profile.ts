import type { Db } from '../db/db.ts';
import type { Buyer } from '../principal.ts';
import { Refusal } from '../refusal.ts';
import { findBuyer, type BuyerRow } from './store.ts';

/** The caller's own row. Anybody else's id is refused like one that does not exist (decisions §2). */
export async function ownProfile(db: Db, caller: Buyer, buyerId: number): Promise<BuyerRow> {
  const buyer = buyerId === caller.id ? await findBuyer(db, buyerId) : undefined;
  if (buyer === undefined) throw new Refusal('NOT_FOUND');
  return buyer;
}
