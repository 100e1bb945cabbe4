import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';
import type { FiscalData } from './fiscal-data.ts';

export interface FiscalClientRow extends FiscalData {
  readonly id: number;
  /** Counts corrections. */
  readonly revision: number;
  readonly isDeleted: boolean;
  /** The newest of its ids at the provider, '' before its first invoice. */
  readonly customerUuid: string;
}

function fiscalClientsOf(db: Db | Tx, buyerId: number) {
  return db
    .selectFrom('fiscal_clients as f')
    .where('f.buyer_id', '=', buyerId)
    .select([
      'f.id',
      'f.rfc',
      'f.name',
      'f.alias',
      'f.email',
      'f.phone',
      'f.tax_regime as taxRegime',
      'f.cfdi_use as cfdiUse',
      'f.street',
      'f.suburb',
      'f.postal_code as postalCode',
      'f.revision',
      sql<boolean>`f.deleted_at is not null`.as('isDeleted'),
      sql<string>`coalesce((select provider_uuid from invoicing_customers c where c.fiscal_client_id = f.id
        order by registered_at desc, merchant_id desc limit 1), '')`.as('customerUuid'),
    ]);
}

/** A buyer's tax identities, newest first. */
export async function listFiscalClients(db: Db, buyerId: number): Promise<FiscalClientRow[]> {
  return fiscalClientsOf(db, buyerId).where('f.deleted_at', 'is', null).orderBy('f.id', 'desc').execute();
}

/** A buyer's own tax identity, deleted ones included; undefined for another buyer's. */
export async function findFiscalClient(
  db: Db | Tx,
  buyerId: number,
  id: number,
): Promise<FiscalClientRow | undefined> {
  return fiscalClientsOf(db, buyerId).where('f.id', '=', id).executeTakeFirst();
}

/** The one that a buyer has under an RFC, unless it was deleted. */
export async function findFiscalClientByRfc(
  db: Db | Tx,
  buyerId: number,
  rfc: string,
): Promise<FiscalClientRow | undefined> {
  return fiscalClientsOf(db, buyerId)
    .where('f.rfc', '=', rfc)
    .where('f.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Locks a buyer's tax identity until the transaction ends, and reads it under the lock. */
export async function lockFiscalClient(
  tx: Tx,
  buyerId: number,
  id: number,
): Promise<FiscalClientRow | undefined> {
  await sql`select id from fiscal_clients where id = ${id} and buyer_id = ${buyerId} for no key update`.execute(
    tx,
  );
  return findFiscalClient(tx, buyerId, id);
}

function columnsOf(data: FiscalData) {
  const { taxRegime, cfdiUse, postalCode, ...same } = data;
  return { ...same, tax_regime: taxRegime, cfdi_use: cfdiUse, postal_code: postalCode };
}

/** Undefined when the buyer already has one with this RFC. */
export async function insertFiscalClient(
  tx: Tx,
  buyerId: number,
  data: FiscalData,
): Promise<number | undefined> {
  const made = await tx
    .insertInto('fiscal_clients')
    .values({ buyer_id: buyerId, ...columnsOf(data), deleted_at: null })
    .onConflict((conflict) =>
      conflict.columns(['buyer_id', 'rfc']).where('deleted_at', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return made?.id;
}

/** How many a buyer has now, and how many they registered within a day, deleted ones included. */
export async function countFiscalClients(tx: Tx, buyerId: number): Promise<{ live: number; today: number }> {
  return tx
    .selectFrom('fiscal_clients')
    .where('buyer_id', '=', buyerId)
    .select([
      sql<number>`count(*) filter (where deleted_at is null)`.as('live'),
      sql<number>`count(*) filter (where created_at > app_now() - interval '1 day')`.as('today'),
    ])
    .executeTakeFirstOrThrow();
}

/** Corrects a tax identity, and returns its new revision. Throws on `fiscal_clients_one_per_rfc`. */
export async function updateFiscalClient(tx: Tx, id: number, data: FiscalData): Promise<number> {
  const { revision } = await tx
    .updateTable('fiscal_clients')
    .set({ ...columnsOf(data), revision: sql`revision + 1`, updated_at: sql<Date>`app_now()` })
    .where('id', '=', id)
    .returning('revision')
    .executeTakeFirstOrThrow();
  return revision;
}

/** Deletes a tax identity, whose lock the caller holds. */
export async function deleteFiscalClient(tx: Tx, id: number): Promise<void> {
  await defer(
    tx,
    tx
      .updateTable('fiscal_clients')
      .set({ deleted_at: sql<Date>`app_now()` })
      .where('id', '=', id),
  );
}

/** What the provider calls a tax identity under one merchant, and the revision it knows. */
export interface Customer {
  readonly uuid: string;
  readonly revision: number;
}

export async function findCustomer(
  db: Db | Tx,
  fiscalClientId: number,
  merchantId: number,
): Promise<Customer | undefined> {
  return db
    .selectFrom('invoicing_customers')
    .where('fiscal_client_id', '=', fiscalClientId)
    .where('merchant_id', '=', merchantId)
    .select(['provider_uuid as uuid', 'revision'])
    .executeTakeFirst();
}

/** Records what the provider knows of a tax identity; an older revision does not replace a newer one. */
export async function saveCustomer(
  tx: Tx,
  where: { fiscalClientId: number; merchantId: number },
  customer: Customer,
): Promise<void> {
  await defer(
    tx,
    tx
      .insertInto('invoicing_customers')
      .values({
        fiscal_client_id: where.fiscalClientId,
        merchant_id: where.merchantId,
        provider_uuid: customer.uuid,
        revision: customer.revision,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['fiscal_client_id', 'merchant_id'])
          .doUpdateSet({
            provider_uuid: customer.uuid,
            revision: customer.revision,
            registered_at: sql<Date>`app_now()`,
          })
          .where('invoicing_customers.revision', '<=', customer.revision),
      ),
  );
}
