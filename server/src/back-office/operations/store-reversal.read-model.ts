import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';

/** The operation that a reversal took back, while the alert that it could not be booked is open. */
export async function findReversalAlert(
  tx: Tx,
  operationId: string,
): Promise<{ readonly reverses: string } | undefined> {
  return tx
    .selectFrom('alerts')
    .where('kind', '=', 'cash_reversal_impossible')
    .where('subject', '=', operationId)
    .where('resolved_at', 'is', null)
    .select(sql<string>`coalesce(detail ->> 'reverses', subject)`.as('reverses'))
    .executeTakeFirst();
}

/** A store's receipt, its purchase and the settlement that paid it out. Locked, none can pay it out meanwhile. */
export async function findStoreReceipt(
  tx: Tx,
  operationId: string,
  { isLocked = false } = {},
): Promise<
  | {
      readonly id: number;
      readonly merchantId: number;
      readonly buyerId: number | null;
      readonly amountCentavos: Centavos;
      readonly settlementId: number | null;
      readonly purchaseId: number | null;
    }
  | undefined
> {
  return tx
    .selectFrom('receipts as r')
    .where('r.channel', '=', 'cash')
    .where('r.source_id', '=', operationId)
    .$if(isLocked, (query) => query.forNoKeyUpdate('r'))
    .select([
      'r.id',
      'r.merchant_id as merchantId',
      'r.buyer_id as buyerId',
      'r.amount_centavos as amountCentavos',
      'r.settlement_id as settlementId',
      sql<number | null>`(select i.purchase_id from allocations a join instalments i on i.id = a.instalment_id
        where a.receipt_id = r.id limit 1)`.as('purchaseId'),
    ])
    .executeTakeFirst();
}
