import { randomUUID } from 'node:crypto';
import { add, type Centavos } from '@aparta/domain/money';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { raiseAlert, resolveAlerts } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import { cardRefunded, refundMovedToCash } from '../../ledger/books/postings.ts';
import { book } from '../../ledger/books/store.ts';
import {
  findRefund,
  listOpenCardRefunds,
  lockRefund,
  moveRefund,
  oweRefund,
  type Refund,
  resendRefund,
} from '../../ledger/refunds/store.ts';
import type { Log } from '../../platform/logging.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import type { CardCredential, RefundOutcome } from '../cards/port.ts';
import { openCredential } from '../card-keys/credential.ts';
import type { ResolveDeps } from '../cards/resolve-attempt.ts';
import {
  addRefunded,
  type Attempt,
  findAttempt,
  findUsableCredential,
  lockAttempt,
  lockCredentialsOf,
  markCredentialRefused,
} from '../cards/store.ts';

/**
 * A merchant's day must have sales that cover a refund: asked again at these hours of Mexico City (rules/refunds#no-balance).
 */
const RETRY_HOURS = [14, 18, 22];
const MOST_TRIES = 30; // ten days of three
const IN_FLIGHT_MS = 90_000; // longer than any call takes: its sender is dead
const RECHECK_MS = 10 * 60_000;
const PROVIDER_BUSY_MS = 5 * 60_000;

/** These no repetition helps: too late, switched off, in months (rules/refunds#never-by-card). */
const NEVER_BY_CARD = new Set(['AI1803', 'AI1805', 'AI1806']);
const NO_BALANCE = 'AI1400';
const BOOKS_DISAGREE = new Set(['AI1801', 'AI1802']);
/** The provider does not find the payment by its id: its receipt may still name it (rules/refunds#not-found). */
const NOT_FOUND = new Set(['AI1300', 'CL301', 'AI1800']);

type Sent = {
  readonly refund: Refund;
  readonly attempt: Attempt;
  readonly key: string;
  readonly credentialId: string;
};

/**
 * Brings one card refund a step further (rules/refunds#states): read what was refunded, claim, ask once, book the answer. Safe
 * to run at any time and any number of times: one refund per attempt is in flight, and an unknown one is read, never repeated,
 * until two reads ten minutes apart show that it did not happen.
 */
export async function refundCardPayment(deps: ResolveDeps, refundId: number, log: Log): Promise<void> {
  const refund = await findRefund(deps.db, refundId);
  if (refund === undefined || refund.method !== 'card' || refund.attemptId === null) return;
  const attempt = await findAttempt(deps.db, refund.attemptId);
  if (attempt?.providerPaymentId === undefined || attempt.providerPaymentId === null) return;
  if (refund.state !== 'owed' && refund.state !== 'sending' && refund.state !== 'unknown') return;

  const sealed = await findUsableCredential(deps.db, attempt);
  // The merchant's refunds stand still (rules/refunds#refused-key); who lets them go on puts each into the queue.
  if (sealed === undefined) return;
  let credential: CardCredential;
  try {
    credential = openCredential(deps, sealed);
  } catch (err) {
    log.error({ err, refundId, merchantId: attempt.merchantId }, "a merchant's card key cannot be used");
    return blockUnread(deps, refundId, attempt.id, 'the key cannot be opened', log);
  }
  const found = await deps.card.find(credential, attempt.providerPaymentId);
  if (found.kind !== 'payment') {
    if (/^40[13]/.test(found.why))
      return transaction(deps.db, (tx) => refuseKey(tx, attempt, refundId, sealed.id, found.why, log));
    // The payment is gone: no waiting helps (rules/refunds#not-found).
    return found.why.startsWith('404')
      ? blockUnread(deps, refundId, attempt.id, found.why, log)
      : again(deps, refundId, PROVIDER_BUSY_MS);
  }
  const refundedNow = found.payment.refundedCentavos;

  if (refund.state !== 'owed') return readUnknown(deps, refundId, attempt.id, refundedNow, log);
  const sent = await claim(deps, refundId, attempt.id, refundedNow, sealed.id, log);
  if (sent === undefined) return;
  const { receipt } = found.payment;
  const request = {
    // As it was claimed: what was refunded externally meanwhile is owed no more.
    amountCentavos: sent.refund.amountCentavos,
    reason: refund.cause === 'cancel' ? 'Compra cancelada' : 'Pago no aplicado',
  };
  let outcome = await deps.card.refund(credential, {
    ...request,
    of: { type: 'payment', id: attempt.providerPaymentId },
    idempotencyKey: sent.key,
  });
  if (outcome.kind === 'refused' && NOT_FOUND.has(outcome.code) && receipt !== undefined) {
    const key = await saveSending(deps, sent);
    if (key === undefined) return;
    outcome = await deps.card.refund(credential, {
      ...request,
      of: { type: 'receipt', id: receipt },
      idempotencyKey: key,
    });
  }
  log.info(
    {
      refundId,
      attemptId: attempt.id,
      outcome: outcome.kind,
      code: 'code' in outcome ? outcome.code : undefined,
    },
    'card refund asked',
  );
  await transaction(deps.db, (tx) => record(tx, sent, outcome, log));
}

