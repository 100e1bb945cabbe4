import { type Centavos, centavos, sum } from '@aparta/domain/money';

import { resolveAlarm } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { findNotice, findReferenceOf, markReversalBooked } from '../../payments/cash/store.ts';
import { type LockedPurchase, lockPurchase } from '../../purchases/plans/store.ts';
import { isReceiptInvoiced } from '../../invoicing/store.ts';
import { leftOutside, type LeftOutside } from '../../ledger/books/postings.ts';
import { book } from '../../ledger/books/store.ts';
import { isWithdrawn } from '../../ledger/receipts/store.ts';
import { addExternalRefund, lockRefundsOfReceipt, moveRefund } from '../../ledger/refunds/store.ts';
import { reversePaymentWithRefund } from '../../purchases/plans/reverse-payment.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { findReversalAlarm, findStoreReceipt } from './store.ts';

export interface BookedReversal {
  readonly amountCentavos: Centavos;
  /** What of it the merchant lost: it had been handed over in cash, or kept, when the store took it back. */
  readonly lostCentavos: Centavos;
  /** The active purchase that counts it no more. */
  readonly purchaseId: number | undefined;
}

/**
 * Books what the network took back and could not be booked by itself (rules/tills-and-cash#cash-reversals,
 * `cash_reversal_impossible`): found out whose it was by a person, owed back in part, or of a purchase that was cancelled
 * since. What was still owed to the buyer of it is owed no more, since the store gave it to him; what he has in cash already is
 * the merchant's loss. `operationId` is the one that rings; nothing but the network's own word makes it ring. Refuses what is
 * invoiced, what a deposit brought, and another sum.
 */
export async function bookStoreReversal(tx: Tx, operationId: string): Promise<BookedReversal> {
  const alarm = await findReversalAlarm(tx, operationId);
  const unlocked = alarm && (await findStoreReceipt(tx, alarm.reverses));
  if (alarm === undefined || unlocked === undefined)
    throw new RefusedChange('reversal_unknown', { id: operationId });
  const purchase = unlocked.purchaseId === null ? undefined : await lockPurchase(tx, unlocked.purchaseId);
  const receipt = (await findStoreReceipt(tx, alarm.reverses, { isLocked: true })) ?? unlocked;
  if (await isWithdrawn(tx, 'tapi', alarm.reverses))
    throw new RefusedChange('reversal_unknown', { id: operationId });
  const told = await findNotice(tx, operationId);
  if (told?.status === 'reversed' && told.amountCentavos !== receipt.amountCentavos)
    throw new RefusedChange('reversal_other_amount');
  if (receipt.settlementId !== null)
    throw new RefusedChange('reversal_settled', { settlement: receipt.settlementId });
  const isActive = purchase?.state === 'active';
  if (isActive && (await isReceiptInvoiced(tx, 'tapi', alarm.reverses)))
    throw new RefusedChange('reversal_invoiced', { purchase: purchase.id });

  const money = { id: receipt.id, merchantId: receipt.merchantId, amountCentavos: receipt.amountCentavos };
  const lostCentavos =
    purchase === undefined || isActive
      ? await withdrawAll(tx, alarm.reverses, money, purchase)
      : await takeFromCancelled(tx, alarm.reverses, money, operationId);
  await resolveAlarm(tx, 'cash_reversal_impossible', operationId);
  await markReversalBooked(tx, operationId);
  const purchaseId = purchase?.id ?? (await findReferenceOf(tx, alarm.reverses))?.purchaseId;
  if (purchaseId !== undefined && receipt.buyerId !== null)
    await sendEmail(tx, {
      topic: 'store_reversed',
      dedupeKey: `tapi:${alarm.reverses}`,
      buyerId: receipt.buyerId,
      facts: { amountCentavos: receipt.amountCentavos, purchaseId },
    });
  return {
    amountCentavos: receipt.amountCentavos,
    lostCentavos,
    purchaseId: isActive ? purchase.id : undefined,
  };
}

interface StoreMoney {
  readonly id: number;
  readonly merchantId: number;
  readonly amountCentavos: Centavos;
}

/** Whole out of the books, with what was owed back of it. Answers what of that the buyer had already. */
async function withdrawAll(
  tx: Tx,
  sourceId: string,
  { id }: StoreMoney,
  purchase: LockedPurchase | undefined,
): Promise<Centavos> {
  const [refund] = await lockRefundsOfReceipt(tx, id);
  const refundIsPaid = refund?.state === 'done';
  if (!(await reversePaymentWithRefund(tx, { channel: 'tapi', sourceId }, purchase?.id, { refundIsPaid })))
    throw new Error(`the receipt of ${sourceId} was settled under its lock`);
  if (refund?.state === 'owed')
    await moveRefund(tx, refund.id, 'returned_by_store', { detailCode: 'the store gave it back' });
  return refundIsPaid ? refund.amountCentavos : centavos(0);
}

/** Its instalments stay as they were when the purchase ended: only what is owed of it changes, and the rest is lost. */
async function takeFromCancelled(
  tx: Tx,
  sourceId: string,
  { id, merchantId, amountCentavos }: StoreMoney,
  providerRefundId: string,
): Promise<Centavos> {
  const owed = (await lockRefundsOfReceipt(tx, id)).filter(({ state }) => state === 'owed');
  for (const refund of owed) await moveRefund(tx, refund.id, 'refunded_externally', { providerRefundId });
  const lostCentavos = centavos(amountCentavos - sum(owed.map((refund) => refund.amountCentavos)));
  const parts: LeftOutside[] = owed.map((refund) => ({
    was: 'refund',
    refundId: refund.id,
    way: 'cash',
    amountCentavos: refund.amountCentavos,
  }));
  if (lostCentavos > 0) {
    parts.push({ was: 'loss', amountCentavos: lostCentavos });
    await addExternalRefund(tx, {
      receiptId: id,
      attemptId: null,
      way: 'cash',
      amountCentavos: lostCentavos,
      providerRefundId,
    });
  }
  await book(tx, leftOutside({ channel: 'tapi', merchantId, sourceId, leftCentavos: amountCentavos }, parts));
  return lostCentavos;
}
