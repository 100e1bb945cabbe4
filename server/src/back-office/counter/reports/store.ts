import { sql } from 'kysely';

import type { Tx } from '../../../platform/db/db.ts';

/** Adds the oldest changes of the shops' sums to those, at most so many; says how many they were. */
export async function foldMerchantSums(tx: Tx, most: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select fold_merchant_sums(${most}) as folded`.execute(tx);
  return rows[0]?.folded ?? 0;
}
