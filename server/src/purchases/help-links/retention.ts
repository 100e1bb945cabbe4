import type { Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';

/** Forgets what a buyer wrote to their helpers. */
export async function forgetBuyerHelpLinks(tx: Tx, buyerId: number): Promise<void> {
  await defer(tx, tx.updateTable('help_links').set({ message: '' }).where('buyer_id', '=', buyerId));
}
