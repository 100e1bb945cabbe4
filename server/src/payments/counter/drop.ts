import { findReceiptOf, lockRefund } from '../../ledger/refunds/store.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { blockOperation, findOperation, lockOperation } from '../tills/store.ts';
import { findRefundOfPress } from './pay-refund.ts';
import {
  findCounter,
  findCounterOperation,
  findCounterRefund,
  type RefundOfShop,
  workedAt,
} from './read-model.ts';
import { type CounterReceiptRow, readOperation } from './receipt.ts';
import { insertDroppedPress } from './store.ts';

/**
 * Gives a press up whose money was not received (rules/tills-and-cash#counter): its id is blocked, as by a reversal that comes
 * first, since its call may still be under way. One that was booked stays, and answers its receipt. Refuses NOT_FOUND for a branch
 * that was never theirs: it may have closed, or be another's, since they pressed.
 */
export async function dropAtCounter(
  db: Db,
  caller: Staff,
  { id: requestId, branchId }: { readonly id: string; readonly branchId: number },
): Promise<CounterReceiptRow | undefined> {
  const { merchantId } = caller;
  const counter = await findCounter(db, merchantId);
  if (counter === undefined || !(await workedAt(db, caller, branchId))) throw new Refusal('NOT_FOUND');
  const key = { ...counter, branch: String(branchId), transactionId: requestId };
  try {
    await transaction(db, async (tx) => {
      if ((await findOperation(tx, key)) === undefined) await blockOperation(tx, key, '');
    });
  } catch (error) {
    // It came while we were blocking it: then it is what it is.
    if (refusedBy(error) !== 'till_operations_once') throw error;
  }
  const operation = await findCounterOperation(db, merchantId, { requestId });
  return operation?.branchId === branchId ? readOperation(db, operation) : undefined;
}

/** Gives up a press that took a payment back; one that did stays, and answers its receipt. Refuses NOT_FOUND. */
export async function dropReversal(
  db: Db,
  { merchantId, positionId }: Staff,
  { id: requestId, folio }: { readonly id: string; readonly folio: string },
): Promise<CounterReceiptRow | undefined> {
  const read = async (by: Db | Tx) => {
    const operation = await findCounterOperation(by, merchantId, { folio });
    if (operation === undefined) throw new Refusal('NOT_FOUND');
    return operation;
  };
  const { tillOperationId } = await read(db);
  // Under the lock of the reversal itself: it was before, or comes too late.
  const operation = await transaction(db, async (tx) => {
    await lockOperation(tx, tillOperationId);
    const locked = await read(tx);
    if (locked.reversalId !== requestId) await insertDroppedPress(tx, { requestId, merchantId, positionId });
    return locked;
  });
  return operation.reversalId === requestId ? readOperation(db, operation) : undefined;
}

/** Gives up a press that handed a refund over; one that did stays, and answers it. Refuses NOT_FOUND. */
export async function dropRefund(
  db: Db,
  caller: Staff,
  { id: requestId, refundId }: { readonly id: string; readonly refundId: number },
): Promise<RefundOfShop | undefined> {
  const { merchantId, positionId } = caller;
  await transaction(db, async (tx) => {
    if ((await findReceiptOf(tx, refundId))?.merchantId !== merchantId) throw new Refusal('NOT_FOUND');
    await lockRefund(tx, refundId);
    if ((await findCounterRefund(tx, merchantId, requestId)) === undefined)
      await insertDroppedPress(tx, { requestId, merchantId, positionId });
  });
  return findRefundOfPress(db, caller, requestId);
}
