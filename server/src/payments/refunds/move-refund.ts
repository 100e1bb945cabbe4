import { raiseAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import type { Log } from '../../platform/logging.ts';
import { cardRefunded, refundMovedToCash } from '../../ledger/books/postings.ts';
import { book } from '../../ledger/books/store.ts';
import { enqueueRefund } from '../../ledger/refunds/enqueue-refund.ts';
import { moveRefund, oweRefund, type Refund } from '../../ledger/refunds/store.ts';
import { notifyHelper } from '../cards/notify-helper.ts';
import { addRefunded, type Attempt } from '../cards/store.ts';
import { DISPUTED, NOT_NOW } from './answers.ts';
import { findDisputedRefund } from './disputed.read-model.ts';
import { findRefundedPurchase } from './purchase.read-model.ts';
import { untilRetry } from './retry-hours.ts';

const MOST_TRIES = 30; // ten days of three

/** A card refund and its attempt, both locked. */
export interface LockedRefund {
  readonly tx: Tx;
  readonly refund: Refund;
  readonly attempt: Attempt;
}

/** The provider refunded it: it is booked, and whoever paid gets an email. */
export async function finishRefund(
  { tx, refund, attempt }: LockedRefund,
  providerRefundId: string,
): Promise<void> {
  const { id, amountCentavos } = refund;
  await addRefunded(tx, attempt.id, amountCentavos);
  await moveRefund(tx, id, 'refunded', { providerRefundId });
  await book(tx, cardRefunded({ id, merchantId: attempt.merchantId, amountCentavos }));
  await emailPayer(tx, attempt, refund, 'refund_done');
}

/** The exact sum is back without an answer to a call of ours: the debt is paid, and somebody should know. */
export async function finishFoundRefund(locked: LockedRefund, log: Log): Promise<void> {
  const { tx, refund, attempt } = locked;
  await raiseAlert(tx, 'refund_found_back', String(refund.id), { tries: refund.tries });
  log.error({ refundId: refund.id, attemptId: attempt.id }, 'a card refund was there before we asked for it');
  await finishRefund(locked, attempt.providerPaymentId ?? '');
}

/**
 * Owes it still, and asks again at the next retry hour, or after `afterMs`. After ten days it is owed in cash where the provider
 * said no (rules/refunds#no-balance), else blocked: it may be on its way. So is one whose payment is in dispute: the bank would
 * pay too (rules/refunds#disputed).
 */
export async function retryRefund(
  locked: LockedRefund,
  code: string,
  log: Log,
  afterMs = untilRetry(locked.refund.now),
): Promise<void> {
  const { tx, refund, attempt } = locked;
  // Before the dispute is looked for: this answer may end it.
  await moveRefund(tx, refund.id, 'declined', { detailCode: code, tried: true });
  if (refund.tries + 1 < MOST_TRIES) return enqueueRefund(tx, refund.id, afterMs);
  if ((await findDisputedRefund(tx, attempt.id)) !== undefined) return blockRefund(tx, refund, DISPUTED, log);
  if (!NOT_NOW.includes(code)) return blockRefund(tx, refund, code, log);
  await moveToCash(locked, code);
}

/**
 * Owes the same sum as a new refund in cash (rules/refunds#moved-to-cash, rules/ledger#refund-moved), with an alert until a person
 * hands it over. Answers the new refund's id.
 */
export async function moveToCash({ tx, refund, attempt }: LockedRefund, code: string): Promise<number> {
  const { id, amountCentavos } = refund;
  await moveRefund(tx, id, 'moved_to_cash', { detailCode: code });
  const cashRefundId = await oweRefund(tx, { ...refund, method: 'cash' });
  await book(tx, refundMovedToCash({ id, merchantId: attempt.merchantId, cashRefundId, amountCentavos }));
  await raiseAlert(tx, 'refund_moved_to_cash', String(cashRefundId), { code, cardRefundId: id });
  await emailPayer(tx, attempt, refund, 'refund_in_cash');
  return cashRefundId;
}

/** Stops it until a person decides (rules/refunds#disputed, rules/refunds#over-the-original, rules/refunds#not-found). */
export async function blockRefund(tx: Tx, { id }: Refund, code: string, log: Log): Promise<void> {
  await moveRefund(tx, id, 'blocked', { detailCode: code });
  await raiseAlert(tx, 'refund_blocked', String(id), { code });
  log.error({ refundId: id, code }, 'a card refund needs a person');
}

const TO_HELPERS = { refund_done: 'help_refunded', refund_in_cash: 'help_refund_in_cash' } as const;

/** Whoever's card it was hears of it: the buyer, or who helped them. */
export async function emailPayer(
  tx: Tx,
  attempt: Attempt,
  { id, amountCentavos }: Pick<Refund, 'id' | 'amountCentavos'>,
  topic: 'refund_done' | 'refund_in_cash',
): Promise<void> {
  const { buyerId, merchantId, cardLast4, helpLinkId } = attempt;
  const dedupeKey = `refund:${id}`;
  if (helpLinkId !== null) return notifyHelper(tx, attempt, TO_HELPERS[topic], amountCentavos, dedupeKey);
  if (buyerId === null) return;
  const purchaseId = await findRefundedPurchase(tx, id);
  const facts = {
    amountCentavos,
    merchantId,
    last4: cardLast4 ?? '',
    ...(purchaseId !== undefined && { purchaseId }),
  };
  await sendEmail(tx, { topic, dedupeKey, buyerId, facts });
}
