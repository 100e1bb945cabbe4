import { writeCsv } from '@aparta/server/platform/csv';
import { whole } from './options.ts';
import { withFiles } from './out-files.ts';
import { around, type Columns, type Said, table } from './print.ts';

/** How many rows a long list prints where nobody says otherwise. A file has all of them. */
export const limit = { ...whole('Cuántos se muestran; un archivo los lleva todos'), default: '100' } as const;

/** The first rows of a list, the newest, and how many there are. */
export function listing<Row extends object>(
  { rows, total }: { readonly rows: readonly Row[]; readonly total: number },
  columns: Columns<Row>,
  { none }: { none: string },
): Said {
  const said = table(rows, columns, { none });
  if (total <= rows.length) return said;
  const more = `Se muestran ${rows.length} de ${total}, de lo más nuevo. Para ver otros: --limit, --month o --csv.`;
  return around(said, (text) => `${text}\n${more}`);
}

/** Writes rows as a CSV file that its owner alone reads, under the same headings as their table. */
export async function csvFile<Row>(file: string, rows: readonly Row[], columns: Columns<Row>): Promise<Said> {
  const csv = writeCsv(
    columns.map(([heading]) => heading.toLowerCase()),
    rows.map((row) => columns.map(([, cell]) => cell(row))),
  );
  await withFiles((draft) => draft(file, csv, { private: true }));
  return {
    text: `${rows.length} ${rows.length === 1 ? 'renglón' : 'renglones'} en ${file}.`,
    json: { file, rows: rows.length },
  };
}
