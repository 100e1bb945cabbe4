import type { Centavos } from '@aparta/domain/money';

import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { endWithRefunds, type Quote, quoteEnd } from './end-with-refunds.ts';
import {
  type CancellablePurchase,
  findCancellable,
  listRefundsOf,
  lockCancellable,
  type RefundRow,
} from './read-model.ts';

/**
 * What cancelling would cost and give back now (rules/layaways#cancelling). Refuses NOT_FOUND, PURCHASE_CANCELLED
 * and PURCHASE_SETTLED.
 */
export async function quoteCancel(db: Db, buyerId: number, purchaseId: number): Promise<Quote> {
  return quoteEnd(db, refuseUnlessCancellable(await findCancellable(db, { buyerId }, purchaseId)), 'buyer');
}

/**
 * Cancels a buyer's active purchase that is not paid off. Refuses as `quoteCancel` does, and QUOTE_CHANGED when another refund was
 * shown.
 */
export async function cancelPurchase(
  deps: { db: Db },
  buyerId: number,
  purchaseId: number,
  request: { notes: string; shownCentavos: Centavos | undefined },
): Promise<RefundRow[]> {
  await transaction(deps.db, async (tx) => {
    const purchase = refuseUnlessCancellable(await lockCancellable(tx, { buyerId }, purchaseId));
    await endWithRefunds(tx, purchase, { by: 'buyer', ...request });
  });
  return listRefundsOf(deps.db, purchaseId);
}

/** The refunds of one of the buyer's purchases. Refuses NOT_FOUND. */
export async function readRefunds(db: Db, buyerId: number, purchaseId: number): Promise<RefundRow[]> {
  if ((await findCancellable(db, { buyerId }, purchaseId)) === undefined) throw new Refusal('NOT_FOUND');
  return listRefundsOf(db, purchaseId);
}

function refuseUnlessCancellable(purchase: CancellablePurchase | undefined): CancellablePurchase {
  if (purchase === undefined) throw new Refusal('NOT_FOUND');
  if (purchase.state === 'cancelled') throw new Refusal('PURCHASE_CANCELLED');
  if (purchase.paidCentavos >= purchase.priceCentavos) throw new Refusal('PURCHASE_SETTLED');
  return purchase;
}
