import type { Db } from '../../platform/db/db.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findReceipt, type ReceiptRow } from '../../purchases/receipts/read-model.ts';
import { type CounterOperation, findCounterOperation } from './read-model.ts';

/** A counter's operation with the buyer's receipt of it. */
export interface CounterReceiptRow {
  readonly operation: CounterOperation;
  readonly receipt: ReceiptRow;
}

/** The receipt of an operation. */
export async function readOperation(db: Db, operation: CounterOperation): Promise<CounterReceiptRow> {
  const receipt = await findReceipt(db, operation.buyerId, operation.folio);
  if (receipt === undefined) throw new Error(`an operation without its receipt: ${operation.folio}`);
  return { operation, receipt };
}

/** An operation of one of the caller's branches by its folio or its device's id. Refuses NOT_FOUND, for another branch's or merchant's too. */
export async function demandOperation(
  db: Db,
  caller: Staff,
  by: Parameters<typeof findCounterOperation>[2],
): Promise<CounterOperation> {
  const operation = await findCounterOperation(db, caller.merchantId, by);
  if (operation === undefined || !caller.branchIds.includes(operation.branchId))
    throw new Refusal('NOT_FOUND');
  return operation;
}

/** The receipt of one of the caller's branches' operations. Refuses NOT_FOUND. */
export async function readCounterReceipt(
  db: Db,
  caller: Staff,
  by: Parameters<typeof findCounterOperation>[2],
): Promise<CounterReceiptRow> {
  return readOperation(db, await demandOperation(db, caller, by));
}
