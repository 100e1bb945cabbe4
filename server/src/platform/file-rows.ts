import { CsvError, parse } from 'csv-parse/sync';

/** A cell that cannot be read, a column that is not there, or, without a column, no table: `found` is the parser's code. */
export interface FileProblem<Column extends string = string> {
  readonly line: number;
  readonly column: Column | undefined;
  readonly found: string;
  readonly isMissing?: true;
}

/** Excel saves a CSV in its country's old encoding unless told otherwise, and every byte is valid in that one. */
export function decodeText(bytes: Buffer): { text: string; encoding: 'UTF-8' | 'Windows-1252' } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' };
  }
}

/**
 * Reads a list row by row with `read`; gives the rows, or everything that is wrong. CSV, or what spreadsheets call CSV in
 * Mexico: separated by semicolons or tabs. A list without the `needed` columns is refused, or it would read as an empty one.
 * Cells come without the quote that keeps a spreadsheet from running them as a formula, with their accents composed, as calls
 * have them; a missing cell is ''.
 */
export function readRows<Column extends string, Row>(
  given: string,
  needed: readonly Column[],
  read: (cell: (column: Column) => string, demand: (isGood: boolean, column: Column) => void) => Row,
): { rows: Row[] } | { problems: FileProblem<Column>[] } {
  const text = given.normalize('NFC');
  let header: string[] = [];
  let records: { record: Record<string, string>; info: { lines: number } }[];
  try {
    records = parse(text, {
      columns: (titles: string[]) => (header = titles.map(plain)),
      delimiter: separatorOf(text),
      bom: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { problems: [{ line: Number(error['lines'] ?? 1), column: undefined, found: error.code }] };
  }
  const missing = needed.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    const found = header.join(', ').slice(0, 200);
    return { problems: missing.map((column) => ({ line: 1, column, found, isMissing: true })) };
  }
  const problems: FileProblem<Column>[] = [];
  const rows = records.map(({ record, info }) => {
    const cell = (column: Column) => (record[column] ?? '').replace(/^'(?=[=+\-@\t\r])/, '');
    return read(cell, (isGood, column) => {
      if (!isGood) problems.push({ line: info.lines, column, found: cell(column) });
    });
  });
  return problems.length > 0 ? { problems } : { rows };
}

/** The separator that the first line has most of. */
function separatorOf(text: string): string {
  const [first = ''] = text.trimStart().split(/[\r\n]/, 1);
  const count = (separator: string) => first.split(separator).length;
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}

/** A title without its accents and capitals. */
function plain(title: string): string {
  return title.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}
