import { nextEndStep } from '@aparta/domain/plan-end';

import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import type { Log } from '../../platform/logging.ts';
import { endWithRefunds } from '../cancelling/end-with-refunds.ts';
import { lockCancellable } from '../cancelling/read-model.ts';
import { endedByRule } from './copy.ts';
import { type LatePlan, listLatePlans, mayBePaidAtStore, readEndClock, warningKey } from './read-model.ts';
import { warningFacts } from './read-warning.ts';
import { closeWarnings, insertWarning } from './store.ts';

const AT_ONCE = 200;
const MOST_ROUNDS = 50;

/**
 * Warns the buyers of late plans, and ends those whose rule says so (rules/goods#ended-by-rule), each in a transaction of its own.
 * One that fails keeps none waiting; the job fails once the others are done.
 */
export async function endLatePlans({ db }: { db: Db }, log: Log): Promise<void> {
  let after: LatePlan | undefined;
  let failed = 0;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const plans = await listLatePlans(db, after, AT_ONCE);
    for (const plan of plans) {
      try {
        const done = await transaction(db, (tx) => seeTo(tx, plan));
        if (done === 'end') log.info({ purchaseId: plan.id }, 'a plan ended by its rule');
      } catch (error) {
        failed += 1;
        log.error({ err: error, purchaseId: plan.id }, 'a late plan could not be seen to');
      }
    }
    if (plans.length < AT_ONCE) break;
    after = plans.at(-1);
  }
  if (failed > 0) throw new Error(`${failed} late plans could not be seen to`);
}

/** Does what a plan's rule asks for now, read anew under its lock, and says what that was. */
async function seeTo(tx: Tx, { id, merchantId }: LatePlan): Promise<ReturnType<typeof nextEndStep>> {
  const purchase = await lockCancellable(tx, { merchantId }, id);
  if (purchase?.state !== 'active') return undefined;
  const { clock, toPayCentavos, isBeingPaid } = await readEndClock(tx, id);
  const step = clock && nextEndStep(clock);
  if (clock === undefined || step === undefined || isBeingPaid) return undefined;
  if (step === 'end') {
    if (await mayBePaidAtStore(tx, id)) return undefined;
    await endWithRefunds(tx, purchase, { by: 'rule', notes: endedByRule(clock), shownCentavos: undefined });
    return step;
  }
  const facts = warningFacts(purchase, { clock, toPayCentavos, step });
  const { dueOn, endsOn } = facts;
  // One of before that warned nobody.
  await closeWarnings(tx, id, [step]);
  const warningId = await insertWarning(tx, { purchaseId: id, dueOn, step, endsOn });
  const dedupeKey = warningKey(warningId);
  await sendEmail(tx, { topic: 'end_warned', dedupeKey, buyerId: purchase.buyerId, facts });
  return step;
}
