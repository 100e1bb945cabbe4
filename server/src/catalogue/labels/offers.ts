import type { Db } from '../../platform/db/db.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findPlan } from '../merchants/store.ts';
import { type OfferedProduct, pageOfOffers } from './store.ts';

const PAGE = 50;

/** A page of what the caller's merchant has on sale, or has taken off it; `next` leads to the one after it. */
export async function offersOf(
  db: Db,
  { merchantId }: Staff,
  {
    search,
    isWithdrawn,
    after = 0,
  }: { readonly search: string; readonly isWithdrawn: boolean; readonly after: number | undefined },
): Promise<{
  readonly offers: readonly OfferedProduct[];
  readonly next: number | undefined;
  readonly total: number | undefined;
}> {
  const { offers, total } = await pageOfOffers(db, {
    merchantId,
    isWithdrawn,
    search,
    after,
    limit: PAGE + 1,
  });
  const page = offers.slice(0, PAGE);
  return {
    offers: page,
    next: offers.length > PAGE ? page.at(-1)?.productId : undefined,
    total: after === 0 ? total : undefined,
  };
}

/** One of them, on sale or not. Refuses NOT_FOUND, for another merchant's too. */
export async function offerOf(db: Db, { merchantId }: Staff, productId: number): Promise<OfferedProduct> {
  const { offers } = await pageOfOffers(db, { merchantId, productId, limit: 1 });
  const [offer] = offers;
  if (offer === undefined) throw new Refusal('NOT_FOUND');
  return offer;
}

/** The plan that the caller's merchant offers today. */
export async function planTermsOf(db: Db, { merchantId }: Staff): ReturnType<typeof findPlan> {
  return findPlan(db, merchantId);
}
