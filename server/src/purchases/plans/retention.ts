import type { Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';

/** Forgets what a buyer wrote when they cancelled a purchase. */
export async function forgetBuyerCancelNotes(tx: Tx, buyerId: number): Promise<void> {
  await defer(tx, tx.updateTable('purchases').set({ cancel_notes: '' }).where('buyer_id', '=', buyerId));
}
