import { isIvaRate } from '@aparta/domain/fiscal';
import { parseDecimal, pesosToCentavos, zero, type Centavos } from '@aparta/domain/money';
import type { PlanProblem } from '@aparta/domain/plan';
import { PRODUCT_LENGTHS } from '@aparta/domain/product-lengths';
import { isSeen } from '@aparta/domain/seen';
import { CsvError, type Info, parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';

import { decodeText } from '../../platform/file-rows.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { type ProductEntry, sameSku } from './store.ts';
import { isOversized } from './oversized-workbook.ts';
import { type Strange, strangeCells, textOrError } from './strange-cells.ts';

/** The columns of a product file by what they are called in it, in any order; the first three must be there. */
export const PRODUCT_COLUMNS = ['sku', 'nombre', 'precio', 'descripcion', 'iva', 'clave_factura'] as const;
export type ProductColumn = (typeof PRODUCT_COLUMNS)[number];
const NEEDED: readonly ProductColumn[] = ['sku', 'nombre', 'precio'];

export type RowReason =
  | 'column_missing'
  | 'column_unknown'
  | 'column_twice'
  | 'empty'
  | 'too_long'
  | 'too_many_cells'
  | 'not_an_amount'
  | 'more_than_two_decimals'
  | 'zero'
  | 'not_a_rate'
  | 'sku_twice'
  | 'quote_not_closed'
  | 'not_csv'
  | Strange['strange']
  | `plan_${PlanProblem}`;

/** What is wrong with one cell. */
export interface RowProblem {
  /** As a person counts them: the headings are line 1. */
  readonly line: number;
  /** Undefined when it is the whole line. */
  readonly column: string | undefined;
  readonly reason: RowReason;
  /** What was there, or the other line that it agrees with. */
  readonly found: string;
}

export interface ProductFile {
  readonly rows: readonly { readonly line: number; readonly entry: ProductEntry }[];
  readonly problems: readonly RowProblem[];
  /** What it has no column for, and so says nothing of. */
  readonly unsaid: readonly (keyof ProductEntry)[];
  /** How the bytes were read, so that somebody can check the accents. */
  readonly encoding: 'UTF-8' | 'Windows-1252' | 'XLSX';
}

const MOST_BYTES = 10 * 1024 * 1024;
const MOST_ROWS = 20_000;
const LENGTHS = {
  sku: PRODUCT_LENGTHS.sku[1],
  nombre: PRODUCT_LENGTHS.name[1],
  descripcion: PRODUCT_LENGTHS.description[1],
  clave_factura: PRODUCT_LENGTHS.invoicingProductUuid[1],
} as const;

/** What the columns say that a file may leave out. */
const OPTIONAL = {
  descripcion: 'description',
  iva: 'ivaBasisPoints',
  clave_factura: 'invoicingProductUuid',
} as const satisfies Partial<Record<ProductColumn, keyof ProductEntry>>;

/** Cells as text by line; a number of a sheet keeps its digits. */
type Cell = string | number | Strange;
type Cells = readonly { readonly line: number; readonly cells: readonly Cell[] }[];

/**
 * Reads products from a CSV (with `,` or `;`, as UTF-8 or as Windows-1252) or from the first sheet of an XLSX, told apart by
 * their bytes. Every wrong cell is listed; a file that is neither, or beyond 10 MB or 20,000 rows, is refused whole.
 */
export async function readProductFile(bytes: Buffer): Promise<ProductFile> {
  if (bytes.length > MOST_BYTES) throw new RefusedChange('file_too_large', { most: '10 MB' });
  const isZip = bytes.subarray(0, 4).equals(Buffer.from('504b0304', 'hex'));
  const read = isZip ? await readXlsx(bytes) : readCsv(bytes);
  const [heading, ...lines] = read.table;
  if (heading === undefined && read.problems.length === 0) throw new RefusedChange('file_unreadable');
  if (lines.length > MOST_ROWS) throw new RefusedChange('file_too_large', { most: `${MOST_ROWS} productos` });

  const { encoding } = read;
  if (read.problems.length > 0) return { rows: [], problems: read.problems, unsaid: [], encoding };
  const { columns, problems } = readHeading(heading?.cells ?? []);
  if (problems.length > 0) return { rows: [], problems, unsaid: [], encoding };
  const unsaid = Object.entries(OPTIONAL).flatMap(([column, field]) =>
    columns.includes(column as ProductColumn) ? [] : [field],
  );
  const rows: { line: number; entry: ProductEntry }[] = [];
  const lineOfSku = new Map<string, number>();
  for (const { line, cells } of lines) {
    const { entry, problems: wrong } = readRow(line, cells, columns);
    const sku = sameSku(entry.sku);
    const first = lineOfSku.get(sku);
    if (entry.sku !== '' && first !== undefined)
      wrong.push({ line, column: 'sku', reason: 'sku_twice', found: String(first) });
    else lineOfSku.set(sku, line);
    if (wrong.length === 0) rows.push({ line, entry });
    problems.push(...wrong);
  }
  return { rows, problems, unsaid, encoding };
}

interface ReadTable {
  readonly table: Cells;
  readonly problems: RowProblem[];
  readonly encoding: ProductFile['encoding'];
}

async function readXlsx(bytes: Buffer): Promise<ReadTable> {
  if (isOversized(bytes)) throw new RefusedChange('file_too_large', { most: `${MOST_ROWS} productos` });
  try {
    const rows = await readSheet(bytes);
    const strange = strangeCells(bytes);
    const table = rows.map((row, index) => ({
      line: index + 1,
      cells: row.map((value, column) => strange.get(addressOf(column, index + 1)) ?? cellOfSheet(value)),
    }));
    return { table: table.filter(isFilled), problems: [], encoding: 'XLSX' };
  } catch {
    throw new RefusedChange('file_unreadable');
  }
}

function cellOfSheet(value: unknown): Cell {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return textOrError(clean(value));
  if (value instanceof Date) return { strange: 'cell_date', found: value.toISOString().slice(0, 10) };
  if (typeof value === 'boolean') return { strange: 'cell_yes_no', found: value ? 'VERDADERO' : 'FALSO' };
  return '';
}

/** `C5`. A product file has fewer than 26 columns. */
function addressOf(column: number, line: number): string {
  return `${String.fromCharCode(65 + column)}${line}`;
}

function readCsv(bytes: Buffer): ReadTable {
  if (bytes.includes(0)) throw new RefusedChange('file_unreadable');
  const { text: given, encoding } = decodeText(bytes);
  const text = given.replaceAll(/\r\n?/g, '\n'); // inside quotes the parser counts the two as two lines
  const [heading = ''] = text.split('\n', 1);
  const delimiter = [';', '\t', ','].find((sign) => heading.includes(sign)) ?? ',';
  try {
    const records = parse(text, {
      delimiter,
      info: true,
      relax_column_count: true,
      max_record_size: 100_000,
    }) as unknown as { info: Info; record: string[] }[];
    let line = 1;
    const table = records.map(({ info, record }) => {
      const begins = line;
      line = info.lines + 1; // a cell in quotes may hold line ends
      return { line: begins, cells: record.map((text) => textOrError(clean(text))) };
    });
    return { table: table.filter(isFilled), problems: [], encoding };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
    const line = isOpen ? lineOfOpenQuote(text) : typeof error['lines'] === 'number' ? error['lines'] : 1;
    const reason = isOpen ? 'quote_not_closed' : 'not_csv';
    return { table: [], problems: [{ line, column: undefined, reason, found: '' }], encoding };
  }
}

/** The parser notices at the end of the file what went wrong far above. */
function lineOfOpenQuote(text: string): number {
  let opened = 1;
  let isOpen = false;
  for (const [index, line] of text.split('\n').entries()) {
    if ((line.split('"').length - 1) % 2 === 0) continue;
    isOpen = !isOpen;
    if (isOpen) opened = index + 1;
  }
  return opened;
}

function isFilled({ cells }: Cells[number]): boolean {
  return cells.some((cell) => cell !== '');
}

/** Trimmed, without controls and marks that turn the reading direction round. */
function clean(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
}

function readHeading(cells: readonly Cell[]): {
  columns: readonly ProductColumn[];
  problems: RowProblem[];
} {
  const named = cells.map((given) => {
    const cell = typeof given === 'object' ? given.found : given;
    const name = String(cell).normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '_');
    return { cell: String(cell), column: PRODUCT_COLUMNS.find((known) => known === name) };
  });
  const columns = named.flatMap(({ column }) => column ?? []);
  const wrong = (reason: RowReason, found: string): RowProblem => ({
    line: 1,
    column: undefined,
    reason,
    found,
  });
  return {
    columns,
    problems: [
      ...named.filter(({ column }) => column === undefined).map(({ cell }) => wrong('column_unknown', cell)),
      ...NEEDED.filter((needed) => !columns.includes(needed)).map((needed) =>
        wrong('column_missing', needed),
      ),
      ...columns
        .filter((column, at) => columns.indexOf(column) !== at)
        .map((column) => wrong('column_twice', column)),
    ],
  };
}

