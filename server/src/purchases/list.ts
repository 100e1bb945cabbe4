import type { ListFilter } from '@aparta/domain/purchase-status';

import type { Db } from '../db/db.ts';
import type { Buyer } from '../principal.ts';
import { Refusal } from '../refusal.ts';
import { findPurchasePage, type PurchaseRow } from './store.ts';

export interface ListRequest {
  readonly buyerId: number;
  readonly filter: ListFilter;
  /** Purchases on a page, 1 or more. */
  readonly limit: number;
  /** The last purchase of the page before. */
  readonly after: number | undefined;
}

export interface PurchasePage {
  readonly purchases: readonly PurchaseRow[];
  /** The `after` of the next page; undefined on the last one. */
  readonly next: number | undefined;
  /** On all pages; on the first one only. */
  readonly total: number | undefined;
}

/**
 * One page of the caller's purchases, newest first. A page goes on from a purchase and not from a count, so
 * ones that are made meanwhile neither repeat nor hide another. Refuses NOT_FOUND for any other buyer's.
 */
export async function listPurchases(
  db: Db,
  caller: Buyer,
  { buyerId, filter, limit, after }: ListRequest,
): Promise<PurchasePage> {
  if (buyerId !== caller.id) throw new Refusal('NOT_FOUND');
  // One more than asked for tells whether there is another page.
  const found = await findPurchasePage(db, { buyerId, filter, before: after, limit: limit + 1 });
  const purchases = found.purchases.slice(0, limit);
  const next = found.purchases.length > limit ? purchases.at(-1)?.id : undefined;
  return { purchases, next, total: found.total };
}
