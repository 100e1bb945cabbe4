import { parse } from 'csv-parse/sync';

/** A cell that cannot be read, or no table at all. */
export interface FileProblem<Column extends string> {
  readonly line: number;
  readonly column: Column | undefined;
  readonly found: string;
}

/**
 * Reads a CSV list row by row with `read`; gives the rows, or every cell that is wrong. Cells come without the quote that
 * keeps a spreadsheet from running them as a formula; a missing cell is ''.
 */
export function readRows<Column extends string, Row>(
  text: string,
  read: (cell: (column: Column) => string, demand: (isGood: boolean, column: Column) => void) => Row,
): { rows: Row[] } | { problems: FileProblem<Column>[] } {
  let records: Record<string, string>[];
  try {
    records = parse(text, {
      columns: true,
      bom: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
    });
  } catch (error) {
    return { problems: [{ line: 1, column: undefined, found: error instanceof Error ? error.message : '' }] };
  }
  const problems: FileProblem<Column>[] = [];
  const rows = records.map((record, index) => {
    const cell = (column: Column) => (record[column] ?? '').replace(/^'(?=[=+\-@\t\r])/, '');
    return read(cell, (isGood, column) => {
      if (!isGood) problems.push({ line: index + 2, column, found: cell(column) });
    });
  });
  return problems.length > 0 ? { problems } : { rows };
}