function readRow(
  line: number,
  cells: readonly Cell[],
  columns: readonly ProductColumn[],
): { entry: ProductEntry; problems: RowProblem[] } {
  const problems: RowProblem[] = [];
  const wrong = (column: string | undefined, reason: RowReason, found: string | number = '') => {
    problems.push({ line, column, reason, found: shortened(String(found)) });
  };
  const cell = (column: ProductColumn) => {
    const given = cells[columns.indexOf(column)] ?? '';
    return typeof given === 'object' ? '' : given;
  };
  const strange = columns.flatMap((column, at) => {
    const given = cells[at];
    return typeof given === 'object' ? [{ column, ...given }] : [];
  });
  const written = (column: keyof typeof LENGTHS) => {
    const text = String(cell(column));
    if ([...text].length > LENGTHS[column]) wrong(column, 'too_long', text);
    if (!isSeen(text) && NEEDED.includes(column)) wrong(column, 'empty');
    return text;
  };
  const tooMany = cells.slice(columns.length).find((extra) => extra !== '');
  if (tooMany !== undefined)
    wrong(undefined, 'too_many_cells', typeof tooMany === 'object' ? tooMany.found : tooMany);

  const price = readPrice(cell('precio'));
  if (typeof price === 'string') wrong('precio', price, cell('precio'));
  const iva = readRate(cell('iva'));
  if (iva === undefined) wrong('iva', 'not_a_rate', cell('iva'));
  const entry = {
    sku: written('sku'),
    name: written('nombre'),
    description: written('descripcion'),
    priceCentavos: typeof price === 'string' ? zero : price,
    ivaBasisPoints: iva ?? 0,
    invoicingProductUuid: written('clave_factura'),
  };
  // What such a cell holds is not read, so nothing else is wrong with it.
  const read = problems.filter(({ column }) => !strange.some((each) => each.column === column));
  const unread = strange.map(({ column, strange: reason, found }) => ({
    line,
    column,
    reason,
    found: shortened(found),
  }));
  return { entry, problems: [...read, ...unread] };
}

