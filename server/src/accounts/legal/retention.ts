import type { Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';

/** Forgets from where a buyer agreed to our texts; that and when they did stays. */
export async function forgetBuyerConsentSources(tx: Tx, buyerId: number): Promise<void> {
  await defer(
    tx,
    tx.updateTable('consents').set({ source_address: '', user_agent: '' }).where('buyer_id', '=', buyerId),
  );
}
