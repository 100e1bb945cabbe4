import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { type Pruning, pruning } from '../../platform/db/pruning.ts';
import { defer } from '../../platform/db/transaction.ts';

/** Closes and forgets all sessions of a buyer. A deferred write. */
export async function deleteSessionsOf(tx: Tx, buyerId: number): Promise<void> {
  await defer(tx, tx.deleteFrom('sessions').where('buyer_id', '=', buyerId));
}

export const SESSION_PRUNINGS: readonly Pruning[] = [
  pruning(
    'sessions',
    (rowsAtOnce) => sql`
      delete from sessions where ctid = any (array(
        select ctid from sessions
        where expires_at < app_now() - interval '7 days' or revoked_at < app_now() - interval '7 days'
        limit ${rowsAtOnce}))`,
  ),
];