/** `3000`, `3000.5`, `3,000.50`, `$3,000.00`: the point parts centavos and the comma thousands, as Mexico writes. */
function readPrice(cell: string | number): Centavos | RowReason {
  if (cell === '') return 'empty';
  const plain = typeof cell === 'number' ? cell : cell.replace(/^\$\s*/, '');
  const digits = String(plain);
  if (/^[\d,]*\.\d{3,}$/.test(digits)) return 'more_than_two_decimals';
  const isGrouped = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits);
  const amount =
    typeof plain === 'number'
      ? pesosToCentavos(plain)
      : parseDecimal(isGrouped ? digits.replaceAll(',', '') : digits);
  if (amount === undefined) return 'not_an_amount';
  return amount === 0 ? 'zero' : amount;
}

/** `16`, `16%`, and 0.16, as a sheet holds a percentage. Nothing means 16 %. */
function readRate(cell: string | number): number | undefined {
  if (cell === '') return 1600;
  const [, whole] = /^(\d{1,2})\s*%?$/.exec(String(cell)) ?? [];
  const basisPoints =
    whole !== undefined ? Number(whole) * 100 : typeof cell === 'number' ? Math.round(cell * 10_000) : -1;
  return isIvaRate(basisPoints) ? basisPoints : undefined;
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
