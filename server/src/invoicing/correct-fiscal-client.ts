import type { Db } from '../platform/db/db.ts';
import { refusedBy, transaction } from '../platform/db/transaction.ts';
import { Refusal } from '../platform/refusal.ts';
import { demandFiscalData, readFiscalClient, saveCorrection } from './fiscal-clients/save-fiscal-client.ts';
import type { FiscalClientRow } from './fiscal-clients/store.ts';
import { updateReceivers } from './invoices/store.ts';
import type { Receiver } from './provider/port.ts';

/**
 * Corrects a tax identity. Invoices that were sent keep the data they were sent with; those still waiting get the correction.
 * Refuses NOT_FOUND, FISCAL_DATA_WRONG, and FISCAL_CLIENT_EXISTS when another of the buyer's has the RFC.
 */
export async function correctFiscalClient(
  db: Db,
  buyerId: number,
  id: number,
  form: Receiver,
): Promise<FiscalClientRow> {
  await readFiscalClient(db, buyerId, id);
  const data = demandFiscalData(form);
  try {
    await transaction(db, async (tx) => {
      const revision = await saveCorrection(tx, buyerId, id, data);
      if (revision !== undefined) await updateReceivers(tx, id, { data, revision });
    });
  } catch (error) {
    if (refusedBy(error) === 'fiscal_clients_one_per_rfc') throw new Refusal('FISCAL_CLIENT_EXISTS');
    throw error;
  }
  return readFiscalClient(db, buyerId, id);
}