/**
 * rules/refunds#claimed: the slot of the attempt is taken, and what the provider had refunded before is kept beside it. Only a
 * total that our own refunds explain lets us ask: otherwise the money may be back already, by a call of ours that was thought
 * lost or by hand.
 */
async function claim(
  deps: ResolveDeps,
  refundId: number,
  attemptId: string,
  before: Centavos,
  credentialId: string,
  log: Log,
): Promise<Sent | undefined> {
  return transaction(deps.db, async (tx) => {
    const attempt = await lockAttempt(tx, attemptId);
    const refund = await lockRefund(tx, refundId);
    if (attempt === undefined || refund?.state !== 'owed') return undefined;
    if (before < attempt.refundedCentavos) {
      // Read before another refund of this attempt was booked.
      await enqueue(
        tx,
        'refund_card',
        { refundId },
        { key: `refund:${refundId}`, afterMs: PROVIDER_BUSY_MS },
      );
      return undefined;
    }
    if (before > attempt.refundedCentavos) {
      await (before === add(attempt.refundedCentavos, refund.amountCentavos)
        ? foundBack(tx, attempt, refund, log)
        : block(tx, refund, 'refunded by another way too', log));
      return undefined;
    }
    const key = randomUUID();
    await moveRefund(tx, refundId, 'claimed', { sent: { refundedBefore: before, idempotencyKey: key } });
    await enqueue(tx, 'refund_card', { refundId }, { key: `refund:${refundId}`, afterMs: IN_FLIGHT_MS });
    return { refund, attempt, key, credentialId };
  });
}

/**
 * rules/refunds#not-found: what was asked by the payment was certainly refused; it is asked once more, as another call, by the
 * receipt.
 */
async function saveSending(deps: ResolveDeps, { refund, attempt }: Sent): Promise<string | undefined> {
  return transaction(deps.db, async (tx) => {
    await lockAttempt(tx, attempt.id);
    if ((await lockRefund(tx, refund.id))?.state !== 'sending') return undefined;
    const key = randomUUID();
    await resendRefund(tx, refund.id, key);
    return key;
  });
}

async function record(
  tx: Tx,
  { refund: claimed, attempt: before, credentialId }: Sent,
  outcome: RefundOutcome,
  log: Log,
): Promise<void> {
  const attempt = await lockAttempt(tx, before.id);
  const refund = await lockRefund(tx, claimed.id);
  if (attempt === undefined || refund === undefined) return;
  if (refund.state !== 'sending' && refund.state !== 'unknown') {
    // Stopped, or paid in cash, while it was on its way: that it arrived all the same is for whoever did so.
    if (outcome.kind === 'approved' && refund.state !== 'done') {
      await raiseAlert(tx, 'refund_approved_late', String(refund.id), { state: refund.state });
      log.error({ refundId: refund.id, state: refund.state }, 'a card refund that was stopped is done');
    }
    return;
  }
  switch (outcome.kind) {
    case 'approved':
      return outcome.amountCentavos === refund.amountCentavos
        ? done(tx, attempt, refund, outcome.refundId)
        : block(tx, refund, 'another amount', log);
    case 'declined':
      return owedAgain(tx, attempt, refund, outcome.code);
    case 'unauthorised':
      await moveRefund(tx, refund.id, 'unauthorised', { detailCode: 'the key may not refund' });
      return refuseKey(tx, attempt, refund.id, credentialId, 'the key may not refund', log);
    case 'unreachable':
      await moveRefund(tx, refund.id, 'unreachable', { detailCode: outcome.why });
      return enqueue(
        tx,
        'refund_card',
        { refundId: refund.id },
        { key: `refund:${refund.id}`, afterMs: 60_000 },
      );
    case 'refused':
      if (outcome.code === NO_BALANCE) return owedAgain(tx, attempt, refund, outcome.code);
      if (NEVER_BY_CARD.has(outcome.code)) {
        await moveToCash(tx, attempt, refund, outcome.code);
        return;
      }
      if (BOOKS_DISAGREE.has(outcome.code)) {
        // Ours may be among what was refunded: read before anybody is called.
        await moveRefund(tx, refund.id, 'books_disagree', { detailCode: outcome.code });
        return enqueue(tx, 'refund_card', { refundId: refund.id }, { key: `refund:${refund.id}` });
      }
      return block(tx, refund, outcome.code, log);
  }
}

