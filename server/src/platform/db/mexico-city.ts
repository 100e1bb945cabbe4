import type { DateOnly } from '@aparta/domain/calendar';
import { type RawBuilder, sql } from 'kysely';

/** What a clock on a wall in Mexico City shows at a moment. */
export const wallTimeOf = (moment: RawBuilder<unknown>) =>
  sql`(${moment} at time zone 'America/Mexico_City')`;

/** A moment's day there. */
export const dayOf = (moment: RawBuilder<unknown>) => sql<DateOnly>`${wallTimeOf(moment)}::date`;

/** The first moment of a day there, or of one some days later. */
export const startOf = (day: DateOnly | RawBuilder<unknown>, days = 0) =>
  sql<Date>`(((${day})::date + ${sql.lit(days)})::timestamp at time zone 'America/Mexico_City')`;

/** Today there. A planner estimates with the day that it is. */
export const TODAY = dayOf(sql`app_now()`);

/** Today there, read once per statement: for one that asks it of many rows. */
export const TODAY_ONCE = sql<DateOnly>`(select ${TODAY})`;
