import type { Tx } from '../../platform/db/db.ts';
import { lockRefundsOfSource, moveRefund, type Refund } from '../../ledger/refunds/store.ts';
import { reversePaymentWithRefund } from '../../purchases/plans/reverse-payment.ts';

/**
 * Takes back cash that no purchase got and that is owed back whole still, by the mirror of its receipt. False, and nothing is done,
 * where it was handed over, or a settlement brought it.
 */
export async function reverseOwedBack(tx: Tx, operationId: string): Promise<boolean> {
  const [refund, ...more] = await lockRefundsOfSource(tx, 'cash', operationId);
  if (refund?.state !== 'owed' || more.length > 0) return false;
  return withdrawCash(tx, operationId, undefined, refund);
}

/**
 * Takes a store's receipt and its refund out of the books; what was handed over of it already is a loss. The caller holds the locks
 * of purchase and refund. False, and nothing is done, where a settlement brought the money.
 */
export async function withdrawCash(
  tx: Tx,
  sourceId: string,
  purchaseId: number | undefined,
  refund: Refund | undefined,
): Promise<boolean> {
  const refundIsPaid = refund?.state === 'done';
  if (!(await reversePaymentWithRefund(tx, { channel: 'cash', sourceId }, purchaseId, { refundIsPaid })))
    return false;
  if (refund?.state === 'owed')
    await moveRefund(tx, refund.id, 'returned_by_store', { detailCode: 'the store gave it back' });
  return true;
}
