import { daysBetween, referenceExpiry } from '@aparta/domain/calendar';
import { planEndsOn } from '@aparta/domain/plan-end';

import type { Tx } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readEndClock } from '../../purchases/ending/read-model.ts';
import type { LockedPurchase } from '../../purchases/plans/store.ts';

const DAYS = 2; // spec §9

/**
 * Until when stores take cash for a number of a plan that is asked for now: 23:59 Mexico City two days on, or of the last day before
 * its rule may end it (rules/tills-and-cash#cash-references). Refuses TOO_LATE_FOR_STORES when that day is over.
 */
export async function numberExpiry(tx: Tx, { id, now }: LockedPurchase): Promise<Date> {
  const { clock } = await readEndClock(tx, id);
  const daysLeft = clock === undefined ? DAYS : daysBetween(clock.today, planEndsOn(clock)) - 1;
  const expiresAt = referenceExpiry(now, Math.min(daysLeft, DAYS));
  if (expiresAt <= now) throw new Refusal('TOO_LATE_FOR_STORES');
  return expiresAt;
}
