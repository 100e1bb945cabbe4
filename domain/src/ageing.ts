import { daysBetween, type DateOnly } from './calendar.ts';

/** How long the oldest unpaid day of a purchase is past. */
export const AGES = ['1-30', '31-60', '61+'] as const;
export type Age = (typeof AGES)[number];

/** The days that each age counts, both ends in it; the last has no end. */
export const AGE_DAYS: Readonly<Record<Age, { readonly least: number; readonly most: number | null }>> = {
  '1-30': { least: 1, most: 30 },
  '31-60': { least: 31, most: 60 },
  '61+': { least: 61, most: null },
};

/** The age of what was due on a day; undefined while it is in time, the due day included. */
export function ageOf(dueOn: DateOnly, today: DateOnly): Age | undefined {
  const days = daysBetween(dueOn, today);
  return AGES.find((age) => days >= AGE_DAYS[age].least && days <= (AGE_DAYS[age].most ?? days));
}
