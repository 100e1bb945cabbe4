import type { Log } from '../../platform/logging.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { TAKEN_BACK } from './copy.ts';
import { answer, refuseForeignChain, type SignedInTill, type TillDeps } from './operation.ts';
import { findOperation, type TillAnswer, type TillKey, type TillOperation } from './store.ts';

/**
 * What became of an operation, by its key (rules/tills-and-cash#till-operations): a till that timed out asks before it charges
 * again. The answer's `error` is 0 only while we have its money: a till that reads nothing else must print no receipt.
 */
export async function queryOperation(
  deps: TillDeps,
  till: SignedInTill,
  request: Omit<TillKey, 'serviceAccountId'>,
  log: Log,
): Promise<{ given: TillAnswer; operation: TillOperation | undefined }> {
  const foreign = await refuseForeignChain(deps, till, request.chain, log);
  if (foreign !== undefined) return { given: foreign, operation: undefined };
  const operation = await transaction(deps.db, (tx) =>
    findOperation(tx, { ...request, serviceAccountId: till.serviceAccountId }),
  );
  if (operation === undefined) return { given: answer(16), operation };
  const isReversed = operation.state === 'reversed' || operation.state === 'reversed_first';
  return { given: isReversed ? answer(7, TAKEN_BACK) : operation, operation };
}
