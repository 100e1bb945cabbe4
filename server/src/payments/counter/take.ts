import type { Centavos } from '@aparta/domain/money';
import { centavosToPesos } from '@aparta/domain/money';
import { parsePaymentReference } from '@aparta/domain/payment-reference';

import { recordStaffAct } from '../../accounts/staff/store.ts';
import { refusedBy } from '../../platform/db/transaction.ts';
import type { Log } from '../../platform/logging.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { secondsToWait, type SignedInTill, type TillDeps } from '../tills/operation.ts';
import type { TillAnswer } from '../tills/store.ts';
import { takeDeposit } from '../tills/take-deposit.ts';
import { takePayment } from '../tills/take-payment.ts';
import { findPayable, type Payable } from '../owed/read-model.ts';
import { readOwed } from '../owed/read-owed.ts';
import { askedEnough } from './find-owed.ts';
import { type Counter, type CounterOperation, findCounter, findCounterOperation } from './read-model.ts';
import { type CounterReceiptRow, readCounterReceipt, readOperation } from './receipt.ts';
import { type HandedOver, insertCounterOperation } from './store.ts';

/** What somebody presses at a counter. */
export interface Press {
  /** Made by the device with the press. */
  readonly id: string;
  readonly branchId: number;
  readonly reference: string;
  readonly amountCentavos: Centavos;
  readonly balanceShownCentavos?: Centavos | undefined;
  readonly handedOver: HandedOver;
}

/**
 * Takes money at a counter (rules/tills-and-cash#counter) by the use cases of a till: the merchant's own account, its branch, and
 * the device's id as the transaction's. The same press gets the same receipt; the same id for anything else is INTENT_CONFLICT.
 */
export async function takeAtCounter(
  deps: TillDeps,
  caller: Staff,
  press: Press,
  log: Log,
): Promise<CounterReceiptRow> {
  const { merchantId } = caller;
  // Where a branch has closed its id, once used, takes nothing more: this only answers what it took.
  if (!caller.branchIds.includes(press.branchId))
    await readCounterReceipt(deps.db, caller, { requestId: press.id });
  const counter = await findCounter(deps.db, merchantId);
  if (counter === undefined) throw new Refusal('NOT_FOUND');
  const payable = await findPayable(deps.db, press.reference);
  const take = payable?.isDeposit === true ? takeDeposit : takePayment;
  const given = await runAtTill(deps, take, tillOf(caller, press, counter), press, log);
  if (given.error !== 0) throw await refusalOf(deps, given, payable, counter);
  const operation = await findCounterOperation(deps.db, merchantId, { requestId: press.id });
  if (operation === undefined) throw new Error(`an operation of a counter without its row: ${press.id}`);
  if (!isSame(operation, press)) throw new Refusal('INTENT_CONFLICT');
  return readOperation(deps.db, operation);
}

/** A merchant's counter as a till, and what is written beside its operation. */
function tillOf(caller: Staff, press: Press, { serviceAccountId, chain }: Counter): SignedInTill {
  const { merchantId, positionId, device } = caller;
  const { id: requestId, branchId, amountCentavos, handedOver } = press;
  return {
    serviceAccountId,
    chain,
    merchantIds: [merchantId],
    async beside(tx, tillOperationId) {
      await insertCounterOperation(tx, {
        tillOperationId,
        merchantId,
        requestId,
        positionId,
        branchId,
        deviceId: device?.id ?? null,
        amountCentavos,
        handedOver,
      });
      const detail = { amountCentavos, method: handedOver.method };
      await recordStaffAct(tx, { by: caller, branchId, act: 'take_payment', subject: requestId, detail });
    },
  };
}

async function runAtTill(
  deps: TillDeps,
  take: typeof takeDeposit,
  till: SignedInTill,
  press: Press,
  log: Log,
): Promise<TillAnswer> {
  const parsed = parsePaymentReference(press.reference);
  const request = {
    // Typed at once or in groups, it is the same body.
    reference: parsed === undefined ? press.reference : parsed.prefix + parsed.id,
    amountCentavos: press.amountCentavos,
    balanceShownCentavos: press.balanceShownCentavos,
    chain: till.chain,
    branch: String(press.branchId),
    transactionId: press.id,
  };
  try {
    return await take(deps, till, request, log);
  } catch (error) {
    // The same id came for another branch.
    if (refusedBy(error) === 'counter_operations_once') throw new Refusal('INTENT_CONFLICT');
    throw error;
  }
}

/** Whether an operation is what is pressed now; reference and amount the till has compared. */
function isSame(operation: CounterOperation, { handedOver }: Press): boolean {
  if (handedOver.method === 'cash') return operation.tenderedCentavos === handedOver.tenderedCentavos;
  const { last4, authorisation } = handedOver;
  return operation.last4 === last4 && operation.authorisation === authorisation;
}

/** A till's answer as what people at a counter are told, with what they need to go on. */
async function refusalOf(
  deps: TillDeps,
  { error }: TillAnswer,
  payable: Payable | undefined,
  { serviceAccountId }: Counter,
): Promise<Refusal> {
  const isDeposit = payable?.isDeposit === true;
  switch (error) {
    case 1:
      return new Refusal('NOT_FOUND');
    case 2:
      return new Refusal('REFERENCE_EXPIRED');
    case 3:
      return new Refusal(isDeposit ? 'REFERENCE_PAID' : 'PURCHASE_SETTLED');
    case 4:
      return new Refusal('AMOUNT_CHANGED', await rightSums(deps, payable));
    case 5:
      return new Refusal(isDeposit ? 'REFERENCE_CANCELLED' : 'PURCHASE_CANCELLED');
    case 6:
      return new Refusal('INTENT_CONFLICT');
    case 7:
      return new Refusal('PAYMENT_REVERSED');
    case 10:
      return new Refusal('SOLD_OUT');
    case 14:
      return new Refusal('OVER_CAP');
    case 15:
      return askedEnough(await secondsToWait(deps, serviceAccountId));
    default:
      return new Refusal('INTERNAL');
  }
}

async function rightSums(
  { db }: TillDeps,
  payable: Payable | undefined,
): Promise<{ readonly amount?: number; readonly minimum?: number; readonly all?: number }> {
  const quote = payable && (await readOwed(db, payable)).quote;
  if (quote === undefined) return {};
  return {
    amount: centavosToPesos(quote.next.amountCentavos),
    minimum: centavosToPesos(quote.minimumCentavos),
    all: centavosToPesos(quote.all.amountCentavos),
  };
}
