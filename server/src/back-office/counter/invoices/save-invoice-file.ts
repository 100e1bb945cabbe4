import { recordStaffAct } from '../../../accounts/staff/store.ts';
import { downloadInvoice } from '../../../invoicing/invoices/read-invoice.ts';
import type { Db } from '../../../platform/db/db.ts';
import { transaction } from '../../../platform/db/transaction.ts';
import type { Staff } from '../../../platform/principal.ts';

/** A file of an invoice of the caller's merchant that was issued, which the audit remembers. Refuses NOT_FOUND, for another merchant's too. */
export async function saveInvoiceFile(
  db: Db,
  caller: Staff,
  id: number,
  format: 'pdf' | 'xml',
): Promise<{ fileName: string; bytes: Buffer }> {
  const file = await downloadInvoice(db, { merchantId: caller.merchantId }, id, format);
  const act = { by: caller, act: 'save_invoice', subject: String(id), detail: { format } };
  await transaction(db, (tx) => recordStaffAct(tx, act));
  return file;
}
