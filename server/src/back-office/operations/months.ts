import { addDays, type DateOnly, lastDayOfMonth } from '@aparta/domain/calendar';
import { type RawBuilder, sql } from 'kysely';

/** Whether a moment is in the month of Mexico City that begins on that day; always, without one. */
export function isInMonth(moment: RawBuilder<unknown>, month: DateOnly | undefined): RawBuilder<boolean> {
  if (month === undefined) return sql`true`;
  const next = addDays(lastDayOfMonth(month), 1);
  return sql`(${moment} >= ${month}::date::timestamp at time zone 'America/Mexico_City'
    and ${moment} < ${next}::date::timestamp at time zone 'America/Mexico_City')`;
}
