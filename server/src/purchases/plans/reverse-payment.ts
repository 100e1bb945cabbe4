import type { Tx } from '../../platform/db/db.ts';
import type { ReceiptChannel } from '../../platform/db/tables.ts';
import { withdrawReceipt, withdrawWithRefund } from '../../ledger/receipts/withdraw-receipt.ts';
import { subtractPaid } from './store.ts';

/** The payment to take back, by what brought it. */
interface Payment {
  readonly channel: ReceiptChannel;
  readonly sourceId: string;
}

/**
 * Takes a payment off a purchase, whole, in the books and on its instalments. The caller holds the purchase's lock. False, and
 * nothing done, where `withdrawReceipt` may not.
 */
export async function reversePayment(tx: Tx, payment: Payment, purchaseId: number): Promise<boolean> {
  const parts = await withdrawReceipt(tx, { ...payment, purchaseId });
  if (parts === undefined) return false;
  await subtractPaid(tx, purchaseId, parts);
  return true;
}

/**
 * The same of a payment of which a part, or all, was owed back in cash (`withdrawWithRefund`). Without a purchase none of it
 * stands on one.
 */
export async function reversePaymentWithRefund(
  tx: Tx,
  payment: Payment,
  purchaseId: number | undefined,
  refund: { readonly refundIsPaid: boolean },
): Promise<boolean> {
  const parts = await withdrawWithRefund(tx, { ...payment, purchaseId }, refund);
  if (parts === undefined) return false;
  if (purchaseId !== undefined) await subtractPaid(tx, purchaseId, parts);
  return true;
}
