import {
  type LIST_FORMATS,
  saveCuts,
  saveInvoices,
  savePurchases,
  saveRefunds,
  saveSettlements,
  saveTakings,
} from '@aparta/contract/counter-files';
import type { Reply } from '@aparta/contract/endpoint';
import type { PurchaseShow } from '@aparta/domain/shop-lists';
import { call } from './call.ts';
import { fileFrom } from './file.ts';
import type { InvoicesOf } from './invoices.ts';
import type { DaysOf, TakingsOf } from './reports.ts';

export type ListFormat = (typeof LIST_FORMATS)[number];

/** A list as a file; `isWhole`: false when only its newest lines are in it. */
export interface SavedList {
  readonly file: File;
  readonly isWhole: boolean;
}

const TYPES: Readonly<Record<ListFormat, string>> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** What a list of the shop's purchases shows, as a file. */
export async function savePurchaseList(
  of: { readonly show: PurchaseShow; readonly search: string | undefined },
  format: ListFormat,
): Promise<SavedList> {
  const { show, search } = of;
  const body = { format, show, ...(search !== undefined && { search }) };
  const { data } = await call(savePurchases, { body });
  return { file: fileFrom(data, TYPES[format]), isWhole: data.isWhole };
}

/** What the shop collected in some days, as a file; as CSV whole, however many lines it has. */
export async function saveTakingList(
  { from, to, method }: TakingsOf,
  format: ListFormat,
): Promise<SavedList> {
  const of = { format, from, to, ...(method !== undefined && { method }) };
  return saveParts(
    async (cursor) => (await call(saveTakings, { body: { ...of, ...cursor } })).data,
    format,
    `cobros-${from}-${to}`,
  );
}

/** What the shop gave back in some days, and what it owes since one of them, likewise. */
export async function saveRefundList(of: DaysOf, format: ListFormat): Promise<SavedList> {
  return saveParts(
    async (cursor) => (await call(saveRefunds, { body: { format, ...of, ...cursor } })).data,
    format,
    `devoluciones-${of.from}-${of.to}`,
  );
}

/** What was paid in a month, with its invoices, likewise. */
export async function saveInvoiceList(of: InvoicesOf, format: ListFormat): Promise<SavedList> {
  return saveParts(
    async (cursor) => (await call(saveInvoices, { body: { format, ...of, ...cursor } })).data,
    format,
    `facturas-${of.month}`,
  );
}

/** What the operator noted of the shop's money, likewise. */
export async function saveSettlementList(format: ListFormat): Promise<SavedList> {
  return saveParts(
    async (cursor) => (await call(saveSettlements, { body: { format, ...cursor } })).data,
    format,
    'liquidaciones',
  );
}

/** A file that others follow, each asked for by the `next` of the one before. */
async function saveParts(
  ask: (cursor: { readonly cursor?: string }) => Promise<Reply<typeof saveTakings>['data']>,
  format: ListFormat,
  name: string,
): Promise<SavedList> {
  const data = await ask({});
  const file = fileFrom(data, TYPES[format]);
  if (format !== 'csv' || data.next === null) return { file, isWhole: data.isWhole };
  const parts: Blob[] = [file];
  let next: string | null = data.next;
  while (next !== null) {
    const part: typeof data = await ask({ cursor: next });
    parts.push(await withoutHead(fileFrom(part, TYPES.csv)));
    next = part.next;
  }
  return { file: new File(parts, `${name}.csv`, { type: TYPES.csv }), isWhole: true };
}

/** Each part of a CSV begins with the names of its columns, which hold no line break. */
async function withoutHead(part: File): Promise<Blob> {
  const bytes = new Uint8Array(await part.arrayBuffer());
  return part.slice(bytes.indexOf(10) + 1);
}

/** The closed cuts of a branch, as a file. */
export async function saveCutList(branchId: number, format: ListFormat): Promise<SavedList> {
  const { data } = await call(saveCuts, { body: { format, branchId } });
  return { file: fileFrom(data, TYPES[format]), isWhole: data.isWhole };
}
