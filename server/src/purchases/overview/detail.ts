import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findPurchase, findPurchaseOfInstalment, type PurchaseRow } from './read-model.ts';

/** One of the buyer's purchases, with its plan and payments. Refuses NOT_FOUND, for another buyer's too. */
export async function readPurchase(db: Db, buyerId: number, id: number): Promise<PurchaseRow> {
  const purchase = await findPurchase(db, buyerId, id);
  if (purchase === undefined) throw new Refusal('NOT_FOUND');
  return purchase;
}

/** The buyer's purchase that an instalment is of. Refuses NOT_FOUND, for another buyer's too. */
export async function readPurchaseOfInstalment(
  db: Db,
  buyerId: number,
  instalmentId: number,
): Promise<PurchaseRow> {
  const purchase = await findPurchaseOfInstalment(db, buyerId, instalmentId);
  if (purchase === undefined) throw new Refusal('NOT_FOUND');
  return purchase;
}
