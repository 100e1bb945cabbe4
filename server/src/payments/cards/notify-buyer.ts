import type { Centavos } from '@aparta/domain/money';
import type { Tx } from '../../platform/db/db.ts';
import type { EmailFacts } from '../../platform/email/copy.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { notifyHelper } from './notify-helper.ts';
import { dueOf, type Payable, purchaseIdOf } from './payable.ts';
import type { Attempt } from './store.ts';

const TO_HELPERS = {
  payment_returned: 'help_returned',
  payment_in_review: 'help_in_review',
  payment_not_charged: 'help_not_charged',
  payment_abandoned: 'help_not_charged',
} as const;

/** An attempt's transaction, with the lock of what it pays held. */
export interface Locked {
  readonly tx: Tx;
  readonly payable: Payable | undefined;
}

/** Emails whoever paid what became of their attempt; money that nobody claims has no buyer. */
export async function notifyBuyer(
  { tx, payable }: Locked,
  attempt: Attempt,
  topic: 'payment_returned' | 'payment_in_review' | 'payment_not_charged' | 'payment_abandoned',
  amountCentavos: Centavos,
  why: Pick<EmailFacts, 'returnReason' | 'agreedCentavos' | 'isStillOwed'> = {},
): Promise<void> {
  if (attempt.helpLinkId !== null) return notifyHelper(tx, attempt, TO_HELPERS[topic], amountCentavos);
  if (attempt.buyerId === null) return;
  const purchaseId = purchaseIdOf(payable);
  await sendEmail(tx, {
    topic,
    dedupeKey: `card:${attempt.id}`,
    buyerId: attempt.buyerId,
    facts: {
      amountCentavos,
      product: payable === undefined ? '' : dueOf(payable).productName,
      ...(typeof purchaseId === 'number' && { purchaseId }),
      ...why,
    },
  });
}
