import { addDays, lastDayOfMonth, type DateOnly } from '@aparta/domain/calendar';
import { isStatementRange } from '@aparta/domain/statement';
import { paths } from '../app/paths.ts';
import type { Range } from '../data/statement.ts';

/** Days that have a name, as the address spells it. */
export const NAMED_RANGES = ['este-mes', 'mes-pasado', 'este-anio'] as const;
export type NamedRange = (typeof NAMED_RANGES)[number];

/** Spelt out: what is shared with the list's chunk would bring all of it along. */
export function statementAddress(range: NamedRange | Range): string {
  const word = typeof range === 'string' ? range : `${range.from}_${range.to}`;
  return `${paths.purchases}?cuenta=${word}`;
}

/** The days that an address means today; this month where it means none. */
export function rangeIn(word: string, today: DateOnly): { name: NamedRange | undefined; range: Range } {
  const [, from, to] = /^(\d{4}-\d\d-\d\d)_(\d{4}-\d\d-\d\d)$/.exec(word) ?? [];
  if (from !== undefined && to !== undefined && isAsked({ from, to }))
    return { name: undefined, range: { from, to } };
  const name = NAMED_RANGES.find((each) => each === word) ?? 'este-mes';
  return { name, range: namedRange(name, today) };
}

function namedRange(name: NamedRange, today: DateOnly): Range {
  const first = `${today.slice(0, 7)}-01`;
  if (name === 'este-anio') return { from: `${today.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31` };
  if (name === 'este-mes') return { from: first, to: lastDayOfMonth(today) };
  const to = addDays(first, -1);
  return { from: `${to.slice(0, 7)}-01`, to };
}

/** Whether the server would answer. */
export function isAsked(range: Range): boolean {
  try {
    return range.from >= '2000' && range.to < '2200' && isStatementRange(range);
  } catch {
    // Not in the calendar.
    return false;
  }
}