/** rules/refunds#read-before-repeating: one in flight makes the difference readable. */
async function readUnknown(
  deps: ResolveDeps,
  refundId: number,
  attemptId: string,
  refundedNow: Centavos,
  log: Log,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const attempt = await lockAttempt(tx, attemptId);
    const refund = await lockRefund(tx, refundId);
    if (
      attempt === undefined ||
      refund === undefined ||
      (refund.state !== 'sending' && refund.state !== 'unknown')
    )
      return;
    const inFlightMs = refund.now.getTime() - (refund.sentAt?.getTime() ?? 0);
    if (refund.state === 'sending' && inFlightMs < IN_FLIGHT_MS) {
      return enqueue(
        tx,
        'refund_card',
        { refundId },
        { key: `refund:${refundId}`, afterMs: IN_FLIGHT_MS - inFlightMs },
      );
    }
    const before = refund.refundedBefore ?? 0;
    if (refundedNow === before + refund.amountCentavos)
      return done(tx, attempt, refund, attempt.providerPaymentId ?? '');
    if (refundedNow !== before) return block(tx, refund, 'refunded by another way too', log);
    // It says that too much would go back, and nothing went (rules/refunds#over-the-original).
    if (BOOKS_DISAGREE.has(refund.detailCode ?? '')) return block(tx, refund, refund.detailCode ?? '', log);
    if (refund.checkedAt === null) {
      await moveRefund(tx, refundId, 'not_seen', { checked: true });
      return enqueue(tx, 'refund_card', { refundId }, { key: `refund:${refundId}`, afterMs: RECHECK_MS });
    }
    const sinceMs = refund.now.getTime() - refund.checkedAt.getTime();
    if (sinceMs < RECHECK_MS) {
      return enqueue(
        tx,
        'refund_card',
        { refundId },
        { key: `refund:${refundId}`, afterMs: RECHECK_MS - sinceMs },
      );
    }
    return owedAgain(tx, attempt, refund, 'it did not happen', 0);
  });
}

async function done(tx: Tx, attempt: Attempt, refund: Refund, providerRefundId: string): Promise<void> {
  await addRefunded(tx, attempt.id, refund.amountCentavos);
  await moveRefund(tx, refund.id, 'refunded', { providerRefundId });
  await book(
    tx,
    cardRefunded({ id: refund.id, merchantId: attempt.merchantId, amountCentavos: refund.amountCentavos }),
  );
  if (attempt.buyerId === null) return;
  await sendEmail(tx, {
    topic: 'refund_done',
    dedupeKey: `refund:${refund.id}`,
    buyerId: attempt.buyerId,
    facts: { amountCentavos: refund.amountCentavos, last4: attempt.cardLast4 ?? '' },
  });
}

/** The very sum is back at the buyer's without an answer to a call of ours: the debt is paid, and somebody should know. */
async function foundBack(tx: Tx, attempt: Attempt, refund: Refund, log: Log): Promise<void> {
  await raiseAlert(tx, 'refund_found_back', String(refund.id), { tries: refund.tries });
  log.error({ refundId: refund.id, attemptId: attempt.id }, 'a card refund was there before we asked for it');
  await done(tx, attempt, refund, attempt.providerPaymentId ?? '');
}

/**
 * rules/refunds#no-balance: still owed; asked again at the next hour when sales may cover it, ten days long, then it is owed in
 * cash (rules/refunds#moved-to-cash).
 */
