import type { Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';

/** Forgets what a buyer and their shop wrote to each other; that there was a claim, and how it ended, stays. */
export async function forgetBuyerClaims(tx: Tx, buyerId: number): Promise<void> {
  await defer(tx, tx.updateTable('claims').set({ notes: '' }).where('buyer_id', '=', buyerId));
  await defer(
    tx,
    tx
      .updateTable('claims')
      .set({ answer: '···' })
      .where('buyer_id', '=', buyerId)
      .where('answer', 'is not', null),
  );
}
