import { findPayable } from '../owed/read-model.ts';
import { type LookedUp, readOwed } from '../owed/read-owed.ts';
import type { Log } from '../../platform/logging.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { TAKEN_BACK } from './copy.ts';
import {
  alertForeignMerchant,
  answer,
  countUnknownReference,
  FOREIGN_MERCHANT,
  keyOf,
  refuseForeignChain,
  secondsToWait,
  type SignedInTill,
  type TillDeps,
} from './operation.ts';
import { findOperation, type TillAnswer, type TillKey, type TillOperation } from './store.ts';

/**
 * What became of an operation, by its key (rules/tills-and-cash#till-operations): a till that timed out asks before it charges
 * again. The answer's `error` is 0 only while we have its money: a till that reads nothing else must print no receipt.
 */
export async function queryOperation(
  deps: TillDeps,
  till: SignedInTill,
  request: Pick<TillKey, 'chain' | 'branch' | 'transactionId'>,
  log: Log,
): Promise<{ given: TillAnswer; operation: TillOperation | undefined }> {
  const foreign = await refuseForeignChain(deps, till, request.chain, log);
  if (foreign !== undefined) return { given: foreign, operation: undefined };
  const operation = await transaction(deps.db, (tx) => findOperation(tx, keyOf(till, request)));
  if (operation === undefined) return { given: answer(16), operation };
  const isReversed = operation.state === 'reversed' || operation.state === 'reversed_first';
  return { given: isReversed ? answer(7, TAKEN_BACK) : operation, operation };
}

/** What each state of what is owed answers; it takes no money, so 0 says only that money can be taken. */
const ERRORS = { open: 0, sold_out: 10, expired: 2, paid_off: 3, cancelled: 5 } as const;
const PAYABLE = 'Se puede cobrar';

/**
 * What a reference stands for, before anything is charged (rules/tills-and-cash#till-operations). References that are nobody's,
 * and those of merchants that the till does not collect for, are error 1 and count against its limit.
 */
export async function queryReference(
  deps: TillDeps,
  till: SignedInTill,
  {
    reference,
    chain = till.chain,
    branch = '',
  }: {
    reference: string;
    chain: string | undefined;
    branch: string | undefined;
  },
  log: Log,
): Promise<{ given: TillAnswer; owed: LookedUp | undefined }> {
  const { serviceAccountId } = till;
  const foreign = await refuseForeignChain(deps, till, chain, log);
  if (foreign !== undefined) return { given: foreign, owed: undefined };
  if ((await secondsToWait(deps, serviceAccountId)) > 0) return { given: answer(15), owed: undefined };
  const payable = await findPayable(deps.db, reference);
  if (payable === undefined || !till.merchantIds.includes(payable.merchantId)) {
    if (payable !== undefined) {
      const { merchantId } = payable;
      await alertForeignMerchant(deps.db, serviceAccountId, { merchantId, branch });
      log.error({ serviceAccountId, branch, merchantId }, FOREIGN_MERCHANT);
    }
    await countUnknownReference(deps, serviceAccountId);
    return { given: answer(1), owed: undefined };
  }
  const owed = await readOwed(deps.db, payable);
  const error = ERRORS[owed.state];
  return { given: error === 0 ? answer(0, PAYABLE) : answer(error), owed };
}

/** What could be taken instead of a sum that was refused; undefined when nothing can. */
export async function rightSums({ db }: TillDeps, reference: string): Promise<LookedUp['quote']> {
  const payable = await findPayable(db, reference);
  return payable && (await readOwed(db, payable)).quote;
}
