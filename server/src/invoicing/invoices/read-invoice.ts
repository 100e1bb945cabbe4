import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { invoiceFileName } from './copy.ts';
import { findInvoiceFile, findNewestInvoice, type InvoiceView } from './read-model.ts';

/** A file of an issued invoice of the buyer's own, or of one of the merchant's that was issued. Refuses NOT_FOUND, also while the file has not come yet. */
export async function downloadInvoice(
  db: Db,
  whose: { readonly buyerId: number } | { readonly merchantId: number },
  id: number,
  file: 'pdf' | 'xml',
): Promise<{ fileName: string; bytes: Buffer }> {
  const found = await findInvoiceFile(db, whose, id, file);
  if (found === undefined) throw new Refusal('NOT_FOUND');
  return { fileName: invoiceFileName(found.fiscalFolio, file), bytes: found.bytes };
}

/** The issued invoice of an instalment, as spec §7's CxcCfdiEmmit records it. Refuses NOT_FOUND while none is issued. */
export async function recordedInvoice(db: Db, buyerId: number, instalmentId: number): Promise<InvoiceView> {
  const invoice = await findNewestInvoice(db, buyerId, instalmentId);
  if (invoice?.state !== 'issued') throw new Refusal('NOT_FOUND');
  return invoice;
}
