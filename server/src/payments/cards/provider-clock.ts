import { raiseAlert, resolveAlerts } from '../../platform/alerts.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Log } from '../../platform/logging.ts';

/** A provider's clock may differ from the database's by this much before somebody is told and its list is read wider. */
export const MOST_APART_MS = 60_000;

const MINUTE = 60_000;
/** A clock may have been set right between a charge and its list, so a window begins long before and ends long after. */
export const AROUND_MS = 15 * MINUTE;
/** A card token lives 15 minutes (rules/providers#clip-card-token), so no charge is made later than this after its attempt. */
const LONGEST_MS = 30 * MINUTE;
/** No clock is off by more, be it by a time zone. */
const FARTHEST_MS = 12 * 60 * MINUTE;

interface Window {
  readonly from: Date;
  readonly to: Date;
}

/**
 * The time in which an attempt's charge should be, and the time before and after it, in which it is if a clock was wrong then and
 * is right now. A window that reaches to the present never stands still at a busy merchant, so `near` ends when no charge can
 * come any more.
 */
export function windowsOf({ createdAt, now }: { readonly createdAt: Date; readonly now: Date }): {
  readonly near: Window;
  readonly far: readonly Window[];
} {
  const madeAt = createdAt.getTime();
  const near = {
    from: new Date(madeAt - AROUND_MS),
    to: new Date(Math.min(now.getTime() + AROUND_MS, madeAt + LONGEST_MS)),
  };
  const far = [
    { from: new Date(madeAt - FARTHEST_MS), to: near.from },
    { from: near.to, to: new Date(madeAt + FARTHEST_MS) },
  ];
  return { near, far };
}

/** Whether the provider's clock is so far off that a charge of now would be in none of the windows. */
export function isAbsurd(aheadMs: number): boolean {
  return Math.abs(aheadMs) > FARTHEST_MS - LONGEST_MS;
}

/** Tells somebody while the provider's clock and the database's are too far apart, and takes it back when they agree. */
export async function watchProviderClock(db: Db, aheadMs: number, log: Log): Promise<void> {
  if (Math.abs(aheadMs) <= MOST_APART_MS) {
    await resolveAlerts(db, ['provider_clock_off'], ['clip']);
    return;
  }
  const aheadSeconds = Math.round(aheadMs / 1_000);
  await raiseAlert(db, 'provider_clock_off', 'clip', { aheadSeconds });
  log.error({ aheadSeconds }, 'the clocks of the card provider and of the database are apart');
}
