import type { Db } from '../../platform/db/db.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { listRefundsOf, type RefundRow } from '../../purchases/cancelling/read-model.ts';
import { findReceipt, type ReceiptRow } from '../../purchases/receipts/read-model.ts';
import { type CounterOperation, findCounterOperation } from './read-model.ts';

/** A counter's operation with the buyer's receipt of it. */
export interface CounterReceiptRow {
  readonly operation: CounterOperation;
  readonly receipt: ReceiptRow;
  /** What goes back of it since its purchase was cancelled. */
  readonly refund: RefundRow | undefined;
}

/** The receipt of an operation. */
export async function readOperation(db: Db, operation: CounterOperation): Promise<CounterReceiptRow> {
  const receipt = await findReceipt(db, operation.buyerId, operation.folio);
  if (receipt === undefined) throw new Error(`an operation without its receipt: ${operation.folio}`);
  const refunds = receipt.purchaseState === 'cancelled' ? await listRefundsOf(db, receipt.purchaseId) : [];
  return { operation, receipt, refund: refunds.find(({ folio }) => folio === operation.folio) };
}

/**
 * Whether the caller may see an operation: one of their branches', or their own, whose branch may have closed, or be theirs no
 * longer, before its receipt was seen.
 */
export function maySee(
  { branchIds, staffId }: Staff,
  operation: { readonly branchId: number; readonly staffId: string },
): boolean {
  return branchIds.includes(operation.branchId) || operation.staffId === staffId;
}

/** The receipt of an operation of the caller's, which they took or took back, or of one of their branches. Refuses NOT_FOUND. */
export async function readCounterReceipt(
  db: Db,
  caller: Staff,
  by: Parameters<typeof findCounterOperation>[2],
): Promise<CounterReceiptRow> {
  const operation = await findCounterOperation(db, caller.merchantId, by);
  const isTheirs =
    operation !== undefined && (maySee(caller, operation) || operation.reversedByStaffId === caller.staffId);
  if (!isTheirs) throw new Refusal('NOT_FOUND');
  return readOperation(db, operation);
}
