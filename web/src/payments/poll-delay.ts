/** How long a screen polls: a 3DS window may take its half hour (rules/card-attempts#clocks). */
export type PollingSpan = 'once' | 'minutes' | 'halfHour';

const POLLING_ENDS_MS: Record<PollingSpan, number> = { once: 0, minutes: 3 * 60_000, halfHour: 30 * 60_000 };

/** Delay before the next poll, or false to stop: from 1 s up to 5 s, and 15 s after three minutes. */
export function nextPollMs(polls: number, elapsedMs: number, span: PollingSpan): number | false {
  if (elapsedMs >= POLLING_ENDS_MS[span]) return false;
  return elapsedMs >= POLLING_ENDS_MS.minutes ? 15_000 : Math.min(5_000, Math.round(1_000 * 1.4 ** polls));
}
