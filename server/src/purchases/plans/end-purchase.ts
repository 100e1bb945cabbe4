import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import type { EndedBy } from '../../platform/db/tables.ts';
import { moveState } from '../../platform/lifecycle.ts';
import { closeCashReferencesOf } from '../cash-references/store.ts';
import { endClaimOf } from '../claims/store.ts';
import { endHoldOf } from '../holds/store.ts';
import { PURCHASE, type PurchaseEvent } from './purchase.ts';

/**
 * Ends an active purchase, closes its cash references and its claim, and puts the unit that was kept for it back on sale. The caller holds the
 * purchase's lock (rules/ledger#lock-order, level 1), and has taken those of card attempts (level 2) before, if it takes any: cash references are level 4. `notes` is the reason
 * that the buyer reads. Throws when the purchase has ended already.
 */
export async function endPurchase(
  tx: Tx,
  id: number,
  { event, by, notes }: { event: PurchaseEvent; by: EndedBy; notes: string },
): Promise<void> {
  const ended = await moveState(tx, PURCHASE, {
    event,
    where: sql`id = ${id}`,
    set: { cancelled_at: sql`app_now()`, cancel_notes: notes, ended_by: by },
  });
  if (ended.length === 0) throw new Error(`purchase ${id} has ended already`);
  await closeCashReferencesOf(tx, id);
  await endHoldOf(tx, id, 'released');
  // By its buyer's own cancel a penalty may be kept: then not all was paid back.
  await endClaimOf(tx, id, by === 'buyer' ? 'withdrawn' : 'paid_back');
}

/** The goods of an active purchase are the buyer's. The caller holds its lock. Throws when it has ended already. */
export async function markDelivered(tx: Tx, id: number): Promise<void> {
  const moved = await moveState(tx, PURCHASE, { event: 'handed_over', where: sql`id = ${id}` });
  if (moved.length === 0) throw new Error(`purchase ${id} has ended already`);
  await endHoldOf(tx, id, 'delivered');
  await endClaimOf(tx, id, 'handed_over');
}
