import type { Db } from '../platform/db/db.ts';
import { transaction } from '../platform/db/transaction.ts';
import { Refusal } from '../platform/refusal.ts';
import { deleteFiscalClient, lockFiscalClient } from './fiscal-clients/store.ts';
import { isInvoiceOpenOf } from './invoices/store.ts';

/**
 * Takes a tax identity off a buyer's list; its invoices stay. Refuses NOT_FOUND, and FISCAL_CLIENT_IN_USE while one of them is in
 * process: it would be stamped all the same, and could not be corrected any more.
 */
export async function removeFiscalClient(db: Db, buyerId: number, id: number): Promise<void> {
  await transaction(db, async (tx) => {
    // Under the lock that a request takes too, so that its invoice is seen or it finds the identity gone.
    const client = await lockFiscalClient(tx, buyerId, id);
    if (client === undefined || client.isDeleted) throw new Refusal('NOT_FOUND');
    if (await isInvoiceOpenOf(tx, id)) throw new Refusal('FISCAL_CLIENT_IN_USE');
    await deleteFiscalClient(tx, id);
  });
}
