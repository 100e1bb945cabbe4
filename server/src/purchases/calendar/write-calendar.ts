import { addDays, type DateOnly } from '@aparta/domain/calendar';
import { groupDigits } from '@aparta/domain/payment-reference';
import { withoutLink } from '@aparta/domain/web-address';
import ical, {
  ICalAlarmType,
  ICalEventClass,
  type ICalEventData,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator';

import { linksFrom } from '../../platform/email/links.ts';
import { calendarCopy as copy } from './copy.ts';
import type { CalendarDate } from './read-model.ts';

const HOUR_SECONDS = 3_600;
/** At ten in the morning of the day before, by the clock of whoever looks: an event of a day begins at its midnight. */
const ALARM_SECONDS = 14 * HOUR_SECONDS;
/** How often a calendar is asked to look again; most decide themselves. */
const REFRESH_SECONDS = 6 * HOUR_SECONDS;

export interface CalendarPlace {
  readonly productName: string;
  readonly publicOrigin: string;
}

/**
 * Dates as RFC 5545 writes them, each a day of its own. As long as nothing changes every byte stays. It names no buyer: calendars
 * are shared, and kept by others.
 */
export function writeCalendar(
  dates: readonly CalendarDate[],
  { productName, publicOrigin }: CalendarPlace,
): string {
  const calendar = ical({
    name: copy.name(productName),
    prodId: { company: productName, product: 'pagos', language: 'ES' },
    ttl: REFRESH_SECONDS,
  });
  for (const date of dates) calendar.createEvent(eventOf(date, publicOrigin));
  return calendar.toString();
}

function eventOf(date: CalendarDate, publicOrigin: string): ICalEventData {
  const isCancelled = date.state === 'cancelled';
  const isOpen = !isCancelled && date.owedCentavos > 0;
  const url = linksFrom(publicOrigin).pay(date.purchaseId);
  // Calendars make links too, and are shared.
  const tradeName = withoutLink(date.tradeName);
  const said = { ...date, owed: date.owedCentavos, productName: withoutLink(date.productName), tradeName };
  const lines = [
    copy.from(said),
    ...(isOpen ? [copy.owed(said.owed, date.hasFee)] : []),
    ...(isOpen && date.planReference !== null ? [copy.till(tradeName, groupDigits(date.planReference))] : []),
    ...(isOpen ? [copy.pay(url)] : []),
  ];
  const summary = (isCancelled ? copy.cancelled : isOpen ? copy.toPay : copy.paid)(said);
  return {
    id: `pago-${date.instalmentId}@${new URL(publicOrigin).hostname}`,
    sequence: date.changes,
    stamp: date.changedAt,
    lastModified: date.changedAt,
    start: midnight(date.dueOn),
    end: midnight(addDays(date.dueOn, 1)),
    allDay: true,
    summary,
    description: lines.join('\n'),
    url,
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    class: ICalEventClass.PRIVATE,
    transparency: ICalEventTransparency.TRANSPARENT,
    ...(isOpen &&
      !date.isClaimed && {
        alarms: [
          { type: ICalAlarmType.display, triggerBefore: ALARM_SECONDS, description: copy.alarm(said) },
        ],
      }),
  };
}

/** The library reads a day in UTC. */
const midnight = (day: DateOnly) => new Date(`${day}T00:00:00Z`);
