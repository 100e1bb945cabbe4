import { type DateOnly, mexicoCityDate } from '@aparta/domain/calendar';
import { endBy, lastDayToPromise } from '@aparta/domain/claims';

import { recordStaffAct } from '../../accounts/staff/store.ts';
import { announce } from '../../platform/changes/announce.ts';
import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type ClaimRow, findClaim, lockClaimable } from './read-model.ts';
import { putAnswer } from './store.ts';

/**
 * Answers an open claim, in words that its buyer reads and is mailed of (rules/goods#claims). The same answer again changes nothing.
 * Refuses NOT_FOUND, CLAIM_ENDED, and as INVALID_INPUT a day before today or beyond thirty days after the claim.
 */
export async function answerClaim(
  { db }: { db: Db },
  caller: Staff,
  purchaseId: number,
  given: { folio: string; answer: string; promisedOn: DateOnly | null },
): Promise<ClaimRow> {
  const { folio, answer, promisedOn } = given;
  return transaction(db, async (tx) => {
    const purchase = await lockClaimable(tx, { merchantId: caller.merchantId }, purchaseId);
    const claim = await findClaim(tx, purchaseId);
    if (purchase === undefined || claim?.folio !== folio) throw new Refusal('NOT_FOUND');
    if (claim.endedAt !== null) throw new Refusal('CLAIM_ENDED');
    if (claim.answer === answer && claim.promisedOn === promisedOn) return claim;
    const { openedAt, now } = claim;
    const isWithin =
      promisedOn === null || (promisedOn >= mexicoCityDate(now) && promisedOn <= lastDayToPromise(openedAt));
    if (!isWithin) throw new Refusal('INVALID_INPUT', { fields: { promisedOn: 'not within the claim' } });
    await putAnswer(tx, claim.id, {
      positionId: caller.positionId,
      text: answer,
      promisedOn,
      dueAt: endBy({ openedAt, answeredAt: now, promisedOn }),
    });
    await recordStaffAct(tx, {
      by: caller,
      act: 'answer_claim',
      subject: folio,
      detail: { purchaseId, promisedOn },
    });
    await announce(tx, `buyer:${purchase.buyerId}`);
    await sendEmail(tx, {
      topic: 'claim_answered',
      dedupeKey: `claim:${folio}:${now.getTime()}`,
      buyerId: purchase.buyerId,
      facts: { amountCentavos: purchase.paidCentavos, purchaseId, folio },
    });
    const answered = await findClaim(tx, purchaseId);
    if (answered === undefined) throw new Error(`claim ${folio} is not there`);
    return answered;
  });
}
