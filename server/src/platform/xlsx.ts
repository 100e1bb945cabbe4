import type { Cell as SheetCell } from 'write-excel-file/node';

import type { Cell } from './csv.ts';

const HOURS_BEHIND_UTC = 6;

/** A spreadsheet of one page: amounts are numbers, days and moments are dates by the clock of Mexico City, texts are texts alone. */
export async function writeXlsx(
  columns: readonly string[],
  lines: readonly (readonly Cell[])[],
): Promise<Buffer> {
  // Seldom wanted: loaded when it is.
  const { default: writeExcelFile } = await import('write-excel-file/node');
  const head = columns.map((value): SheetCell => ({ value, fontWeight: 'bold' }));
  return writeExcelFile([head, ...lines.map((line) => line.map(written))], {
    columns: columns.map((name) => ({ width: Math.max(14, name.length + 2) })),
    stickyRowsCount: 1,
  }).toBuffer();
}

function written(cell: Cell): SheetCell {
  if (cell === null || cell === undefined || cell === '') return null;
  if (typeof cell === 'string') return { value: cell, type: String };
  if (typeof cell === 'number') return cell;
  // A spreadsheet knows no zones; Mexico City has been six hours behind all year since 2022.
  if (cell instanceof Date)
    return {
      value: new Date(cell.getTime() - HOURS_BEHIND_UTC * 3_600_000),
      type: Date,
      format: 'dd/mm/yyyy hh:mm',
    };
  if ('on' in cell) return { value: new Date(`${cell.on}T00:00:00Z`), type: Date, format: 'dd/mm/yyyy' };
  return { value: cell.centavos / 100, type: Number, format: '#,##0.00' };
}
