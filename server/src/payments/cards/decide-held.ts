import { add, type Centavos } from '@aparta/domain/money';
import { resolveAlerts } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { isPaidAnew } from './blocking.read-model.ts';
import { isApplicable, lockPayable, lockUnitOf } from './payable.ts';
import { applyMoney, returnMoney } from './attempt-money.ts';
import { findAttempt, lockAttempt, updateAttempt } from './store.ts';

const ABOUT_HELD = ['attempt_mismatch', 'attempt_overdue', 'unknown_payment'] as const;

/**
 * The operator decides on held money (rules/card-attempts#held-money). It is applied only if it is the agreed sum after all and
 * still applicable, and returned only if it was captured. Answers the sum that moved. Refuses everything else, a second decision
 * too.
 */
export async function decideHeld(
  tx: Tx,
  attemptId: string,
  decision: 'apply' | 'return',
): Promise<{ readonly amountCentavos: Centavos }> {
  const unlocked = await findAttempt(tx, attemptId);
  if (unlocked === undefined) throw new RefusedChange('attempt_unknown', { id: attemptId });
  const payable = await lockPayable(tx, unlocked);
  const attempt = await lockAttempt(tx, attemptId);
  if (attempt?.state !== 'held')
    throw new RefusedChange('attempt_not_held', { state: attempt?.state ?? unlocked.state });
  const amountCentavos = attempt.capturedCentavos;
  if (amountCentavos === 0) throw new RefusedChange('held_not_captured');
  if (decision === 'apply') {
    if (amountCentavos !== add(attempt.principalCentavos, attempt.feeCentavos))
      throw new RefusedChange('held_other_amount');
    if (
      attempt.buyerId === null ||
      payable === undefined ||
      !isApplicable(payable, attempt) ||
      (await isPaidAnew(tx, attempt.id))
    )
      throw new RefusedChange('held_not_applicable');
    const unit = await lockUnitOf(tx, payable);
    if (unit === undefined) throw new RefusedChange('held_sold_out');
    const applied = await applyMoney({ tx, payable }, { payable, unit }, attempt);
    await updateAttempt(tx, attempt, 'operator_applied', { ...applied, polls: 0, notFoundCount: 0 });
  } else {
    const returned = await returnMoney({ tx, payable }, attempt);
    await updateAttempt(tx, attempt, 'operator_returned', { ...returned, polls: 0, notFoundCount: 0 });
  }
  await resolveAlerts(tx, ABOUT_HELD, [
    attempt.id,
    ...(attempt.providerPaymentId === null ? [] : [attempt.providerPaymentId]),
  ]);
  return { amountCentavos };
}
