import type { Centavos } from '@aparta/domain/money';
import { resolveAlerts } from '../../platform/alerts.ts';
import { announce } from '../../platform/changes/announce.ts';
import type { Tx } from '../../platform/db/db.ts';
import { databaseNow } from '../../platform/db/transaction.ts';
import { cashRefundBounced, cashRefundPaid } from '../../ledger/books/postings.ts';
import { book } from '../../ledger/books/store.ts';
import { sendEmail, sendEmailTo } from '../../platform/email/outbox.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { enqueueRefund, resumeRefunds } from '../../ledger/refunds/enqueue-refund.ts';
import { NOT_NOW } from './answers.ts';
import { findDisputedRefund } from './disputed.read-model.ts';
import { findRefundedHelper } from './helper.read-model.ts';
import { moveToCash } from './move-refund.ts';
import { findRefundedPurchase } from './purchase.read-model.ts';
import {
  findReceiptOf,
  findRefund,
  lockRefund,
  moveRefund,
  quietRefund,
  type Refund,
  reopenCashRefund,
} from '../../ledger/refunds/store.ts';
import { isTakenBack } from '../../ledger/refunds/taken-back.read-model.ts';
import { findTakenLast4 } from '../../ledger/refunds/terminal.read-model.ts';
import { forgetRefusals, lockCredentialsOf } from '../card-keys/store.ts';
import { lockAttempt } from '../cards/store.ts';
import type { GivenBack } from './read-given-back.ts';

/**
 * Asks for a blocked card refund again, from the beginning: what the provider refunded meanwhile is read first. If the merchant's
 * key was refused, all its paused refunds resume (rules/refunds#refused-key).
 */
export async function askRefundAgain(tx: Tx, refundId: number): Promise<Refund> {
  const refund = await lockCardRefund(tx, refundId);
  const { merchantId } = (await findReceiptOf(tx, refundId)) ?? { merchantId: 0 };
  await lockCredentialsOf(tx, merchantId);
  const wasPaused = await forgetRefusals(tx, merchantId);
  if (refund.state !== 'blocked' && !(wasPaused && OPEN.has(refund.state)))
    throw new RefusedChange('refund_not_blocked', { state: refund.state });
  if (refund.state === 'blocked') {
    await moveRefund(tx, refundId, 'retried', { detailCode: 'asked again by the operator' });
    await quietRefund(tx, refundId, null);
    await enqueueRefund(tx, refundId);
    await resolveAlerts(tx, ['refund_blocked'], [String(refundId)]);
  }
  if (wasPaused) await resumeRefunds(tx, merchantId);
  return refund;
}

/** A dispute may last half a year; nothing is quiet for longer. */
const LONGEST_WAIT_MS = 185 * 86_400_000;

/** Lets a blocked card refund wait, without telling anybody of it until a moment: a dispute at the bank ends by itself. */
export async function letRefundWait(tx: Tx, refundId: number, until: Date): Promise<Refund> {
  const refund = await lockCardRefund(tx, refundId);
  if (refund.state !== 'blocked') throw new RefusedChange('refund_not_blocked', { state: refund.state });
  const waitMs = until.getTime() - (await databaseNow(tx)).getTime();
  if (waitMs <= 0) throw new RefusedChange('until_is_past');
  if (waitMs > LONGEST_WAIT_MS) throw new RefusedChange('refund_wait_too_long');
  await quietRefund(tx, refundId, until);
  return refund;
}

const OPEN: ReadonlySet<string> = new Set(['owed', 'sending', 'unknown']);

/** What is known of the card before its refund is paid in cash. */
export interface SeenOfCard {
  /** What `readGivenBack` read just before. */
  readonly givenBack: GivenBack;
  /** The operator saw in the provider's panel that nothing of it was refunded. */
  readonly isSeenUnpaid: boolean;
}

