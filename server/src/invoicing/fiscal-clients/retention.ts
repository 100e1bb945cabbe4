import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';

/** The RFC that SAT gives to the general public. */
const GENERIC_RFC = 'XAXX010101000';

/**
 * Deletes a buyer's tax identities that no invoice names. Of the others it keeps what stamped invoices say, and not how to
 * reach the buyer; `erasedEmail` takes the place of their address.
 */
export async function forgetBuyerFiscalClients(tx: Tx, buyerId: number, erasedEmail: string): Promise<void> {
  const uninvoiced = tx
    .selectFrom('fiscal_clients')
    .select('id')
    .where('buyer_id', '=', buyerId)
    .where(sql<boolean>`not exists (select from invoices where fiscal_client_id = fiscal_clients.id)`);
  await defer(tx, tx.deleteFrom('invoicing_customers').where('fiscal_client_id', 'in', uninvoiced));
  await defer(tx, tx.deleteFrom('fiscal_clients').where('id', 'in', uninvoiced));
  await defer(
    tx,
    tx
      .updateTable('fiscal_clients')
      .set({ rfc: GENERIC_RFC, name: '-', postal_code: '00000', deleted_at: sql<Date>`app_now()` })
      .where('buyer_id', '=', buyerId)
      .where(
        sql<boolean>`not exists (select from invoices where fiscal_client_id = fiscal_clients.id and fiscal_folio is not null)`,
      ),
  );
  await defer(
    tx,
    tx
      .updateTable('fiscal_clients')
      .set({
        alias: '',
        email: erasedEmail,
        phone: '',
        street: '',
        suburb: '',
        deleted_at: sql<Date>`coalesce(deleted_at, app_now())`,
      })
      .where('buyer_id', '=', buyerId),
  );
}
