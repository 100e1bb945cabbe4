import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { type Pruning, pruning } from '../../platform/db/pruning.ts';
import { defer } from '../../platform/db/transaction.ts';
import { closeReference, lockReference } from './store.ts';

/** Cancels a buyer's open references, so that a till takes nothing for them any more, and forgets from where all were made. */
export async function forgetBuyerReferences(tx: Tx, buyerId: number): Promise<void> {
  const open = await tx
    .selectFrom('layaway_references')
    .select('id')
    .where('buyer_id', '=', buyerId)
    .where('state', '=', 'open')
    .orderBy('id')
    .execute();
  for (const { id } of open)
    if ((await lockReference(tx, id))?.state === 'open') await closeReference(tx, id, 'cancelled');
  await defer(
    tx,
    tx.updateTable('layaway_references').set({ source_address: '' }).where('buyer_id', '=', buyerId),
  );
}

export const REFERENCE_PRUNINGS: readonly Pruning[] = [
  pruning(
    'references’ addresses',
    (rowsAtOnce) => sql`
      update layaway_references set source_address = '' where ctid = any (array(
        select ctid from layaway_references
        where state <> 'open' and created_at < app_now() - interval '180 days' and source_address <> ''
        limit ${rowsAtOnce}))`,
  ),
];
