import type { Centavos } from '@aparta/domain/money';

import { paidMoment } from '../../ledger/receipts/paid-at.ts';
import { resolveAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { lockPurchase } from '../../purchases/plans/store.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { applyCash } from './cash-money.ts';
import { findNotice, resolveUnappliedCash } from './store.ts';

/** Of cash that names no reference of ours nothing else says since when it can have been paid. */
const OLDEST_MS = 60 * 86_400_000;

/**
 * Applies unapplied cash to the purchase that a person found for it, as if its notice had named that purchase; the surplus is
 * owed back. Refuses cash that is decided already, and a notice without a sum in pesos.
 */
export async function assignCash(
  tx: Tx,
  operationId: string,
  purchaseId: number,
): Promise<{ readonly outcome: 'applied' | 'owed_back'; readonly amountCentavos: Centavos }> {
  const purchase = await lockPurchase(tx, purchaseId);
  if (purchase === undefined) throw new RefusedChange('purchase_unknown', { id: purchaseId });
  const notice = await findNotice(tx, operationId);
  if (notice === undefined) throw new RefusedChange('notice_unknown', { id: operationId });
  const { outcome: before, status, amountCentavos, currency, paidAt } = notice;
  if (before !== 'unapplied') throw new RefusedChange('notice_already_applied', { outcome: before, status });
  if (amountCentavos === null || currency !== 'MXN') throw new RefusedChange('notice_no_pesos', { currency });
  const since = new Date(purchase.now.getTime() - OLDEST_MS);
  const paid = paidMoment(paidAt, { since, now: purchase.now });
  const outcome = await applyCash(tx, purchase, operationId, amountCentavos, paid);
  // It may be a reversal; or somebody else assigned it meanwhile, or Tapi reversed it.
  if (!(await resolveUnappliedCash(tx, operationId, outcome)))
    throw new RefusedChange('notice_already_applied', { outcome: before, status });
  await resolveAlert(tx, 'unapplied_cash', operationId);
  return { outcome, amountCentavos };
}
