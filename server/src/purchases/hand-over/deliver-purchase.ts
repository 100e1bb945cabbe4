import type { Centavos } from '@aparta/domain/money';

import { goodsDelivered } from '../../ledger/books/postings.ts';
import { book } from '../../ledger/books/store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { markDelivered } from '../plans/end-purchase.ts';
import { lockPurchase, sumPaid } from '../plans/store.ts';
import { insertHandOver, type NewHandOver } from './store.ts';

/**
 * The goods of an active purchase that is paid whole are the buyer's now, and what was paid for them the merchant's
 * (rules/ledger#hand-over). The caller holds the purchase's lock (rules/ledger#lock-order, level 1). Throws when it has ended;
 * `purchases_delivered_were_paid` refuses one that is not paid whole. Resolves with what was paid.
 */
export async function deliverPurchase(tx: Tx, handOver: NewHandOver): Promise<Centavos> {
  await markDelivered(tx, handOver.purchaseId);
  await insertHandOver(tx, handOver);
  return sell(tx, handOver);
}

/**
 * The same where no counter of ours handed anything over, of a buyer who is erased: the operator says that the shop did. Locks
 * the purchase, and throws like {@link deliverPurchase}.
 */
export async function deliverUnseen(tx: Tx, purchaseId: number): Promise<void> {
  const purchase = await lockPurchase(tx, purchaseId);
  if (purchase === undefined) throw new Error(`there is no purchase ${purchaseId}`);
  await markDelivered(tx, purchaseId);
  await sell(tx, { purchaseId, merchantId: purchase.merchantId });
}

async function sell(
  tx: Tx,
  { purchaseId, merchantId }: { readonly purchaseId: number; readonly merchantId: number },
): Promise<Centavos> {
  const paidCentavos = await sumPaid(tx, purchaseId);
  await book(tx, goodsDelivered({ merchantId, purchaseId, paidCentavos }));
  return paidCentavos;
}
