import { mexicoCityDate } from '@aparta/domain/calendar';

/** Hours of Mexico City at which the day's sales may cover a refund (rules/refunds#no-balance). */
const RETRY_HOURS = [14, 18, 22];

/** Milliseconds to the next retry hour. */
export function untilRetry(now: Date): number {
  const midnight = new Date(`${mexicoCityDate(now)}T00:00:00-06:00`).getTime();
  const at = [...RETRY_HOURS, (RETRY_HOURS[0] ?? 0) + 24]
    .map((hour) => midnight + hour * 3_600_000)
    .find((moment) => moment > now.getTime());
  return (at ?? now.getTime() + 3_600_000) - now.getTime();
}