/**
 * Turns a card refund into the same debt in cash (rules/refunds#moved-to-cash). It must be owed or blocked, and nothing of its
 * payment may have gone back that no book knows of. The operator must have looked in the panel where the provider does not tell,
 * or may be at it still: of one that is blocked, or was asked for and got no clear no. Never while its payment is in dispute: the
 * bank would pay too. Answers the refund in cash.
 */
export async function payRefundInCash(
  tx: Tx,
  refundId: number,
  { givenBack, isSeenUnpaid }: SeenOfCard,
): Promise<{ readonly cashRefundId: number }> {
  const refund = await lockCardRefund(tx, refundId);
  if (refund.state !== 'owed' && refund.state !== 'blocked')
    throw new RefusedChange('refund_on_its_way', { state: refund.state });
  const disputed = await findDisputedRefund(tx, refund.attemptId ?? '');
  if (disputed !== undefined) throw new RefusedChange('refund_disputed', { id: disputed });
  const attempt = await lockAttempt(tx, refund.attemptId ?? '');
  if (attempt === undefined) throw new RefusedChange('refund_unknown', { id: refundId });
  const { refundedCentavos: booked } = attempt;
  if (givenBack.kind === 'read' && givenBack.centavos > booked)
    throw new RefusedChange('refund_went_back', { id: refundId, gone: givenBack.centavos - booked });
  if (!isSeenUnpaid && mayBeOnItsWay(refund))
    throw new RefusedChange('refund_perhaps_returned', { id: refundId });
  if (!isSeenUnpaid && (givenBack.kind === 'unread' || givenBack.centavos < booked)) {
    const why = givenBack.kind === 'unread' ? givenBack.why : 'less refunded than booked';
    throw new RefusedChange('refund_unread', { id: refundId, why });
  }
  const cashRefundId = await moveToCash({ tx, attempt, refund }, 'moved by the operator');
  await resolveAlerts(tx, ['refund_blocked'], [String(refundId)]);
  // The operator who moved it knows.
  await resolveAlerts(tx, ['refund_moved_to_cash'], [String(cashRefundId)]);
  return { cashRefundId };
}

/** Whether it was asked for without a clear no, so that a reading that does not show it proves nothing. */
function mayBeOnItsWay({ state, tries, detailCode }: Refund): boolean {
  return state === 'blocked' || (tries > 0 && !NOT_NOW.includes(detailCode ?? ''));
}

/** The attempt before its refund (rules/ledger#lock-order, levels 2 and 4). */
async function lockCardRefund(tx: Tx, refundId: number): Promise<Refund> {
  const unlocked = await findRefund(tx, refundId);
  if (typeof unlocked?.attemptId === 'string') await lockAttempt(tx, unlocked.attemptId);
  const refund = await lockRefund(tx, refundId);
  if (refund === undefined) throw new RefusedChange('refund_unknown', { id: refundId });
  if (refund.method !== 'card' || refund.attemptId === null)
    throw new RefusedChange('refund_not_by_card', { id: refundId });
  return refund;
}

/** Who handed the money over, and the evidence: a signed slip, a transfer's number. */
export interface Handover {
  readonly paidBy: 'merchant' | 'operator';
  /** 1 to 300 characters. */
  readonly evidence: string;
  /** Of the card to which the shop's own terminal gave it back; undefined of cash. */
  readonly last4?: string | undefined;
}

/** Whoever paid has their cash refund (rules/refunds#cash-refunds, rules/ledger#cash-refund-paid). Refused when it is done already, or while a person has to see whether the money went back another way. */
export async function markRefundPaid(
  tx: Tx,
  refundId: number,
  { paidBy, evidence, last4 }: Handover,
): Promise<{ readonly amountCentavos: Centavos }> {
  const { refund, receipt } = await lockCashRefund(tx, refundId);
  if (refund.state !== 'owed') throw new RefusedChange('refund_done_already', { state: refund.state });
  if (await isTakenBack(tx, refundId)) throw new RefusedChange('refund_taken_back');
  const { amountCentavos } = refund;
  const isOnTerminal = last4 !== undefined;
  await moveRefund(tx, refundId, 'handed_over', { handedOver: { paidBy, evidence, isOnTerminal } });
  await book(tx, cashRefundPaid({ ...refund, merchantId: receipt.merchantId, paidBy }));
  await resolveAlerts(tx, ['refund_moved_to_cash'], [String(refundId)]);
  await tellPayer(tx, refund, receipt, 'refund_paid_in_cash', last4);
  return { amountCentavos };
}