async function owedAgain(
  tx: Tx,
  attempt: Attempt,
  refund: Refund,
  code: string,
  afterMs = untilRetry(refund.now),
): Promise<void> {
  if (refund.tries + 1 >= MOST_TRIES) {
    await moveToCash(tx, attempt, refund, code);
    return;
  }
  await moveRefund(tx, refund.id, 'declined', { detailCode: code, tried: true });
  await enqueue(tx, 'refund_card', { refundId: refund.id }, { key: `refund:${refund.id}`, afterMs });
}

/**
 * rules/refunds#never-by-card, rules/refunds#moved-to-cash: the same debt by another way (rules/ledger#refund-moved). A person
 * hands it over.
 */
export async function moveToCash(tx: Tx, attempt: Attempt, refund: Refund, code: string): Promise<number> {
  await moveRefund(tx, refund.id, 'moved_to_cash', { detailCode: code });
  const cashRefundId = await oweRefund(tx, { ...refund, method: 'cash' });
  await book(
    tx,
    refundMovedToCash({
      id: refund.id,
      merchantId: attempt.merchantId,
      cashRefundId,
      amountCentavos: refund.amountCentavos,
    }),
  );
  // About the debt in cash: it stays open until that one is paid.
  await raiseAlert(tx, 'refund_moved_to_cash', String(cashRefundId), { code, cardRefundId: refund.id });
  if (attempt.buyerId === null) return cashRefundId;
  await sendEmail(tx, {
    topic: 'refund_in_cash',
    dedupeKey: `refund:${refund.id}`,
    buyerId: attempt.buyerId,
    facts: { amountCentavos: refund.amountCentavos, last4: attempt.cardLast4 ?? '' },
  });
  return cashRefundId;
}

/**
 * rules/refunds#refused-key: what this pair may not do it may do for no refund. They stay as they are and go on with the
 * merchant's pair of today, or wait for one: an alert for all of them.
 */
async function refuseKey(
  tx: Tx,
  attempt: Attempt,
  refundId: number,
  credentialId: string,
  why: string,
  log: Log,
): Promise<void> {
  const { merchantId } = attempt;
  await lockCredentialsOf(tx, merchantId);
  await markCredentialRefused(tx, credentialId);
  log.error({ merchantId, refundId, why }, "a merchant's key may not refund");
  if ((await findUsableCredential(tx, attempt)) === undefined)
    return raiseAlert(tx, 'refunds_paused', String(merchantId), { why });
  return enqueue(tx, 'refund_card', { refundId }, { key: `refund:${refundId}` });
}

/** The refunds of a merchant that stood still go on by themselves. */
export async function goOnWithRefunds(tx: Tx, merchantId: number): Promise<void> {
  for (const refundId of await listOpenCardRefunds(tx, merchantId))
    await enqueue(tx, 'refund_card', { refundId }, { key: `refund:${refundId}` });
  await resolveAlerts(tx, ['refunds_paused'], [String(merchantId)]);
}

/** A person decides (rules/refunds#disputed, rules/refunds#over-the-original, rules/refunds#not-found). */
async function block(tx: Tx, refund: Refund, code: string, log: Log): Promise<void> {
  await moveRefund(tx, refund.id, 'blocked', { detailCode: code });
  await raiseAlert(tx, 'refund_blocked', String(refund.id), { code });
  log.error({ refundId: refund.id, code }, 'a card refund needs a person');
}

async function blockUnread(
  deps: ResolveDeps,
  refundId: number,
  attemptId: string,
  code: string,
  log: Log,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    await lockAttempt(tx, attemptId);
    const refund = await lockRefund(tx, refundId);
    if (refund?.state === 'owed' || refund?.state === 'sending' || refund?.state === 'unknown')
      await block(tx, refund, code, log);
  });
}

async function again(deps: ResolveDeps, refundId: number, afterMs: number): Promise<void> {
  await transaction(deps.db, (tx) =>
    enqueue(tx, 'refund_card', { refundId }, { key: `refund:${refundId}`, afterMs }),
  );
}

/** Milliseconds to the next of the retry hours in Mexico City. */
export function untilRetry(now: Date): number {
  const midnight = new Date(`${mexicoCityDate(now)}T00:00:00-06:00`).getTime();
  const at = [...RETRY_HOURS, (RETRY_HOURS[0] ?? 0) + 24]
    .map((hour) => midnight + hour * 3_600_000)
    .find((moment) => moment > now.getTime());
  return (at ?? now.getTime() + 3_600_000) - now.getTime();
}
