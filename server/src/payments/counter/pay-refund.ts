import { type Centavos, centavosToPesos } from '@aparta/domain/money';

import { recordStaffAct } from '../../accounts/staff/store.ts';
import { findReceiptOf, lockRefund } from '../../ledger/refunds/store.ts';
import { isTakenBack } from '../../ledger/refunds/taken-back.read-model.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { markRefundPaid } from '../refunds/decide-refund.ts';
import { handedOverEvidence } from './copy.ts';
import { findCounterRefund, findRefundOfShop, readNamesAt, type RefundOfShop } from './read-model.ts';
import { type HandedOver, insertCounterRefund } from './store.ts';

/** What somebody presses who hands a refund over. */
export interface RefundPress {
  /** Made by the device with the press. */
  readonly id: string;
  readonly refundId: number;
  readonly branchId: number;
  /** What the screen showed. */
  readonly amountCentavos: Centavos;
  readonly method: HandedOver['method'];
}

/**
 * Hands a refund over, out of the caller's drawer or on the terminal that took it (rules/refunds#cash-refunds). The same press
 * answers the refund as it stands, also after it bounced; its id for anything else is INTENT_CONFLICT. Refuses NOT_FOUND,
 * REFUND_DONE, REFUND_TAKEN_BACK, AMOUNT_CHANGED, and PRESS_DROPPED a press that was given up.
 */
export async function payRefundAtCounter(
  { db }: { db: Db },
  caller: Staff,
  press: RefundPress,
): Promise<RefundOfShop> {
  const { merchantId } = caller;
  try {
    await transaction(db, (tx) => payOnce(tx, caller, press));
  } catch (error) {
    // The same press for two refunds, at once.
    if (refusedBy(error) === 'counter_refunds_once') throw new Refusal('INTENT_CONFLICT');
    if (refusedBy(error) === 'counter_refunds_were_not_dropped') throw new Refusal('PRESS_DROPPED');
    throw error;
  }
  const refund = await findRefundOfShop(db, merchantId, press.refundId);
  if (refund === undefined) throw new Error(`a refund that is not there: ${press.refundId}`);
  return refund;
}

/** What a press of the caller's handed over, in any role or branch of theirs; undefined while nothing is written of it. */
export async function findRefundOfPress(
  db: Db,
  { merchantId, staffId }: Staff,
  requestId: string,
): Promise<RefundOfShop | undefined> {
  const paid = await findCounterRefund(db, merchantId, requestId);
  return paid?.staffId === staffId ? findRefundOfShop(db, merchantId, paid.refundId) : undefined;
}

async function payOnce(tx: Tx, caller: Staff, press: RefundPress): Promise<void> {
  const { merchantId, positionId } = caller;
  const { id: requestId, refundId, branchId, amountCentavos, method } = press;
  const receipt = await findReceiptOf(tx, refundId);
  if (receipt?.merchantId !== merchantId) throw new Refusal('NOT_FOUND');
  const refund = await lockRefund(tx, refundId);
  if (refund?.method !== 'cash') throw new Refusal('NOT_FOUND');
  const before = await findCounterRefund(tx, merchantId, requestId);
  if (before !== undefined) {
    const isSame =
      before.refundId === refundId &&
      before.branchId === branchId &&
      before.staffId === caller.staffId &&
      before.amountCentavos === amountCentavos &&
      before.method === method;
    if (!isSame) throw new Refusal('INTENT_CONFLICT');
    return;
  }
  // Not before: a branch that closed since the press pays nothing more, and answers what it paid.
  if (!caller.branchIds.includes(branchId)) throw new Refusal('NOT_FOUND');
  if (refund.state !== 'owed') throw new Refusal('REFUND_DONE');
  if (await isTakenBack(tx, refundId)) throw new Refusal('REFUND_TAKEN_BACK');
  if (refund.amountCentavos !== amountCentavos)
    throw new Refusal('AMOUNT_CHANGED', { amount: centavosToPesos(refund.amountCentavos) });
  const last4 = method === 'terminal' ? await findLast4(tx, press, merchantId) : undefined;
  const evidence = handedOverEvidence(await readNamesAt(tx, caller, branchId), last4);
  await markRefundPaid(tx, refundId, { paidBy: 'merchant', evidence, last4 });
  await insertCounterRefund(tx, {
    refundId,
    tries: refund.tries,
    merchantId,
    requestId,
    positionId,
    branchId,
    amountCentavos,
    method,
  });
  await recordStaffAct(tx, {
    by: caller,
    branchId,
    act: 'pay_refund',
    subject: String(refundId),
    detail: { amountCentavos, method },
  });
}

/** Of the card that the terminal took. Refuses INVALID_INPUT of money that came another way: no card of the buyer's is charged for it. */
async function findLast4(tx: Tx, { refundId }: RefundPress, merchantId: number): Promise<string> {
  const { last4 } = (await findRefundOfShop(tx, merchantId, refundId)) ?? {};
  if (typeof last4 !== 'string') throw new Refusal('INVALID_INPUT', { fields: { method: 'not taken so' } });
  return last4;
}
