import type { Centavos } from '@aparta/domain/money';

import { resolveAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { lockPurchase } from '../../purchases/plans/store.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { findNotice, resolveUnappliedCash } from './store.ts';
import { giveTo } from './take-notice.ts';

/**
 * A person found out whose unapplied cash is: it goes to that purchase as if its notice had named it, what is too much is
 * owed back. Refuses money that was applied already, and what is no sum of pesos.
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
  const { outcome: before, status, amountCentavos, currency } = notice;
  if (before !== 'unapplied' || status !== 'confirmed')
    throw new RefusedChange('notice_already_applied', { outcome: before, status });
  if (amountCentavos === null || currency !== 'MXN') throw new RefusedChange('notice_no_pesos', { currency });
  const outcome = await giveTo(tx, purchase, operationId, amountCentavos);
  // Meanwhile another may have found its owner, or the store taken it back.
  if (!(await resolveUnappliedCash(tx, operationId, outcome)))
    throw new RefusedChange('notice_already_applied', { outcome: before, status });
  await resolveAlert(tx, 'unapplied_cash', operationId);
  return { outcome, amountCentavos };
}
