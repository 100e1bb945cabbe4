import type { Centavos } from '@aparta/domain/money';
import { parsePaymentReference } from '@aparta/domain/payment-reference';

import { paidMoment } from '../../ledger/receipts/paid-at.ts';
import { resolveAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { lockReference } from '../../purchases/layaways/store.ts';
import { lockPurchase } from '../../purchases/plans/store.ts';
import { applyCash } from './cash-money.ts';
import { applyDeposit } from './deposit-money.ts';
import { findNotice, resolveUnappliedCash } from './store.ts';

/** Of cash that names no reference of ours nothing else says since when it can have been paid. */
const OLDEST_MS = 60 * 86_400_000;

interface AssignedCash {
  readonly outcome: 'applied' | 'owed_back';
  readonly amountCentavos: Centavos;
}

/**
 * Applies unapplied cash to the purchase that a person found for it, as if its notice had named that purchase; the surplus is
 * owed back. Refuses cash that is decided already, and a notice without a sum in pesos.
 */
export async function assignCash(tx: Tx, operationId: string, purchaseId: number): Promise<AssignedCash> {
  const purchase = await lockPurchase(tx, purchaseId);
  if (purchase === undefined) throw new RefusedChange('purchase_unknown', { id: purchaseId });
  return assign(tx, operationId, purchase.now, (amountCentavos, paidAt) =>
    applyCash(tx, purchase, operationId, amountCentavos, paidAt),
  );
}

/** The same for the deposit of a layaway, by its printed number: it reserves or is owed back as its own cash would be. */
export async function assignDepositCash(tx: Tx, operationId: string, printed: string): Promise<AssignedCash> {
  const parsed = parsePaymentReference(printed);
  const layaway = parsed?.prefix === '1' ? await lockReference(tx, Number(parsed.id)) : undefined;
  if (layaway === undefined) throw new RefusedChange('reference_unknown', { reference: printed });
  return assign(tx, operationId, layaway.now, (amountCentavos, paidAt) =>
    applyDeposit(tx, layaway, operationId, amountCentavos, paidAt),
  );
}

async function assign(
  tx: Tx,
  operationId: string,
  now: Date,
  apply: (amountCentavos: Centavos, paidAt: Date | undefined) => Promise<AssignedCash['outcome']>,
): Promise<AssignedCash> {
  const notice = await findNotice(tx, operationId);
  if (notice === undefined) throw new RefusedChange('notice_unknown', { id: operationId });
  const { outcome: before, status, amountCentavos, currency, paidAt } = notice;
  if (before !== 'unapplied') throw new RefusedChange('notice_already_applied', { outcome: before, status });
  if (amountCentavos === null || currency !== 'MXN') throw new RefusedChange('notice_no_pesos', { currency });
  const outcome = await apply(
    amountCentavos,
    paidMoment(paidAt, { since: new Date(now.getTime() - OLDEST_MS), now }),
  );
  // It may be a reversal; or somebody else assigned it meanwhile, or Tapi reversed it.
  if (!(await resolveUnappliedCash(tx, operationId, outcome)))
    throw new RefusedChange('notice_already_applied', { outcome: before, status });
  await resolveAlert(tx, 'unapplied_cash', operationId);
  return { outcome, amountCentavos };
}
