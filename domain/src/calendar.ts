/** A day of the calendar, `YYYY-MM-DD`, with no time and no zone. */
export type DateOnly = string;

const DAY_MS = 86_400_000;
const MONTHS =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ');

/** Midnight UTC of a day, for arithmetic on days. Throws RangeError for a day that does not exist. */
function midnight(date: DateOnly): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : NaN;
  // Date.parse lets 30 February through as 2 March in some engines.
  if (Number.isNaN(at) || dateAt(at) !== date) throw new RangeError(`not a date: ${date}`);
  return at;
}

function dateAt(utcMs: number): DateOnly {
  return new Date(utcMs).toISOString().slice(0, 10);
}

/** Since then clocks in Mexico City stay six hours behind UTC (Ley de los Husos Horarios, 28 October 2022). */
const SUMMER_TIME_ENDED_MS = Date.UTC(2022, 9, 30, 7);
const BEHIND_MS = 6 * 3_600_000;

let clock: Intl.DateTimeFormat | undefined;

/** What a clock on a wall in Mexico City shows, read as if it were UTC. */
function wallTime(at: Date): number {
  // Without the platform's zones, which cost a slow phone 150 ms to load.
  if (at.getTime() >= SUMMER_TIME_ENDED_MS) return at.getTime() - BEHIND_MS;
  // oxlint-disable-next-line no-restricted-globals -- for summer times alone
  clock ??= new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Mexico_City',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const shown: Record<string, number> = {};
  for (const { type, value } of clock.formatToParts(at)) shown[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = shown;
  const millisecond = ((at.getTime() % 1000) + 1000) % 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
}

/** The day it is in Mexico City at a moment. */
export function mexicoCityDate(at: Date): DateOnly {
  return dateAt(wallTime(at));
}

/** The hour that it is in Mexico City at a moment, 0 to 23. */
export function mexicoCityHour(at: Date): number {
  return new Date(wallTime(at)).getUTCHours();
}

/** The last moment of a day in Mexico City, 23:59:59.999 there. */
export function endOfDayInMexicoCity(date: DateOnly): Date {
  const wall = midnight(date) + DAY_MS - 1;
  // The offset is read some hours early, at those figures in UTC; clocks there only ever changed at night.
  return new Date(wall - (wallTime(new Date(wall)) - wall));
}

/** A day so many days later, or earlier when `days` is negative. */
export function addDays(date: DateOnly, days: number): DateOnly {
  return dateAt(midnight(date) + days * DAY_MS);
}

/** The last day of the month that a day is in. */
export function lastDayOfMonth(date: DateOnly): DateOnly {
  const at = new Date(midnight(date));
  return dateAt(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0));
}

/** Whole days from one day to another; negative when `to` comes first. */
export function daysBetween(from: DateOnly, to: DateOnly): number {
  return (midnight(to) - midnight(from)) / DAY_MS;
}

/** When a reference made at a moment expires: the end of the day, Mexico City, `days` later (spec §9: 2). */
export function referenceExpiry(createdAt: Date, days = 2): Date {
  return endOfDayInMexicoCity(addDays(mexicoCityDate(createdAt), days));
}

/**
 * Monday to Friday, less the days of rest of article 74 of the Ley Federal del Trabajo. Election days, also
 * named there, fall on Sundays.
 */
export function isBusinessDay(date: DateOnly): boolean {
  const weekday = new Date(midnight(date)).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !isHoliday(date, weekday === 1);
}

function isHoliday(date: DateOnly, isMonday: boolean): boolean {
  const monthAndDay = date.slice(5);
  if (/^(01-01|05-01|09-16|12-25)$/.test(monthAndDay)) return true;
  // The federal executive is handed over on 1 October every sixth year, since 2024.
  const year = Number(date.slice(0, 4));
  if (monthAndDay === '10-01') return year >= 2024 && (year - 2024) % 6 === 0;
  // First Monday of February; third Mondays (15 to 21) of March and November.
  return isMonday && /^(02-0[1-7]|(03|11)-(1[5-9]|2[01]))$/.test(monthAndDay);
}

/** The n-th business day after a day (n at least 1); the day itself never counts. */
export function addBusinessDays(date: DateOnly, n: number): DateOnly {
  let day = date;
  for (let left = n; left > 0;) {
    day = addDays(day, 1);
    if (isBusinessDay(day)) left -= 1;
  }
  return day;
}

/** Until when a cancel costs nothing: the end of the fifth business day after the deposit, Mexico City. */
export function penaltyFreeUntil(depositAt: Date): Date {
  return endOfDayInMexicoCity(addBusinessDays(mexicoCityDate(depositAt), 5));
}

/** `20 nov 2026`. */
export function formatDate(date: DateOnly): string {
  const { day, month, year } = named(date);
  return `${day} ${month.slice(0, 3)} ${year}`;
}

/** `20 de noviembre de 2026`. */
export function formatDateLong(date: DateOnly): string {
  const { day, month, year } = named(date);
  return `${day} de ${month} de ${year}`;
}

/** `20 nov 2026, 13:42`, by the clock of Mexico City. */
export function formatMoment(at: Date): string {
  return `${formatDate(mexicoCityDate(at))}, ${new Date(wallTime(at)).toISOString().slice(11, 16)}`;
}

/** The day beside today that a date is, if it is one; the words for it are the screen's. */
export function relativeDay(date: DateOnly, today: DateOnly): 'yesterday' | 'today' | 'tomorrow' | undefined {
  const codes = { '-1': 'yesterday', '0': 'today', '1': 'tomorrow' } as const;
  return codes[String(daysBetween(today, date)) as keyof typeof codes];
}

function named(date: DateOnly): { day: number; month: string; year: number } {
  const at = new Date(midnight(date));
  return { day: at.getUTCDate(), month: MONTHS[at.getUTCMonth()] ?? '', year: at.getUTCFullYear() };
}

const MINUTE_MS = 60_000;

/** Whether a payment was booked so long after it was paid, a minute at least, that its receipt says both. */
export function isBookedLater({ paidAt, bookedAt }: { paidAt: Date; bookedAt: Date }): boolean {
  return bookedAt.getTime() - paidAt.getTime() >= MINUTE_MS;
}
