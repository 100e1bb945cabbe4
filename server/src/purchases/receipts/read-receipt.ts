import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findReceipt, listPlan, type ReceiptRow } from './read-model.ts';

/** The receipt of one of the buyer's payments. Refuses NOT_FOUND, for another buyer's too. */
export async function readReceipt(db: Db, buyerId: number, folio: string): Promise<ReceiptRow> {
  const row = await findReceipt(db, buyerId, folio);
  if (row === undefined) throw new Refusal('NOT_FOUND');
  return row;
}

/** The receipt of one of the buyer's payments as a PDF. Refuses NOT_FOUND, for another buyer's too. */
export async function printReceipt(
  deps: { db: Db; productName: string },
  buyerId: number,
  folio: string,
): Promise<{ fileName: string; pdf: Buffer }> {
  const row = await readReceipt(deps.db, buyerId, folio);
  const plan = await listPlan(deps.db, row.purchaseId);
  // What draws it takes 15 MB: not before somebody asks for one.
  const { receiptPdf } = await import('./receipt-pdf.ts');
  return { fileName: `recibo-${row.folio}.pdf`, pdf: await receiptPdf(row, plan, deps.productName) };
}
