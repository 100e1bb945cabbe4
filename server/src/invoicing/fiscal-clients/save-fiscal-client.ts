import type { Db, Tx } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import type { Buyer } from '../../platform/principal.ts';
import type { Receiver } from '../provider/port.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readFiscalData, wireFields } from './fiscal-data.ts';
import { INVOICE_LIMITS } from '../limits.ts';
import {
  changeFiscalClient,
  countFiscalClients,
  deleteFiscalClient,
  findFiscalClient,
  findFiscalClientByRfc,
  type FiscalClientRow,
  insertFiscalClient,
  listFiscalClients,
  lockFiscalClient,
} from '../store.ts';

/** The caller's own tax identities, newest first. Refuses NOT_FOUND for any other buyer's. */
export async function ownFiscalClients(db: Db, caller: Buyer, buyerId: number): Promise<FiscalClientRow[]> {
  if (buyerId !== caller.id) throw new Refusal('NOT_FOUND');
  return listFiscalClients(db, caller.id);
}

/** One of a buyer's live tax identities. Refuses NOT_FOUND. */
export async function readFiscalClient(db: Db, buyerId: number, id: number): Promise<FiscalClientRow> {
  const client = await findFiscalClient(db, buyerId, id);
  if (client === undefined || client.isDeleted) throw new Refusal('NOT_FOUND');
  return client;
}

/**
 * Keeps a tax identity of a buyer. The same again, as a second tap sends it, is the same one. Refuses FISCAL_DATA_WRONG with
 * every wrong field, FISCAL_CLIENT_EXISTS when the RFC is there with other data, FISCAL_CLIENTS_FULL and TOO_MANY.
 */
export async function addFiscalClient(db: Db, buyerId: number, form: Receiver): Promise<FiscalClientRow> {
  const data = fiscalDataOf(form);
  return transaction(db, async (tx) => {
    const id = await insertFiscalClient(tx, buyerId, data);
    const kept =
      id === undefined
        ? await findFiscalClientByRfc(tx, buyerId, data.rfc)
        : await findFiscalClient(tx, buyerId, id);
    if (kept === undefined || (id === undefined && !isSame(kept, data))) {
      throw new Refusal('FISCAL_CLIENT_EXISTS');
    }
    if (id !== undefined) await refuseTooMany(tx, buyerId);
    return kept;
  });
}

/**
 * Corrects a tax identity. Invoices that were sent keep what they were made with; those still waiting get the correction.
 * Refuses NOT_FOUND, FISCAL_DATA_WRONG and FISCAL_CLIENT_EXISTS when another of the buyer's has the RFC.
 */
export async function correctFiscalClient(
  db: Db,
  buyerId: number,
  id: number,
  form: Receiver,
): Promise<FiscalClientRow> {
  await readFiscalClient(db, buyerId, id);
  const data = fiscalDataOf(form);
  try {
    await transaction(db, async (tx) => {
      const client = await lockFiscalClient(tx, buyerId, id);
      if (client === undefined || client.isDeleted) throw new Refusal('NOT_FOUND');
      if (!isSame(client, data)) await changeFiscalClient(tx, id, data);
    });
  } catch (error) {
    if (refusedBy(error) === 'fiscal_clients_one_per_rfc') throw new Refusal('FISCAL_CLIENT_EXISTS');
    throw error;
  }
  return readFiscalClient(db, buyerId, id);
}

/** Takes a tax identity off a buyer's list; its invoices, asked for or made, stay. Refuses NOT_FOUND. */
export async function removeFiscalClient(db: Db, buyerId: number, id: number): Promise<void> {
  if (!(await transaction(db, (tx) => deleteFiscalClient(tx, buyerId, id)))) throw new Refusal('NOT_FOUND');
}

/** Counts with the one just added, which goes with the refusal. */
async function refuseTooMany(tx: Tx, buyerId: number): Promise<void> {
  const { live, today } = await countFiscalClients(tx, buyerId);
  const most = INVOICE_LIMITS.fiscalClients;
  if (live > most) throw new Refusal('FISCAL_CLIENTS_FULL', { most });
  if (today > INVOICE_LIMITS.fiscalClientsADay) throw new Refusal('TOO_MANY', { retryAfterSeconds: 3_600 });
}

function fiscalDataOf(form: Receiver): Receiver {
  const read = readFiscalData(form);
  if (!read.ok) throw new Refusal('FISCAL_DATA_WRONG', { fields: wireFields(read.problems) });
  return read.data;
}

function isSame(kept: Receiver, data: Receiver): boolean {
  return (Object.keys(data) as (keyof Receiver)[]).every((key) => kept[key] === data[key]);
}
