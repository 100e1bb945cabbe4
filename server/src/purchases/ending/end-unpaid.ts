import { sql } from 'kysely';

import { announce } from '../../platform/changes/announce.ts';
import type { Tx } from '../../platform/db/db.ts';
import { isBeingPaid } from '../plans/being-paid.read-model.ts';
import { endPurchase } from '../plans/end-purchase.ts';
import { lockPurchase, sumPaid } from '../plans/store.ts';
import { ALL_TAKEN_BACK } from './copy.ts';

/** A purchase that ended so. */
export interface EndedUnpaid {
  readonly id: number;
  readonly merchantId: number;
  readonly productName: string;
}

/**
 * Ends active purchases of which nothing is paid any more, at most `limit`, the oldest first: the last of their money was taken back
 * before that ended a purchase by itself (rules/tills-and-cash#till-reversals). One that a card is paying stays.
 */
export async function endUnpaid(tx: Tx, limit: number): Promise<EndedUnpaid[]> {
  const found = await tx
    .selectFrom('purchases')
    .select('id')
    .where('state', '=', 'active')
    .where(sql<boolean>`paid_centavos = 0`)
    .where(({ not }) => not(isBeingPaid(sql.ref('purchases.id'), 'anybody')))
    .orderBy('id')
    .limit(limit)
    .execute();
  const ended: EndedUnpaid[] = [];
  for (const { id } of found) {
    const purchase = await lockPurchase(tx, id);
    // Paid or ended since it was found.
    if (purchase?.state !== 'active' || (await sumPaid(tx, id)) > 0) continue;
    await endPurchase(tx, id, { event: 'voided', by: 'reversal', notes: ALL_TAKEN_BACK });
    await announce(tx, `buyer:${purchase.buyerId}`);
    ended.push({ id, merchantId: purchase.merchantId, productName: purchase.productName });
  }
  return ended;
}
