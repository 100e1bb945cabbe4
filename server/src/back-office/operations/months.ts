import { type DateOnly, lastDayOfMonth } from '@aparta/domain/calendar';
import { type RawBuilder, sql } from 'kysely';

import { startOf } from '../../platform/db/mexico-city.ts';

/** Whether a moment is in the month of Mexico City that begins on that day; always, without one. */
export function isInMonth(moment: RawBuilder<unknown>, month: DateOnly | undefined): RawBuilder<boolean> {
  if (month === undefined) return sql`true`;
  return sql`(${moment} >= ${startOf(month)} and ${moment} < ${startOf(lastDayOfMonth(month), 1)})`;
}
