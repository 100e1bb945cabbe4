import type { DateOnly } from '@aparta/domain/calendar';
import { type Centavos, decimal } from '@aparta/domain/money';
import { stringify } from 'csv-stringify/sync';

import { inertCell } from './printed-text.ts';

/** Money in a list; below zero when it went. */
export interface Amount {
  readonly centavos: number;
}

/** A day in a list. */
export interface Day {
  readonly on: DateOnly;
}

/** A cell of a list. In a file amounts are plain numbers of pesos, days and moments ISO 8601 by the clock of Mexico City. */
export type Cell = string | number | Amount | Day | Date | null | undefined;

const CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Mexico_City',
  dateStyle: 'short',
  timeStyle: 'short',
});

/** A CSV file for people: no text of it can run as a formula, and spreadsheets read its accents by the byte order mark. */
export function writeCsv(columns: readonly string[], lines: readonly (readonly Cell[])[]): string {
  return stringify(
    lines.map((line) => line.map(written)),
    { header: true, columns: [...columns], record_delimiter: 'windows', bom: true },
  );
}

function written(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return CLOCK.format(cell);
  if (typeof cell === 'object' && 'on' in cell) return cell.on;
  if (typeof cell === 'object')
    return `${cell.centavos < 0 ? '-' : ''}${decimal(Math.abs(cell.centavos) as Centavos)}`;
  return typeof cell === 'number' ? String(cell) : inertCell(cell);
}
