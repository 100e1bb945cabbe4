import { type Centavos, zero } from '@aparta/domain/money';
import { type EndClock, type EndStep, planEndsOn } from '@aparta/domain/plan-end';

import type { Db } from '../../platform/db/db.ts';
import type { WarningFacts } from '../../platform/email/copy.ts';
import { type CancellablePurchase, findCancellable } from '../cancelling/read-model.ts';
import { findWarning, readEndClock } from './read-model.ts';

/** What a warning says of a purchase: the day that holds if the mail goes out today. */
export function warningFacts(
  purchase: CancellablePurchase,
  { clock, toPayCentavos, step }: { clock: EndClock; toPayCentavos: Centavos; step: EndStep },
): WarningFacts {
  return {
    amountCentavos: toPayCentavos,
    purchaseId: purchase.id,
    endsOn: planEndsOn(clock),
    dueOn: clock.dueOn,
    isLast: step === 'last' ? 1 : 0,
    penaltyCentavos: purchase.now > purchase.penaltyFreeUntil ? purchase.penaltyCentavos : zero,
  };
}

/**
 * The same when it is sent, perhaps days later; undefined when it is not to be sent any more: what was late is paid, the purchase
 * ended or is claimed, its end was put off, or a card payment is under way, after which it is written again. Nothing is locked: what is paid meanwhile has an email of its own.
 */
export async function readWarning(
  db: Db,
  { outboxId, buyerId, purchaseId }: { outboxId: number; buyerId: number; purchaseId: number },
): Promise<WarningFacts | undefined> {
  const warning = await findWarning(db, { outboxId, purchaseId });
  if (warning === undefined) return undefined;
  const purchase = await findCancellable(db, { buyerId }, purchaseId);
  if (purchase === undefined) return undefined;
  const { clock, toPayCentavos, isBeingPaid } = await readEndClock(db, purchaseId);
  if (clock?.dueOn !== warning.dueOn || isBeingPaid) return undefined;
  return warningFacts(purchase, { clock, toPayCentavos, step: warning.step });
}
