import type { Centavos } from '@aparta/domain/money';

import { recordStaffAct } from '../../accounts/staff/store.ts';
import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
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
 * What the merchant gives back if it ends a purchase now: all of it (rules/goods#ended-by-the-shop). Refuses NOT_FOUND,
 * PURCHASE_CANCELLED, and PURCHASE_SETTLED what was handed over.
 */
export async function quoteEndPlan(db: Db, { merchantId }: Staff, purchaseId: number): Promise<Quote> {
  const purchase = refuseUnlessEndable(await findCancellable(db, { merchantId }, purchaseId));
  return quoteEnd(db, purchase, 'merchant');
}

/**
 * Ends a purchase whose goods the merchant cannot deliver, paid off or not: everything goes back, fees too, and its unit is on sale
 * again. One that the merchant ended before answers its refunds, so that a press may be repeated. Refuses as
 * `quoteEndPlan` does, and QUOTE_CHANGED when another refund was shown.
 */
export async function endPlan(
  { db }: { db: Db },
  caller: Staff,
  purchaseId: number,
  { reason, shownCentavos }: { reason: string; shownCentavos: Centavos },
): Promise<RefundRow[]> {
  const { merchantId } = caller;
  await transaction(db, async (tx) => {
    const found = await lockCancellable(tx, { merchantId }, purchaseId);
    if (found?.endedBy === 'merchant') return;
    const purchase = refuseUnlessEndable(found);
    await endWithRefunds(tx, purchase, { by: 'merchant', notes: reason, shownCentavos });
    await recordStaffAct(tx, {
      by: caller,
      act: 'end_plan',
      subject: String(purchaseId),
      detail: { reason, refundCentavos: shownCentavos },
    });
  });
  return listRefundsOf(db, purchaseId);
}

function refuseUnlessEndable(purchase: CancellablePurchase | undefined): CancellablePurchase {
  if (purchase === undefined) throw new Refusal('NOT_FOUND');
  if (purchase.state === 'cancelled') throw new Refusal('PURCHASE_CANCELLED');
  if (purchase.state === 'delivered') throw new Refusal('PURCHASE_SETTLED');
  return purchase;
}
