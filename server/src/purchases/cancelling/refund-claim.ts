import type { Centavos } from '@aparta/domain/money';

import { recordStaffAct } from '../../accounts/staff/store.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { findClaim, findClaimByFolio } from '../claims/read-model.ts';
import { endWithRefunds } from './end-with-refunds.ts';
import { listRefundsOf, lockCancellable, type RefundRow } from './read-model.ts';

/**
 * Ends a claimed purchase for its shop: everything goes back, fees too, without penalty (rules/goods#claims). One that its claim
 * ended before answers its refunds, so that a press may be repeated. Refuses NOT_FOUND, CLAIM_ENDED, and QUOTE_CHANGED when another
 * refund was shown.
 */
export async function refundClaim(
  { db }: { db: Db },
  caller: Staff,
  purchaseId: number,
  given: { folio: string; reason: string; shownCentavos: Centavos },
): Promise<RefundRow[]> {
  const { merchantId } = caller;
  const { folio, reason, shownCentavos } = given;
  await transaction(db, async (tx) => {
    const purchase = await lockCancellable(tx, { merchantId }, purchaseId);
    const claim = await findClaim(tx, purchaseId);
    if (purchase === undefined || claim?.folio !== folio) throw new Refusal('NOT_FOUND');
    if (purchase.endedBy === 'claim') return;
    if (claim.endedAt !== null) throw new Refusal('CLAIM_ENDED');
    await endWithRefunds(tx, purchase, { by: 'claim', notes: reason, shownCentavos });
    const detail = { purchaseId, reason, refundCentavos: shownCentavos };
    await recordStaffAct(tx, { by: caller, act: 'refund_claim', subject: folio, detail });
  });
  return listRefundsOf(db, purchaseId);
}

/** The same by the operator, whatever the shop says. Refuses a claim that is not there, or has ended. */
export async function refundClaimByOperator(
  tx: Tx,
  folio: string,
  reason: string,
): Promise<{ readonly purchaseId: number; readonly refunds: readonly RefundRow[] }> {
  const known = await findClaimByFolio(tx, folio);
  if (reason.length > 1000)
    throw new RefusedChange('field_length', { field: 'reason', least: 0, most: 1000 });
  if (known === undefined) throw new RefusedChange('claim_unknown', { folio });
  const { purchaseId, merchantId } = known;
  const purchase = await lockCancellable(tx, { merchantId }, purchaseId);
  const claim = await findClaim(tx, purchaseId);
  if (purchase === undefined || claim?.folio !== folio || claim.endedAt !== null)
    throw new RefusedChange('claim_ended', { folio });
  await endWithRefunds(tx, purchase, { by: 'claim', notes: reason, shownCentavos: undefined });
  return { purchaseId, refunds: await listRefundsOf(tx, purchaseId) };
}
