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

/**
 * The window, by the provider's clock, in which an attempt's charge must be. A window that reaches to the present never stands
 * still at a busy merchant, so it ends when no charge can come any more.
 */
export function windowOf(
  { createdAt, now }: { readonly createdAt: Date; readonly now: Date },
  aheadMs: number,
): { readonly from: Date; readonly to: Date } {
  const to = Math.min(now.getTime() + AROUND_MS, createdAt.getTime() + LONGEST_MS);
  return {
    from: new Date(createdAt.getTime() - AROUND_MS + Math.min(0, aheadMs)),
    to: new Date(to + Math.max(0, aheadMs)),
  };
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
