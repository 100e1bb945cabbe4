import { answerBy, deliverBy, isPromiseOver } from '@aparta/domain/claims';

import { newFolio } from '../../ledger/receipts/folio.ts';
import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type ClaimablePurchase, type ClaimRow, findClaim, lockClaimable } from './read-model.ts';
import { endClaimOf, insertClaim } from './store.ts';

const DAY_SECONDS = 86_400;

/**
 * Opens a claim of a buyer's purchase that is paid whole and was not handed over within its promise (rules/goods#claims). While one
 * is open it answers that one, so that a press may be repeated. Refuses NOT_FOUND, PURCHASE_CANCELLED, HANDED_OVER, NOT_PAID_OFF,
 * CLAIM_TOO_EARLY, and TOO_MANY within a day of the claim before.
 */
export async function openClaim(
  { db }: { db: Db },
  buyerId: number,
  purchaseId: number,
  notes: string,
): Promise<ClaimRow> {
  return transaction(db, async (tx) => {
    const purchase = refuseUnlessUndelivered(await lockClaimable(tx, { buyerId }, purchaseId));
    const known = await findClaim(tx, purchaseId);
    if (known?.endedAt === null) return known;
    const { now, settledAt, deliveryDays, merchantId } = purchase;
    if (!isPromiseOver(settledAt, deliveryDays, now))
      throw new Refusal('CLAIM_TOO_EARLY', { day: deliverBy(settledAt, deliveryDays) });
    const since = known === undefined ? DAY_SECONDS : (now.getTime() - known.openedAt.getTime()) / 1000;
    if (since < DAY_SECONDS)
      throw new Refusal('TOO_MANY', { retryAfterSeconds: Math.ceil(DAY_SECONDS - since) });
    const folio = newFolio();
    await insertClaim(tx, { purchaseId, buyerId, merchantId, folio, notes, dueAt: answerBy(now) });
    await sendEmail(tx, {
      topic: 'claim_opened',
      dedupeKey: `claim:${folio}`,
      buyerId,
      facts: { amountCentavos: purchase.paidCentavos, purchaseId, folio },
    });
    return demand(await findClaim(tx, purchaseId));
  });
}

/** Takes a buyer's open claim back; one that was taken back before stays so. Refuses NOT_FOUND and CLAIM_ENDED. */
export async function withdrawClaim(
  { db }: { db: Db },
  buyerId: number,
  purchaseId: number,
  folio: string,
): Promise<ClaimRow> {
  return transaction(db, async (tx) => {
    const purchase = await lockClaimable(tx, { buyerId }, purchaseId);
    const claim = await findClaim(tx, purchaseId);
    if (purchase === undefined || claim?.folio !== folio) throw new Refusal('NOT_FOUND');
    if (claim.state === 'withdrawn') return claim;
    if (claim.endedAt !== null) throw new Refusal('CLAIM_ENDED');
    await endClaimOf(tx, purchaseId, 'withdrawn');
    await sendEmail(tx, {
      topic: 'claim_withdrawn',
      dedupeKey: `claim:${folio}`,
      buyerId,
      facts: { amountCentavos: purchase.paidCentavos, purchaseId, folio },
    });
    return demand(await findClaim(tx, purchaseId));
  });
}

function refuseUnlessUndelivered(
  purchase: ClaimablePurchase | undefined,
): ClaimablePurchase & { readonly settledAt: Date } {
  if (purchase === undefined) throw new Refusal('NOT_FOUND');
  if (purchase.state === 'cancelled') throw new Refusal('PURCHASE_CANCELLED');
  if (purchase.state === 'delivered') throw new Refusal('HANDED_OVER');
  const { settledAt } = purchase;
  if (settledAt === null) throw new Refusal('NOT_PAID_OFF');
  return { ...purchase, settledAt };
}

function demand(claim: ClaimRow | undefined): ClaimRow {
  if (claim === undefined) throw new Error('the claim is not there');
  return claim;
}
