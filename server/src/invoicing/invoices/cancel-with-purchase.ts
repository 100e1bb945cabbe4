import { raiseAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { listStandingInvoices, withdrawRequests } from '../store.ts';

/**
 * A purchase ends, in the caller's transaction and under its purchase's lock: what was asked for and not sent is never sent;
 * what stands at SAT, or may, is a person's task to cancel or credit (rules/invoicing#cancelling). Whoever is sending one now
 * is waited for.
 */
export async function cancelInvoicesOf(tx: Tx, purchaseId: number): Promise<void> {
  await withdrawRequests(tx, purchaseId);
  for (const { id } of await listStandingInvoices(tx, purchaseId)) {
    await raiseAlert(tx, 'invoice_to_cancel', String(id), { purchaseId });
  }
}
