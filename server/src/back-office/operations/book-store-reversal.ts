import { type Centavos, centavos, sum } from '@aparta/domain/money';

import { resolveAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { findNotice, findReferenceOf, markReversalBooked } from '../../payments/cash/store.ts';
import { type LockedPurchase, lockPurchase } from '../../purchases/plans/store.ts';
import { isReceiptInvoiced } from '../../invoicing/invoices/instalment.read-model.ts';
import { externallyRefunded, type ExternalRefundPart } from '../../ledger/books/postings.ts';
import { book } from '../../ledger/books/store.ts';
import { isWithdrawn } from '../../ledger/receipts/store.ts';
import { addExternalRefund, lockRefundsOfReceipt, moveRefund } from '../../ledger/refunds/store.ts';
import { reversePaymentWithRefund } from '../../purchases/plans/reverse-payment.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { findReversalAlert, findStoreReceipt } from './store.ts';

export interface BookedReversal {
  readonly amountCentavos: Centavos;
  /** What of it the merchant lost: it had been handed over in cash, or kept, when the store took it back. */
  readonly lostCentavos: Centavos;
  /** The active purchase that counts it no more. */
  readonly purchaseId: number | undefined;
}

/**
 * Books what Tapi took back and could not be booked by itself (rules/tills-and-cash#cash-reversals,
 * `cash_reversal_impossible`): found out whose it was by a person, owed back in part, or of a purchase that was cancelled
 * since. What was still owed to the buyer of it is owed no more, since the store gave it to him; what he has in cash already is
 * the merchant's loss. `operationId` is the one that raises an alert; nothing but Tapi's own word makes it raise an alert. Refuses what is
 * invoiced, what a deposit brought, and another sum.
 */
export async function bookStoreReversal(tx: Tx, operationId: string): Promise<BookedReversal> {
  const alert = await findReversalAlert(tx, operationId);
  const unlocked = alert && (await findStoreReceipt(tx, alert.reverses));
  if (alert === undefined || unlocked === undefined)
    throw new RefusedChange('reversal_unknown', { id: operationId });
  const purchase = unlocked.purchaseId === null ? undefined : await lockPurchase(tx, unlocked.purchaseId);
  const receipt = (await findStoreReceipt(tx, alert.reverses, { isLocked: true })) ?? unlocked;
  if (await isWithdrawn(tx, 'cash', alert.reverses))
    throw new RefusedChange('reversal_unknown', { id: operationId });
  const received = await findNotice(tx, operationId);
  if (received?.status === 'reversed' && received.amountCentavos !== receipt.amountCentavos)
    throw new RefusedChange('reversal_other_amount');
  if (receipt.settlementId !== null)
    throw new RefusedChange('reversal_settled', { settlement: receipt.settlementId });
  const isActive = purchase?.state === 'active';
  if (isActive && (await isReceiptInvoiced(tx, 'cash', alert.reverses)))
    throw new RefusedChange('reversal_invoiced', { purchase: purchase.id });

  const money = { id: receipt.id, merchantId: receipt.merchantId, amountCentavos: receipt.amountCentavos };
  const lostCentavos =
    purchase === undefined || isActive
      ? await withdrawAll(tx, alert.reverses, money, purchase)
      : await takeFromCancelled(tx, alert.reverses, money, operationId);
  await resolveAlert(tx, 'cash_reversal_impossible', operationId);
  await markReversalBooked(tx, operationId);
  const purchaseId = purchase?.id ?? (await findReferenceOf(tx, alert.reverses))?.purchaseId;
  if (purchaseId !== undefined && receipt.buyerId !== null)
    await sendEmail(tx, {
      topic: 'store_reversed',
      dedupeKey: `cash:${alert.reverses}`,
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
  if (!(await reversePaymentWithRefund(tx, { channel: 'cash', sourceId }, purchase?.id, { refundIsPaid })))
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
  const parts: ExternalRefundPart[] = owed.map((refund) => ({
    was: 'refund',
    refundId: refund.id,
    method: 'cash',
    amountCentavos: refund.amountCentavos,
  }));
  if (lostCentavos > 0) {
    parts.push({ was: 'loss', amountCentavos: lostCentavos });
    await addExternalRefund(tx, {
      receiptId: id,
      attemptId: null,
      method: 'cash',
      amountCentavos: lostCentavos,
      providerRefundId,
    });
  }
  await book(
    tx,
    externallyRefunded({ channel: 'cash', merchantId, sourceId, leftCentavos: amountCentavos }, parts),
  );
  return lostCentavos;
}
