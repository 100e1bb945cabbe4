import { recordStaffAct } from '../../accounts/staff/store.ts';
import { refusedBy } from '../../platform/db/transaction.ts';
import type { Log } from '../../platform/logging.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { SignedInTill, TillDeps } from '../tills/operation.ts';
import { reverseOperation } from '../tills/reverse.ts';
import { findCounter, findCounterOperation } from './read-model.ts';
import { type CounterReceiptRow, readCounterReceipt, readOperation } from './receipt.ts';
import { insertCounterReversal } from './store.ts';

/**
 * Takes an operation of a counter back on its day, by a till's use case (rules/tills-and-cash#till-reversals). Refuses NOT_FOUND
 * one that is not of the caller's branches, NOT_REVERSIBLE what has to stay, and PRESS_DROPPED a press that was given up. One that
 * is reversed answers its receipt, which says by which press; to that one also once its branch closed.
 */
export async function reverseAtCounter(
  deps: TillDeps,
  caller: Staff,
  {
    id,
    folio,
    reason,
  }: { readonly id?: string | undefined; readonly folio: string; readonly reason: string },
  log: Log,
): Promise<CounterReceiptRow> {
  const operation = await findCounterOperation(deps.db, caller.merchantId, { folio });
  if (operation === undefined) throw new Refusal('NOT_FOUND');
  if (id !== undefined && operation.reversalId === id) return readOperation(deps.db, operation);
  if (!caller.branchIds.includes(operation.branchId)) throw new Refusal('NOT_FOUND');
  const counter = await findCounter(deps.db, caller.merchantId);
  if (counter === undefined) throw new Refusal('NOT_REVERSIBLE');
  const { serviceAccountId, chain } = counter;
  const { branchId, requestId: transactionId } = operation;
  const till: SignedInTill = {
    serviceAccountId,
    chain,
    merchantIds: [caller.merchantId],
    async beside(tx, tillOperationId) {
      await insertCounterReversal(tx, {
        tillOperationId,
        positionId: caller.positionId,
        reason,
        requestId: id ?? null,
      });
      const detail = { folio, reason };
      await recordStaffAct(tx, {
        by: caller,
        branchId,
        act: 'reverse_payment',
        subject: transactionId,
        detail,
      });
    },
  };
  const request = {
    chain,
    branch: String(branchId),
    transactionId,
    reference: undefined,
    amountCentavos: undefined,
  };
  const { error } = await reverseOperation(deps, till, request, log).catch((refused: unknown) => {
    throw refusedBy(refused) === 'counter_reversals_were_not_dropped'
      ? new Refusal('PRESS_DROPPED')
      : refused;
  });
  if (error !== 0) throw new Refusal('NOT_REVERSIBLE');
  return readCounterReceipt(deps.db, caller, { folio });
}
