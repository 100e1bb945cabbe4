import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { PurchaseState } from '../../platform/db/tables.ts';
import type { TillState } from './till-operation.ts';

/** The purchase that an operation's money went to, with the reference that it was reserved by; no money, no purchase. */
export async function findPurchasePaid(
  tx: Tx,
  operationId: string,
): Promise<{ readonly purchaseId: number; readonly layawayReferenceId: number } | undefined> {
  return tx
    .selectFrom('receipts as r')
    .innerJoin('allocations as a', 'a.receipt_id', 'r.id')
    .innerJoin('instalments as i', 'i.id', 'a.instalment_id')
    .innerJoin('purchases as p', 'p.id', 'i.purchase_id')
    .where('r.channel', '=', 'till')
    .where('r.source_id', '=', operationId)
    .select(['p.id as purchaseId', 'p.layaway_reference_id as layawayReferenceId'])
    .limit(1)
    .executeTakeFirst();
}

/** An operation with what its reversal depends on. */
export interface Reversal {
  readonly state: TillState;
  readonly operation: 'layaway' | 'payment';
  readonly amountCentavos: Centavos;
  /** The part of it that instalments have. */
  readonly principalCentavos: Centavos;
  readonly createdAt: Date;
  readonly purchaseId: number;
  readonly purchaseState: PurchaseState;
  readonly purchasePaidCentavos: Centavos;
  readonly buyerId: number;
  /** The database's time when it was read. */
  readonly now: Date;
}

/** Reads an operation for its reversal; undefined when it took no money. The caller holds its locks. */
export async function findReversal(tx: Tx, operationId: string): Promise<Reversal | undefined> {
  return tx
    .selectFrom('till_operations as o')
    .innerJoin('receipts as r', (join) =>
      join.on('r.channel', '=', 'till').on('r.source_id', '=', operationId),
    )
    .innerJoin('allocations as a', 'a.receipt_id', 'r.id')
    .innerJoin('instalments as i', 'i.id', 'a.instalment_id')
    .innerJoin('purchases as p', 'p.id', 'i.purchase_id')
    .where('o.id', '=', operationId)
    .groupBy(['o.id', 'r.id', 'p.id'])
    .select([
      'o.state',
      'o.operation',
      'r.amount_centavos as amountCentavos',
      sql<Centavos>`sum(a.amount_centavos)::bigint`.as('principalCentavos'),
      'o.created_at as createdAt',
      'p.id as purchaseId',
      'p.state as purchaseState',
      'p.paid_centavos as purchasePaidCentavos',
      'p.buyer_id as buyerId',
      sql<Date>`app_now()`.as('now'),
    ])
    .executeTakeFirst();
}

/** Whether tills of a chain ever had an account. */
export async function isChain(db: Db, chain: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from service_accounts where chain = ${chain}) or
      exists (select from till_operations where chain = ${chain}) as known`.execute(db);
  return rows[0]?.known === true;
}