/**
 * {@link markRefundPaid} by the operator's word that the shop's own terminal gave back what it took. Refused of any other money, and
 * of what somebody else than the shop is said to have handed over.
 */
export async function markRefundOnTerminal(
  tx: Tx,
  refundId: number,
  handover: Omit<Handover, 'last4'>,
): Promise<{ readonly amountCentavos: Centavos; readonly last4: string }> {
  await lockCashRefund(tx, refundId);
  const last4 = await findTakenLast4(tx, refundId);
  if (last4 === undefined || handover.paidBy !== 'merchant')
    throw new RefusedChange('refund_not_by_terminal', { id: refundId });
  return { ...(await markRefundPaid(tx, refundId, { ...handover, last4 })), last4 };
}

const TO_HELPERS = {
  refund_paid_in_cash: 'help_cash_paid_back',
  refund_bounced: 'help_cash_bounced',
} as const;

/** Whoever's money it is hears of a handover, or that it came back: the buyer, or who helped them. */
async function tellPayer(
  tx: Tx,
  { id, tries, amountCentavos }: Refund,
  { merchantId, buyerId }: { readonly merchantId: number; readonly buyerId: number | null },
  topic: keyof typeof TO_HELPERS,
  last4?: string,
): Promise<void> {
  if (buyerId !== null) await announce(tx, `buyer:${buyerId}`);
  const dedupeKey = `refund:${id}:${tries}`;
  const helper = await findRefundedHelper(tx, id);
  if (helper !== undefined) {
    const { channel, sourceId, email } = helper;
    const of = channel === 'card' ? { attemptId: sourceId } : { operationId: sourceId };
    if (email !== null) await sendEmailTo(tx, TO_HELPERS[topic], email, { ...of, amountCentavos }, dedupeKey);
  } else if (buyerId !== null && last4 !== undefined) {
    const facts = { amountCentavos, last4, isByTerminal: 1 };
    await sendEmail(tx, { topic: 'refund_done', dedupeKey, buyerId, facts });
  } else if (buyerId !== null) {
    const purchaseId = await findRefundedPurchase(tx, id);
    const facts = { amountCentavos, merchantId, ...(purchaseId !== undefined && { purchaseId }) };
    await sendEmail(tx, { topic, dedupeKey, buyerId, facts });
  }
}

/**
 * A handed-over refund came back, e.g. a transfer that bounced: it is owed again (rules/ledger#cash-refund-bounced), and whoever was
 * told that they have it is told so.
 */
export async function markRefundBounced(
  tx: Tx,
  refundId: number,
): Promise<{ readonly amountCentavos: Centavos }> {
  const { refund, receipt } = await lockCashRefund(tx, refundId);
  if (refund.state !== 'done' || refund.paidBy === null)
    throw new RefusedChange('refund_not_paid', { state: refund.state });
  await reopenCashRefund(tx, refundId);
  const { paidBy } = refund;
  await book(tx, cashRefundBounced({ ...refund, merchantId: receipt.merchantId, paidBy }));
  await tellPayer(tx, refund, receipt, 'refund_bounced');
  return { amountCentavos: refund.amountCentavos };
}

async function lockCashRefund(tx: Tx, refundId: number) {
  const refund = await lockRefund(tx, refundId);
  const receipt = await findReceiptOf(tx, refundId);
  if (refund === undefined || receipt === undefined)
    throw new RefusedChange('refund_unknown', { id: refundId });
  if (refund.method !== 'cash') throw new RefusedChange('refund_not_in_cash', { id: refundId });
  return { refund, receipt };
}
