import { mexicoCityDate } from '@aparta/domain/calendar';
import { LIST_FILTERS, type ListFilter } from '@aparta/domain/purchase-status';

import type { Db } from '../../platform/db/db.ts';
import type { Buyer } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { listUnresolved } from '../layaways/shown.read-model.ts';
import { findPurchasePage, type ListPlace, type ListedRow } from './list.read-model.ts';
import { listWaiting, type WaitingRow } from './waiting.read-model.ts';

export interface ListRequest {
  readonly buyerId: number;
  readonly filter: ListFilter;
  /** Purchases on a page, 1 or more. */
  readonly limit: number;
  /** Where the page before ended. */
  readonly after: ListPlace | undefined;
}

export interface PurchasePage {
  readonly purchases: readonly ListedRow[];
  /** The `after` of the next page; undefined on the last one. */
  readonly next: ListPlace | undefined;
  /** How many there are on all pages; on the first page only. */
  readonly total: number | undefined;
  /** On the first page of the active ones: what has something for the buyer, though it may be in no page of theirs. */
  readonly waiting: readonly WaitingRow[];
  /** With the same page: how many layaway references without a purchase are unresolved, a few. */
  readonly unresolved: number;
}

/**
 * One page of the caller's purchases: late ones first, then newest first. A page continues from a purchase, not from an
 * offset, so that purchases made meanwhile neither repeat nor hide another. Refuses NOT_FOUND for any other buyer's.
 */
export async function listPurchases(
  db: Db,
  caller: Buyer,
  { buyerId, filter, limit, after }: ListRequest,
): Promise<PurchasePage> {
  if (buyerId !== caller.id) throw new Refusal('NOT_FOUND');
  // One more than asked for says whether there is another page.
  const isFirstOfActive = filter === LIST_FILTERS.active && after === undefined;
  const [found, waiting, unresolved] = await Promise.all([
    findPurchasePage(db, { buyerId, filter, after, limit: limit + 1 }),
    isFirstOfActive ? listWaiting(db, buyerId) : [],
    isFirstOfActive ? listUnresolved(db, buyerId) : [],
  ]);
  const purchases = found.purchases.slice(0, limit);
  const last = found.purchases.length > limit ? purchases.at(-1) : undefined;
  const next = last && { day: after?.day ?? mexicoCityDate(last.now), late: last.late, id: last.id };
  return { purchases, next, total: found.total, waiting, unresolved: unresolved.length };
}
