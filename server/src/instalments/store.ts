import type { Centavos } from '@aparta/domain/money';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { sql } from 'kysely';

import type { Db, Tx } from '../db/db.ts';
import type { PurchaseState } from '../db/tables.ts';

/** An instalment as paying it needs it. */
export interface OwedInstalment {
  readonly id: number;
  readonly number: number;
  readonly balanceCentavos: Centavos;
}

/** A purchase whose lock is held: nothing of its money can change meanwhile. */
export interface LockedPurchase {
  readonly id: number;
  readonly buyerId: number;
  readonly merchantId: number;
  readonly state: PurchaseState;
  readonly productName: string;
  readonly balanceCentavos: Centavos;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
  readonly instalments: readonly OwedInstalment[];
  /** The database's time when it was read. */
  readonly now: Date;
}

/** The purchase that an id is an instalment of, its number agreeing where it is given; undefined for any other. */
export async function findPurchaseIdOf(
  db: Db | Tx,
  reference: { id: number; prefix?: string | undefined },
): Promise<number | undefined> {
  let query = db.selectFrom('instalments').where('id', '=', reference.id);
  if (reference.prefix !== undefined) query = query.where('prefix', '=', reference.prefix);
  const found = await query.select('purchase_id as purchaseId').executeTakeFirst();
  return found?.purchaseId;
}

/** Locks a purchase (payments.md §3.3, level 1) and reads it afterwards; its instalments change under this lock alone. */
export async function lockPurchase(tx: Tx, id: number): Promise<LockedPurchase | undefined> {
  await tx.selectFrom('purchases').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  return readPurchase(tx, id);
}

async function readPurchase(db: Tx, id: number): Promise<LockedPurchase | undefined> {
  const purchase = await db
    .selectFrom('purchases')
    .where('id', '=', id)
    .select([
      'id',
      'buyer_id as buyerId',
      'merchant_id as merchantId',
      'state',
      'product_name as productName',
      sql<Centavos>`price_centavos - paid_centavos`.as('balanceCentavos'),
      'service_fee_centavos as feeCentavos',
      'service_fee_methods as feeMethods',
      sql<Date>`app_now()`.as('now'),
    ])
    .executeTakeFirst();
  if (purchase === undefined) return undefined;
  const instalments = await db
    .selectFrom('instalments')
    .where('purchase_id', '=', id)
    .select(['id', 'number', sql<Centavos>`amount_centavos - paid_centavos`.as('balanceCentavos')])
    .orderBy('number')
    .execute();
  return { ...purchase, instalments };
}

/** Closes the store references of instalments that have nothing left to pay. */
export async function closePaidCashReferences(tx: Tx, purchaseId: number): Promise<void> {
  await tx
    .updateTable('cash_references')
    .set({ state: 'closed', closed_at: sql<Date>`app_now()` })
    .where('purchase_id', '=', purchaseId)
    .where('state', 'in', ['requesting', 'issued'])
    .where('instalment_id', 'in', (eb) =>
      eb
        .selectFrom('instalments')
        .where('instalments.purchase_id', '=', purchaseId)
        .whereRef('instalments.paid_centavos', '=', 'instalments.amount_centavos')
        .select('instalments.id'),
    )
    .execute();
}
