import { RefusedChange } from '../../platform/refused-change.ts';

/** The values that change, as they were and as they will be. */
export interface Changes<Entry> {
  readonly before: Partial<Entry>;
  readonly after: Partial<Entry>;
}

/** The given values that differ from what is there. Refuses when none does. */
export function changesOf<Entry extends object>(now: Entry, given: Partial<Entry>): Changes<Entry> {
  const names = (Object.keys(given) as (keyof Entry)[]).filter(
    (name) => given[name] !== undefined && JSON.stringify(given[name]) !== JSON.stringify(now[name]),
  );
  if (names.length === 0) throw new RefusedChange('nothing_to_change');
  const pick = (from: Partial<Entry>) =>
    Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<Entry>;
  return { before: pick(now), after: pick(given) };
}

/** Refuses a text that is too short or too long; lengths are characters, both ends allowed. */
export function demandLength(field: string, text: string, least: number, most: number): void {
  const { length } = [...text];
  if (length < least || length > most) throw new RefusedChange('field_length', { field, least, most });
}
