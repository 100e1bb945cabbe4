import { addDays, type DateOnly, lastDayOfMonth, mexicoCityDate } from './calendar.ts';

/** What this rule reads of a payment of what is to be invoiced. */
export interface DatedPayment {
  readonly paidAt: Date;
  /** When we heard of it. */
  readonly bookedAt: Date;
  /** The merchant's cut-off when it was booked, in days after the month's end; null: none. */
  readonly cutOffDays: number | null;
}

/** The most that a merchant may set. */
export const MOST_CUT_OFF_DAYS = 366;

/**
 * The last day on which an invoice of what these payments paid may be asked for: so many days after the end of the month of the
 * last of them, in Mexico City; null: for ever. Of what was promised then and what the merchant says now, the buyer has the better.
 * Cash of which we heard only after that day could not be invoiced before: of such the month counts in which it was booked. What
 * was asked for in time and refused or cancelled only after that day, at `closedAt`, could not be asked for anew before: there the
 * month of that end counts.
 */
export function lastDayToInvoice(
  payments: readonly DatedPayment[],
  merchantDays: number | null,
  closedAt: Date | null,
): DateOnly | null {
  const last = payments.toSorted((one, other) => one.paidAt.getTime() - other.paidAt.getTime()).at(-1);
  if (last === undefined || last.cutOffDays === null || merchantDays === null) return null;
  const days = Math.max(last.cutOffDays, merchantDays);
  const endFor = (at: Date) => addDays(lastDayOfMonth(mexicoCityDate(at)), days);
  const bookedAt = new Date(Math.max(...payments.map((payment) => payment.bookedAt.getTime())));
  return [bookedAt, ...(closedAt === null ? [] : [closedAt])].reduce(
    (day, at) => (isPastCutOff(day, at) ? endFor(at) : day),
    endFor(last.paidAt),
  );
}

/** Whether that day is over in Mexico City. */
export function isPastCutOff(lastDay: DateOnly | null, now: Date): boolean {
  return lastDay !== null && mexicoCityDate(now) > lastDay;
}
