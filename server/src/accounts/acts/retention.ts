import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';
import type { Pruning } from '../../platform/db/pruning.ts';
import { defer } from '../../platform/db/transaction.ts';

/** Forgets what a buyer did with their account. A deferred write. */
export async function forgetBuyerActs(tx: Tx, buyerId: number): Promise<void> {
  await defer(tx, tx.deleteFrom('account_acts').where('buyer_id', '=', buyerId));
}

export const ACT_PRUNINGS: readonly Pruning[] = [
  {
    what: 'acts of accounts',
    async prune(db, rowsAtOnce) {
      const { rows } = await sql<{ rows: number }>`
        select forget_old_account_acts(${rowsAtOnce}) as rows`.execute(db);
      return rows[0]?.rows ?? 0;
    },
  },
];
