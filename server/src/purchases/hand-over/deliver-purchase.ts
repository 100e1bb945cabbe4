import type { Centavos } from '@aparta/domain/money';

import { goodsDelivered } from '../../ledger/books/postings.ts';
import { book } from '../../ledger/books/store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { markDelivered } from '../plans/end-purchase.ts';
import { sumPaid } from '../plans/store.ts';
import { insertHandOver, type NewHandOver } from './store.ts';

/**
 * The goods of an active purchase that is paid whole are the buyer's now, and what was paid for them the merchant's
 * (rules/ledger#hand-over). The caller holds the purchase's lock (rules/ledger#lock-order, level 1). Throws when it has ended;
 * `purchases_delivered_were_paid` refuses one that is not paid whole. Resolves with what was paid.
 */
export async function deliverPurchase(tx: Tx, handOver: NewHandOver): Promise<Centavos> {
  const { purchaseId, merchantId } = handOver;
  await markDelivered(tx, purchaseId);
  await insertHandOver(tx, handOver);
  const paidCentavos = await sumPaid(tx, purchaseId);
  await book(tx, goodsDelivered({ merchantId, purchaseId, paidCentavos }));
  return paidCentavos;
}
