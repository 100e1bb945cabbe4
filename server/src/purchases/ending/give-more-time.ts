import { addDays, type DateOnly } from '@aparta/domain/calendar';
import { endsAfter, MORE_TIME_DAYS, planEndsOn, voidedBy } from '@aparta/domain/plan-end';

import { recordStaffAct } from '../../accounts/staff/store.ts';
import { announce } from '../../platform/changes/announce.ts';
import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { lockCancellable } from '../cancelling/read-model.ts';
import { putMoreTime } from '../plans/store.ts';
import { readEndClock } from './read-model.ts';
import { closeWarnings } from './store.ts';

/**
 * Gives a late plan time until a day, that day included, and answers it (rules/goods#ended-by-rule): 1 to 60 days after it would have
 * ended. Its buyer is mailed; warnings whose days are to come go out again. The same day again changes nothing. Refuses NOT_FOUND, PURCHASE_CANCELLED,
 * PURCHASE_SETTLED, and as INVALID_INPUT another day, or a plan that is not late or has no such rule.
 */
export async function giveMoreTime(
  { db }: { db: Db },
  caller: Staff,
  purchaseId: number,
  { until, reason }: { until: DateOnly; reason: string },
): Promise<DateOnly> {
  return transaction(db, async (tx) => {
    const purchase = await lockCancellable(tx, { merchantId: caller.merchantId }, purchaseId);
    if (purchase === undefined) throw new Refusal('NOT_FOUND');
    if (purchase.state === 'cancelled') throw new Refusal('PURCHASE_CANCELLED');
    if (purchase.paidCentavos >= purchase.priceCentavos) throw new Refusal('PURCHASE_SETTLED');
    const { clock, toPayCentavos } = await readEndClock(tx, purchaseId);
    const refuse = (why: string) => new Refusal('INVALID_INPUT', { fields: { endsOn: why } });
    if (clock === undefined || clock.today <= clock.dueOn) throw refuse('nothing of it ends by a rule');
    if (clock.moreTimeUntil === until) return until;
    const before = planEndsOn(clock);
    if (until < addDays(before, MORE_TIME_DAYS.least) || until > addDays(before, MORE_TIME_DAYS.most))
      throw refuse('not 1 to 60 days after it would end');
    await putMoreTime(tx, purchaseId, { until, dueOn: clock.dueOn });
    await closeWarnings(tx, purchaseId, voidedBy(endsAfter(until), clock.today));
    await recordStaffAct(tx, {
      by: caller,
      act: 'give_time',
      subject: String(purchaseId),
      detail: { reason, from: before, until, dueOn: clock.dueOn },
    });
    await announce(tx, `buyer:${purchase.buyerId}`);
    await sendEmail(tx, {
      topic: 'more_time',
      // The same day may be given again for another late instalment.
      dedupeKey: `purchase:${purchaseId}:${clock.dueOn}:${until}`,
      buyerId: purchase.buyerId,
      facts: { amountCentavos: toPayCentavos, purchaseId, dueOn: clock.dueOn, endsOn: until },
    });
    return until;
  });
}
