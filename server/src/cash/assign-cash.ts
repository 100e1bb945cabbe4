import type { Centavos } from '@aparta/domain/money';

import { resolveAlarms } from '../db/alarms.ts';
import type { Tx } from '../db/db.ts';
import { lockPurchase } from '../instalments/store.ts';
import { RefusedChange } from '../refused-change.ts';
import { findNotice, markNotice } from './store.ts';
import { giveTo } from './take-notice.ts';

/**
 * A person found out whose cash without a home is: it goes to that purchase as if its notice had named it, what is too much is
 * owed back. Refuses money that has its home already, and what is no sum of pesos.
 */
export async function assignCash(
  tx: Tx,
  operationId: string,
  purchaseId: number,
): Promise<{ readonly outcome: 'applied' | 'owed_back'; readonly amountCentavos: Centavos }> {
  const purchase = await lockPurchase(tx, purchaseId);
  if (purchase === undefined) throw new RefusedChange('purchase_unknown', { id: purchaseId });
  // After the lock, and again after another's: `receipts_money_arrives_once` refuses the second of two at once.
  const notice = await findNotice(tx, operationId);
  if (notice === undefined) throw new RefusedChange('notice_unknown', { id: operationId });
  const { outcome: before, status, amountCentavos, currency } = notice;
  if (before !== 'suspense' || status !== 'confirmed')
    throw new RefusedChange('notice_has_home', { outcome: before, status });
  if (amountCentavos === null || currency !== 'MXN') throw new RefusedChange('notice_no_pesos', { currency });
  const outcome = await giveTo(tx, purchase, operationId, amountCentavos);
  await markNotice(tx, operationId, outcome);
  await resolveAlarms(tx, [operationId]);
  return { outcome, amountCentavos };
}
