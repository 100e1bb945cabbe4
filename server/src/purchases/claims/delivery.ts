import type { DateOnly } from '@aparta/domain/calendar';
import { deliverBy, isPromiseOver } from '@aparta/domain/claims';

import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type ClaimRow, findClaim, findClaimable } from './read-model.ts';

/** What was promised of handing a purchase over, and what became of it. */
export interface Delivery {
  readonly days: number;
  /** The last day of the promise, once the purchase is paid whole. */
  readonly by: DateOnly | null;
  readonly mayClaim: boolean;
  readonly claim: ClaimRow | undefined;
}

/** The promise of delivery of a buyer's purchase, and its newest claim. Refuses NOT_FOUND. */
export async function readDelivery(db: Db, buyerId: number, purchaseId: number): Promise<Delivery> {
  const [purchase, claim] = await Promise.all([
    findClaimable(db, { buyerId }, purchaseId),
    findClaim(db, purchaseId),
  ]);
  if (purchase === undefined) throw new Refusal('NOT_FOUND');
  const { settledAt, deliveryDays: days, now, state } = purchase;
  const isUnclaimed = claim === undefined || claim.endedAt !== null;
  return {
    days,
    by: settledAt === null ? null : deliverBy(settledAt, days),
    mayClaim: state === 'active' && isUnclaimed && settledAt !== null && isPromiseOver(settledAt, days, now),
    claim,
  };
}
