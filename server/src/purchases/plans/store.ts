import type { Centavos } from '@aparta/domain/money';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { type CompiledQuery, type Expression, sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';
import { together } from '../../platform/db/transaction.ts';
import type { PurchaseState } from '../../platform/db/tables.ts';

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

/** The purchase that an id is an instalment of, its number agreeing where it is given; none for any other. */
function purchaseIdOf(tx: Tx, { id, prefix }: { id: number; prefix?: string | undefined }) {
  const instalment = tx.selectFrom('instalments').where('id', '=', id);
  const agreeing = prefix === undefined ? instalment : instalment.where('prefix', '=', prefix);
  return agreeing.select('purchase_id').$asScalar();
}

/** Locks a purchase (payments.md §3.3, level 1) and reads it afterwards; its instalments change under this lock alone. */
export async function lockPurchase(tx: Tx, id: number): Promise<LockedPurchase | undefined> {
  return lockAndRead(tx, sql.val(id));
}

/** The same by one of its instalments, as `purchaseIdOf` finds it. No instalment ever moves to another purchase. */
export async function lockPurchaseOf(
  tx: Tx,
  reference: { id: number; prefix?: string | undefined },
): Promise<LockedPurchase | undefined> {
  return lockAndRead(tx, purchaseIdOf(tx, reference));
}

async function lockAndRead(tx: Tx, id: Expression<number>): Promise<LockedPurchase | undefined> {
  const [, [purchase], instalments] = await together(
    tx,
    tx.selectFrom('purchases').select('id').where('id', '=', id).forNoKeyUpdate().compile(),
    tx
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
      .compile(),
    tx
      .selectFrom('instalments')
      .where('purchase_id', '=', id)
      .select(['id', 'number', sql<Centavos>`amount_centavos - paid_centavos`.as('balanceCentavos')])
      .orderBy('number')
      .compile(),
  );
  return purchase && { ...purchase, instalments };
}

/** Closes the store references of instalments that have nothing left to pay, as a statement to send together with others. */
export function closingPaidCashReferences(tx: Tx, purchaseId: number): CompiledQuery {
  return tx
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
    .compile();
}
