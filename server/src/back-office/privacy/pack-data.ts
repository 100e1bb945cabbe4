import { promisify } from 'node:util';

import { formatMoment } from '@aparta/domain/calendar';
import { type AsyncZippable, zip } from 'fflate';

import { type Cell, writeCsv } from '../../platform/csv.ts';
import { exportCopy as copy } from './copy.ts';
import type { Everything } from './read-model.ts';

type Row = Readonly<Record<string, unknown>>;

const packed = promisify<AsyncZippable, Uint8Array>(zip);

/** A buyer's data as people and programs read it: one JSON, a CSV for each table, and the files of their invoices. */
export async function packData(
  everything: Everything,
  { productName, at }: { readonly productName: string; readonly at: Date },
): Promise<Buffer> {
  const files: AsyncZippable = { [copy.readme]: bytesOf(copy.about(productName, formatMoment(at))) };
  const invoices = everything.invoices.map(({ xml_base64: xml, pdf_base64: pdf, ...invoice }) => {
    const name = String(invoice['fiscal_folio'] ?? invoice['id']).replaceAll(/[^\w-]/g, '');
    if (typeof xml === 'string') files[copy.invoice(name, 'xml')] = Buffer.from(xml, 'base64');
    // Packed already.
    if (typeof pdf === 'string')
      files[copy.invoice(name, 'pdf')] = [Buffer.from(pdf, 'base64'), { level: 0 }];
    return invoice;
  });
  const all: Readonly<Record<string, unknown>> = { ...everything, invoices };
  files[copy.json] = bytesOf(`${JSON.stringify(all, null, 2)}\n`);
  for (const [table, rows] of Object.entries(all)) {
    const lines = (Array.isArray(rows) ? rows : [rows]).filter(isRow);
    if (lines.length > 0) files[`${copy.tables[table] ?? table}.csv`] = bytesOf(csvOf(lines));
  }
  return Buffer.from(await packed(files));
}

const isRow = (row: unknown): row is Row => typeof row === 'object' && row !== null;
const bytesOf = (text: string) => Buffer.from(text, 'utf8');

const MONEY = /_centavos$/;

function csvOf(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return writeCsv(
    columns.map((column) => column.replace(MONEY, '_pesos')),
    rows.map((row) => columns.map((column) => cellOf(column, row[column]))),
  );
}

function cellOf(column: string, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return MONEY.test(column) ? { centavos: value } : value;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
