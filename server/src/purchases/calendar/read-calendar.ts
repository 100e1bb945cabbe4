import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { calendarCopy } from './copy.ts';
import { findCalendarPurchase, listCalendarDates } from './read-model.ts';
import type { CalendarPlace } from './write-calendar.ts';

export interface CalendarDeps extends CalendarPlace {
  readonly db: Db;
}

/** All that a buyer has to pay, for who subscribed to it. */
export async function readCalendar({ db, ...place }: CalendarDeps, buyerId: number): Promise<string> {
  const [dates, { writeCalendar }] = await Promise.all([listCalendarDates(db, { buyerId }), writer()]);
  return writeCalendar(dates, place);
}

/** The unpaid dates of a buyer's purchase, as a file. Refuses NOT_FOUND, PURCHASE_CANCELLED and PURCHASE_SETTLED. */
export async function savePurchaseCalendar(
  { db, ...place }: CalendarDeps,
  buyerId: number,
  purchaseId: number,
): Promise<{ readonly fileName: string; readonly bytes: Buffer }> {
  const purchase = await findCalendarPurchase(db, buyerId, purchaseId);
  if (purchase === undefined) throw new Refusal('NOT_FOUND');
  if (purchase.state === 'cancelled') throw new Refusal('PURCHASE_CANCELLED');
  if (purchase.isPaidOff) throw new Refusal('PURCHASE_SETTLED');
  const dates = await listCalendarDates(db, { buyerId, purchaseId });
  const unpaid = dates.filter(({ owedCentavos }) => owedCentavos > 0);
  const { writeCalendar } = await writer();
  return { fileName: calendarCopy.fileName(purchaseId), bytes: Buffer.from(writeCalendar(unpaid, place)) };
}

/** Seldom wanted: loaded when it is. */
const writer = () => import('./write-calendar.ts');
