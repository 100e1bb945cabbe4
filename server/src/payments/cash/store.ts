import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { type SqlBool, sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import type { NetworkOperation } from './network-file.ts';

/** A number that stores take cash for. */
export interface CashReference {
  /** Our request's id at the provider. */
  readonly id: string;
  readonly instalmentId: number;
  readonly purchaseId: number;
  readonly merchantId: number;
  readonly amountCentavos: Centavos;
  readonly providerReference: string | null;
  readonly expiresAt: Date;
}

function references(db: Db | Tx) {
  return db
    .selectFrom('cash_references')
    .select([
      'id',
      'instalment_id as instalmentId',
      'purchase_id as purchaseId',
      'merchant_id as merchantId',
      'amount_centavos as amountCentavos',
      'provider_reference as providerReference',
      sql<Date>`upper(valid)`.as('expiresAt'),
    ]);
}

/** The reference of an instalment that a store would take now. */
export async function findValid(db: Db | Tx, instalmentId: number): Promise<CashReference | undefined> {
  return references(db)
    .where('instalment_id', '=', instalmentId)
    .where('state', '=', 'issued')
    .where(sql<SqlBool>`valid @> app_now()`)
    .executeTakeFirst();
}

/** A request of the last hour that nobody knows the outcome of: asked again with its id, it is the same one. */
export async function findRequested(
  tx: Tx,
  instalmentId: number,
  amountCentavos: Centavos,
): Promise<CashReference | undefined> {
  return references(tx)
    .where('instalment_id', '=', instalmentId)
    .where('amount_centavos', '=', amountCentavos)
    .where('state', '=', 'requesting')
    .where('created_at', '>', sql<Date>`app_now() - interval '1 hour'`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** How many references a buyer asked for in the last hour. */
export async function countRecent(tx: Tx, buyerId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('cash_references as c')
    .innerJoin('purchases as p', 'p.id', 'c.purchase_id')
    .where('p.buyer_id', '=', buyerId)
    .where('c.created_at', '>', sql<Date>`app_now() - interval '1 hour'`)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertRequest(
  tx: Tx,
  request: {
    instalmentId: number;
    purchaseId: number;
    merchantId: number;
    amountCentavos: Centavos;
    expiresAt: Date;
  },
): Promise<CashReference> {
  const { id } = await tx
    .insertInto('cash_references')
    .values({
      instalment_id: request.instalmentId,
      purchase_id: request.purchaseId,
      merchant_id: request.merchantId,
      amount_centavos: request.amountCentavos,
      state: 'requesting',
      provider_reference: null,
      valid: sql<string>`tstzrange(app_now(), ${request.expiresAt})`,
      closed_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return references(tx).where('id', '=', id).executeTakeFirstOrThrow();
}

/**
 * Gives a request the number that the network gave it. One that was closed meanwhile stays closed and has its number all the
 * same: a store may take money for it. Throws on `cash_references_one_valid`.
 */
export async function markIssued(tx: Tx, id: string, providerReference: string): Promise<void> {
  await tx
    .updateTable('cash_references')
    .set({
      state: sql<'issued'>`case when state = 'requesting' then 'issued' else state end`,
      provider_reference: providerReference,
    })
    .where('id', '=', id)
    .where('provider_reference', 'is', null)
    .execute();
}

/** Closes a request whose balance changed while the network was asked. */
export async function closeRequest(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('cash_references')
    .set({ state: 'closed', closed_at: sql<Date>`app_now()` })
    .where('id', '=', id)
    .where('state', '=', 'requesting')
    .execute();
}

export async function markFailed(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('cash_references')
    .set({ state: 'failed', closed_at: sql<Date>`app_now()` })
    .where('id', '=', id)
    .where('state', '=', 'requesting')
    .execute();
}

/** Closes an instalment's references that may still be paid: another balance needs another one. */
export async function closeOf(tx: Tx, instalmentId: number): Promise<void> {
  await tx
    .updateTable('cash_references')
    .set({ state: 'closed', closed_at: sql<Date>`app_now()` })
    .where('instalment_id', '=', instalmentId)
    .where('state', '=', 'issued')
    .execute();
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The reference that a notice names, expired or closed as well: its money is somebody's all the same. */
export async function findNamed(
  db: Db | Tx,
  named: { externalRequestId: string | undefined; reference: string | undefined },
): Promise<CashReference | undefined> {
  const { externalRequestId = '', reference = '' } = named;
  return references(db)
    .where((eb) =>
      eb.or([
        eb('provider_reference', '=', reference),
        ...(UUID.test(externalRequestId) ? [eb('id', '=', externalRequestId)] : []),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
}

/** The reference that an operation paid. */
export async function findReferenceOf(tx: Tx, operationId: string): Promise<CashReference | undefined> {
  return references(tx)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('cash_notices')
        .where('provider', '=', 'tapi')
        .where('operation_id', '=', operationId)
        .select('cash_reference_id'),
    )
    .executeTakeFirst();
}

export interface Notice {
  readonly operationId: string;
  readonly bodyHash: Buffer;
  readonly cashReferenceId: string | null;
  readonly status: string;
  readonly amountCentavos: Centavos | null;
  readonly currency: string;
  readonly paidAt: Date | null;
  readonly outcome: 'applied' | 'owed_back' | 'suspense' | 'reversed' | 'noted';
}

export async function findNotice(tx: Tx, operationId: string): Promise<Notice | undefined> {
  return tx
    .selectFrom('cash_notices')
    .where('provider', '=', 'tapi')
    .where('operation_id', '=', operationId)
    .select([
      'operation_id as operationId',
      'body_hash as bodyHash',
      'cash_reference_id as cashReferenceId',
      'status',
      'amount_centavos as amountCentavos',
      'currency',
      'paid_at as paidAt',
      'outcome',
    ])
    .executeTakeFirst();
}

/**
 * What became of confirmed cash whose owner was not known; 'noted': it brings no money any more. False, and nothing done, for
 * any other: of two at once, who find its owner or hear that it was taken back, one is told so.
 */
export async function endSuspense(
  tx: Tx,
  operationId: string,
  outcome: 'applied' | 'owed_back' | 'noted',
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('cash_notices')
    .set({ outcome })
    .where('provider', '=', 'tapi')
    .where('operation_id', '=', operationId)
    .where('outcome', '=', 'suspense')
    .where('status', '=', 'confirmed')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Throws on `cash_notices_once`. */
export async function insertNotice(tx: Tx, notice: Notice): Promise<void> {
  await tx
    .insertInto('cash_notices')
    .values({
      provider: 'tapi',
      operation_id: notice.operationId,
      body_hash: notice.bodyHash,
      cash_reference_id: notice.cashReferenceId,
      status: notice.status.slice(0, 40),
      amount_centavos: notice.amountCentavos,
      currency: notice.currency.slice(0, 10),
      paid_at: notice.paidAt,
      outcome: notice.outcome,
    })
    .execute();
}

/** Cash that stores took in a day of Mexico City, as the network counts its days; what it took back is marked. */
export async function listNetworkDay(db: Db, day: DateOnly): Promise<NetworkOperation[]> {
  return db
    .selectFrom('cash_notices as n')
    .leftJoin('receipts as r', (join) =>
      join.on('r.channel', '=', 'tapi').onRef('r.source_id', '=', 'n.operation_id'),
    )
    .where('n.status', '=', 'confirmed')
    .where('n.outcome', '!=', 'noted')
    .where(
      sql<SqlBool>`(coalesce(n.paid_at, n.received_at) at time zone 'America/Mexico_City')::date = ${day}`,
    )
    .orderBy('n.operation_id')
    .select([
      'n.operation_id as operationId',
      sql<Centavos>`coalesce(n.amount_centavos, 0)`.as('amountCentavos'),
      sql<boolean>`coalesce(r.withdrawn_centavos, 0) > 0`.as('isReversed'),
    ])
    .execute();
}
