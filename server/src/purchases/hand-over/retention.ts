import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';
import { type Pruning, pruning } from '../../platform/db/pruning.ts';
import { defer } from '../../platform/db/transaction.ts';

/** Forgets a buyer's codes, who collected their goods and how they signed; that goods were handed over stays. */
export async function forgetBuyerHandOvers(tx: Tx, buyerId: number): Promise<void> {
  await defer(tx, tx.deleteFrom('pickup_codes').where('buyer_id', '=', buyerId));
  await defer(
    tx,
    tx
      .updateTable('hand_overs')
      .set({ collector_name: null, signature: null })
      .where('buyer_id', '=', buyerId),
  );
}

export const HAND_OVER_PRUNINGS: readonly Pruning[] = [
  // No dispute of a card comes later (rules/providers#chargebacks).
  pruning(
    'signatures of hand-overs',
    (rowsAtOnce) => sql`
      update hand_overs set signature = null, collector_name = null where purchase_id = any (array(
        select purchase_id from hand_overs
        where created_at < app_now() - interval '300 days' and (signature is not null or collector_name is not null)
        limit ${rowsAtOnce}))`,
  ),
  // What was handed over has none; a purchase that ended otherwise may.
  pruning(
    'pickup codes',
    (rowsAtOnce) => sql`
      delete from pickup_codes where purchase_id = any (array(
        select c.purchase_id from pickup_codes c join purchases p on p.id = c.purchase_id where p.state <> 'active'
        limit ${rowsAtOnce}))`,
  ),
];
