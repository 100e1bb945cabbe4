import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { invoiceFileName } from '../copy.ts';
import { findInvoiceFile, findNewestInvoice, type InvoiceView } from '../store.ts';

/** A file of one of the buyer's issued invoices, in base64's raw bytes. Refuses NOT_FOUND, also while it is not there yet. */
export async function downloadInvoice(
  db: Db,
  buyerId: number,
  id: number,
  file: 'pdf' | 'xml',
): Promise<{ fileName: string; bytes: Buffer }> {
  const found = await findInvoiceFile(db, buyerId, id, file);
  if (found === undefined) throw new Refusal('NOT_FOUND');
  return { fileName: invoiceFileName(found.fiscalFolio, file), bytes: found.bytes };
}

/** What was recorded of an instalment's emission (spec §7, CxcCfdiEmmit). Refuses NOT_FOUND while none is issued. */
export async function recordedInvoice(db: Db, buyerId: number, instalmentId: number): Promise<InvoiceView> {
  const invoice = await findNewestInvoice(db, buyerId, instalmentId);
  if (invoice?.state !== 'issued') throw new Refusal('NOT_FOUND');
  return invoice;
}
