import type { Tx } from '../../platform/db/db.ts';
import type { ReceiptChannel } from '../../platform/db/tables.ts';
import { reverseReceipt, reverseReceiptWithRefund } from '../../ledger/receipts/reverse-receipt.ts';
import { subtractPaid } from './store.ts';

/** A payment, by what brought it. */
interface Payment {
  readonly channel: ReceiptChannel;
  readonly sourceId: string;
}

/**
 * Reverses a payment of a purchase, whole, in the books and on its instalments (rules/ledger#reversal). The caller holds the
 * purchase's lock (rules/ledger#lock-order, level 1), of a card payment the attempt's too (level 2). False, and nothing is
 * done, where `reverseReceipt` refuses.
 */
export async function reversePayment(tx: Tx, payment: Payment, purchaseId: number): Promise<boolean> {
  const parts = await reverseReceipt(tx, { ...payment, purchaseId });
  if (parts === undefined) return false;
  await subtractPaid(tx, purchaseId, parts);
  return true;
}

/**
 * Reverses a payment of which a part, or all, was owed back in cash. The caller holds the purchase's lock, where the payment
 * has one, and the refund's (level 4), and ends the refund. False, and nothing is done, where a settlement brought the money.
 */
export async function reversePaymentWithRefund(
  tx: Tx,
  payment: Payment,
  purchaseId: number | undefined,
  refund: { readonly refundIsPaid: boolean },
): Promise<boolean> {
  const parts = await reverseReceiptWithRefund(tx, { ...payment, purchaseId }, refund);
  if (parts === undefined) return false;
  if (purchaseId !== undefined) await subtractPaid(tx, purchaseId, parts);
  return true;
}
