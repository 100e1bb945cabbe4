import { holdBuyer } from '../../accounts/buyers/store.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Buyer } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Receiver } from '../provider/port.ts';
import { type FiscalData, readFiscalData, wireFields } from './fiscal-data.ts';
import {
  countFiscalClients,
  findFiscalClient,
  findFiscalClientByRfc,
  type FiscalClientRow,
  insertFiscalClient,
  listFiscalClients,
  lockFiscalClient,
  updateFiscalClient,
} from './store.ts';

const MOST_PER_BUYER = 20;
/** Those deleted again count too. */
const MOST_A_DAY = 100;

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
 * Adds a tax identity of a buyer. Sent twice, as by a second tap, it is added once. Refuses FISCAL_DATA_WRONG with every
 * wrong field, FISCAL_CLIENT_EXISTS when the buyer has the RFC with other data, FISCAL_CLIENTS_FULL and TOO_MANY.
 */
export async function addFiscalClient(db: Db, buyerId: number, form: Receiver): Promise<FiscalClientRow> {
  const data = demandFiscalData(form);
  return transaction(db, async (tx) => {
    await holdBuyer(tx, buyerId);
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
 * Saves a correction of a tax identity, and returns its new revision; undefined when nothing changed. Refuses NOT_FOUND; throws
 * on `fiscal_clients_one_per_rfc`.
 */
export async function saveCorrection(
  tx: Tx,
  buyerId: number,
  id: number,
  data: FiscalData,
): Promise<number | undefined> {
  const client = await lockFiscalClient(tx, buyerId, id);
  if (client === undefined || client.isDeleted) throw new Refusal('NOT_FOUND');
  return isSame(client, data) ? undefined : updateFiscalClient(tx, id, data);
}

/** A fiscal form, normalised. Refuses FISCAL_DATA_WRONG with every wrong field. */
export function demandFiscalData(form: Receiver): FiscalData {
  const read = readFiscalData(form);
  if (!read.ok) throw new Refusal('FISCAL_DATA_WRONG', { fields: wireFields(read.problems) });
  return read.data;
}

/** Counts the one just added too; the refusal rolls it back. */
async function refuseTooMany(tx: Tx, buyerId: number): Promise<void> {
  const { live, today } = await countFiscalClients(tx, buyerId);
  if (live > MOST_PER_BUYER) throw new Refusal('FISCAL_CLIENTS_FULL', { most: MOST_PER_BUYER });
  if (today > MOST_A_DAY) throw new Refusal('TOO_MANY', { retryAfterSeconds: 3_600 });
}

function isSame(kept: FiscalData, data: FiscalData): boolean {
  return (Object.keys(data) as (keyof FiscalData)[]).every((key) => kept[key] === data[key]);
}
