import { raiseAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { listStandingInvoices, withdrawRequests } from './store.ts';

/**
 * Called when a purchase is cancelled, in that transaction and under the purchase's lock: requests that were not sent are
 * withdrawn; each invoice that is stamped, or may be, raises an alert, so that an operator cancels or credits it at SAT
 * (rules/invoicing#cancelling), and the answer says that there is one. Waits for an invoice that is being claimed right now.
 */
export async function cancelInvoicesOf(tx: Tx, purchaseId: number): Promise<boolean> {
  await withdrawRequests(tx, purchaseId);
  const standing = await listStandingInvoices(tx, purchaseId);
  for (const { id } of standing) await raiseAlert(tx, 'invoice_to_cancel', String(id), { purchaseId });
  return standing.length > 0;
}
