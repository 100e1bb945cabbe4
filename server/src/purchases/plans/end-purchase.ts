import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { moveState } from '../../platform/lifecycle.ts';
import { closeCashReferencesOf } from '../cash-references/store.ts';
import { PURCHASE, type PurchaseEvent } from './purchase.ts';

/**
 * Ends an active purchase and closes its cash references. The caller holds the purchase's lock (rules/ledger#lock-order, level
 * 1), and has taken those of card attempts (level 2) before, if it takes any: cash references are level 4. `notes` is the reason
 * that the buyer reads. Throws when the purchase has ended already.
 */
export async function endPurchase(tx: Tx, id: number, event: PurchaseEvent, notes: string): Promise<void> {
  const ended = await moveState(tx, PURCHASE, {
    event,
    where: sql`id = ${id}`,
    set: { cancelled_at: sql`app_now()`, cancel_notes: notes },
  });
  if (ended.length === 0) throw new Error(`purchase ${id} has ended already`);
  await closeCashReferencesOf(tx, id);
}
