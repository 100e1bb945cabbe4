import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { type Pruning, pruning } from '../../platform/db/pruning.ts';
import { defer } from '../../platform/db/transaction.ts';

/** Closes and forgets all sessions of a buyer, and where they stay signed in. A deferred write. */
export async function deleteSessionsOf(tx: Tx, buyerId: number): Promise<void> {
  await defer(tx, tx.deleteFrom('sessions').where('buyer_id', '=', buyerId));
  await defer(tx, tx.deleteFrom('kept_sessions').where('buyer_id', '=', buyerId));
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
  pruning(
    'kept sessions',
    (rowsAtOnce) => sql`
      delete from kept_sessions where id = any (array(
        select id from kept_sessions
        where expires_at < app_now() - interval '7 days' or ended_at < app_now() - interval '7 days'
        limit ${rowsAtOnce}))`,
  ),
];
