import { mexicoCityDate } from '@aparta/domain/calendar';

import { recordStaffAct } from '../../../accounts/staff/store.ts';
import { type Cell, writeCsv } from '../../../platform/csv.ts';
import type { Db } from '../../../platform/db/db.ts';
import { transaction } from '../../../platform/db/transaction.ts';
import type { Staff } from '../../../platform/principal.ts';
import { writeXlsx } from '../../../platform/xlsx.ts';

/** A spreadsheet of so many lines takes a third of a second of the server. */
export const MOST_LINES = 5_000;

export interface List {
  readonly name: string;
  readonly columns: readonly string[];
  /** Of more than {@link MOST_LINES} the first are saved. */
  readonly lines: readonly (readonly Cell[])[];
}

export interface SavedList {
  readonly fileName: string;
  readonly contentByteArray: string;
  readonly isWhole: boolean;
}

/** A list as a file. Who saved it is written down, with what it was `of`. */
export async function saveList(
  db: Db,
  by: Staff,
  format: 'csv' | 'xlsx',
  { name, columns, lines: all }: List,
  of: Readonly<Record<string, unknown>>,
): Promise<SavedList> {
  const lines = all.slice(0, MOST_LINES);
  const bytes = format === 'csv' ? Buffer.from(writeCsv(columns, lines)) : await writeXlsx(columns, lines);
  const detail = { ...of, format, lines: lines.length };
  await transaction(db, (tx) => recordStaffAct(tx, { by, act: 'save_list', subject: name, detail }));
  const isWhole = lines.length === all.length;
  return {
    // Whoever is sent the file has not read the screen.
    fileName: `${name}-${mexicoCityDate(new Date())}${isWhole ? '' : `-ultimas-${MOST_LINES}`}.${format}`,
    contentByteArray: bytes.toString('base64'),
    isWhole,
  };
}
