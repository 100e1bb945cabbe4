import type { Db } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { blockOperation, findOperation } from '../tills/store.ts';
import { findCounter, findCounterOperation, workedAt } from './read-model.ts';
import { type CounterReceiptRow, readOperation } from './receipt.ts';

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
