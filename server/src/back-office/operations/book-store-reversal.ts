import { type Centavos, centavos, sum } from '@aparta/domain/money';

import { resolveAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { notifyHelperAtStore } from '../../payments/cash/notify-helper-at-store.ts';
import { withdrawCash } from '../../payments/cash/reverse-owed-back.ts';
import { findNotice, findReferenceOf, markReversalBooked } from '../../payments/cash/store.ts';
import { STORE_REVERSED } from '../../payments/cash/copy.ts';
import { endPurchase } from '../../purchases/plans/end-purchase.ts';
import { type LockedPurchase, lockPurchase, sumPaid } from '../../purchases/plans/store.ts';
import { isReceiptInvoiced } from '../../invoicing/invoices/instalment.read-model.ts';
import { externallyRefunded, type ExternalRefundPart } from '../../ledger/books/postings.ts';
import { book } from '../../ledger/books/store.ts';
import { isWithdrawn } from '../../ledger/receipts/store.ts';
import { addExternalRefund, lockRefundsOfReceipt, moveRefund } from '../../ledger/refunds/store.ts';
import { isHelpers } from '../../purchases/cash-references/store.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { findReversalAlert, findStoreReceipt } from './store-reversal.read-model.ts';

export interface BookedReversal {
  readonly amountCentavos: Centavos;
  /** What the merchant lost: the buyer had been given it already, or it was kept as a penalty. */
  readonly lostCentavos: Centavos;
  /** The active purchase that it was taken from. */
  readonly purchaseId: number | undefined;
}

/**
 * Books a reversal by Tapi that could not be booked automatically (rules/tills-and-cash#cash-reversals): of cash that an operator
 * applied, that is owed back in part, or whose purchase was cancelled since. Refunds that are still owed are done, since the
 * store gave the buyer their money; what the buyer had been given already is the merchant's loss. `operationId` is the one of
 * the open alert `cash_reversal_impossible`, which only Tapi's own notice raises. Refuses an invoiced payment, one that a
 * settlement paid out, and a reversal of another amount.
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
  // Without any money it is no reservation any more.
  if (isActive && (await sumPaid(tx, purchase.id)) === 0)
    await endPurchase(tx, purchase.id, { event: 'voided', by: 'reversal', notes: STORE_REVERSED });
  await resolveAlert(tx, 'cash_reversal_impossible', operationId);
  await markReversalBooked(tx, operationId);
  const reference = await findReferenceOf(tx, alert.reverses);
  const purchaseId = purchase?.id ?? reference?.purchaseId;
  if (receipt.buyerId !== null)
    await sendEmail(tx, {
      topic: 'store_reversed',
      dedupeKey: `cash:${alert.reverses}`,
      buyerId: receipt.buyerId,
      facts: {
        amountCentavos: receipt.amountCentavos,
        ...(typeof purchaseId === 'number' && { purchaseId }),
        ...(isHelpers(reference) && { isHelp: 1 }),
      },
    });
  await notifyHelperAtStore(tx, reference, alert.reverses, 'help_reversed', receipt.amountCentavos);
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

/** Takes a receipt and its refund out of the books. Resolves with what the buyer had been given already. */
async function withdrawAll(
  tx: Tx,
  sourceId: string,
  { id }: StoreMoney,
  purchase: LockedPurchase | undefined,
): Promise<Centavos> {
  const [refund] = await lockRefundsOfReceipt(tx, id);
  if (!(await withdrawCash(tx, sourceId, purchase?.id, refund)))
    throw new Error(`the receipt of ${sourceId} was settled under its lock`);
  return refund?.state === 'done' ? refund.amountCentavos : centavos(0);
}

/** Of a cancelled purchase only the open refunds change, and the rest is lost. Resolves with the loss. */
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
