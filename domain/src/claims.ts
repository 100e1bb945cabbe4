import { addBusinessDays, addDays, type DateOnly, endOfDayInMexicoCity, mexicoCityDate } from './calendar.ts';

/** Days within which a shop promises to hand over what is paid whole: what it says when it says nothing, and the most it may. */
export const DELIVERY_DAYS = { usual: 15, most: 90 } as const;

/** Business days that a shop has to answer a claim. */
const ANSWER_DAYS = 5;
/** Days after its opening beyond which no answer puts off the day on which the operator is alerted. */
const MOST_DAYS = 30;

/** The last day of a promise of delivery, in Mexico City. */
export function deliverBy(settledAt: Date, promisedDays: number): DateOnly {
  return addDays(mexicoCityDate(settledAt), promisedDays);
}

/** Whether a promise of delivery was broken: its last day is over. */
export function isPromiseOver(settledAt: Date, promisedDays: number, now: Date): boolean {
  return mexicoCityDate(now) > deliverBy(settledAt, promisedDays);
}

/** Until when a shop may answer a claim before the operator is alerted. */
export function answerBy(openedAt: Date): Date {
  return endOfDayInMexicoCity(addBusinessDays(mexicoCityDate(openedAt), ANSWER_DAYS));
}

/** The last day that an answer may name. */
export function lastDayToPromise(openedAt: Date): DateOnly {
  return addDays(mexicoCityDate(openedAt), MOST_DAYS);
}

/** Until when the claim has to end once its shop has answered: the day that it named, or as long again as it had to answer. */
export function endBy(claim: { openedAt: Date; answeredAt: Date; promisedOn: DateOnly | null }): Date {
  const asked = claim.promisedOn ?? addBusinessDays(mexicoCityDate(claim.answeredAt), ANSWER_DAYS);
  const [first = asked] = [asked, lastDayToPromise(claim.openedAt)].toSorted();
  return endOfDayInMexicoCity(first);
}
