import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';

/**
 * Forgets what the law does not want kept of a buyer's invoices: the receiver of one that was never stamped, and what the
 * receiver of a stamped one has beyond the CFDI itself.
 */
export async function forgetBuyerInvoices(tx: Tx, buyerId: number): Promise<void> {
  await defer(
    tx,
    tx
      .updateTable('invoices')
      .set({ receiver: '{}', detail_message: '' })
      .where('buyer_id', '=', buyerId)
      .where('fiscal_folio', 'is', null),
  );
  await defer(
    tx,
    sql`update invoices set detail_message = '', receiver = receiver - 'email' - 'phone' - 'alias' - 'street' - 'suburb'
      where buyer_id = ${buyerId}`,
  );
}
