import { raiseAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Log } from '../../platform/logging.ts';
import type { Centavos } from '@aparta/domain/money';
import { enqueueRefund } from '../../ledger/refunds/enqueue-refund.ts';
import { lockRefund, moveRefund, type Refund } from '../../ledger/refunds/store.ts';
import type { RefundOutcome } from '../card-provider/port.ts';
import { type Attempt, lockAttempt } from '../cards/store.ts';
import { NO_BALANCE, NOT_SEEN } from './answers.ts';
import { blockRefund, finishRefund, type LockedRefund, moveToCash, retryRefund } from './move-refund.ts';
import { refuseKey } from './refuse-key.ts';
import { untilRetry } from './retry-hours.ts';

/** Longer than any call takes: after that its sender is dead. */
export const IN_FLIGHT_MS = 90_000;
const RECHECK_MS = 10 * 60_000;
const UNREACHABLE_MS = 60_000;

/** No repetition helps: too late, switched off, paid in months (rules/refunds#never-by-card). */
const NEVER_BY_CARD = new Set(['AI1803', 'AI1805', 'AI1806']);
const BOOKS_DISAGREE = new Set(['AI1801', 'AI1802']);

/** A refund that the provider was asked for. */
export interface SentRefund {
  readonly refund: Refund;
  readonly attempt: Attempt;
  readonly key: string;
  readonly credentialId: string;
}

/** Records what the provider answered to a call of ours. */
export async function recordAnswer(
  tx: Tx,
  sent: SentRefund,
  outcome: RefundOutcome,
  log: Log,
): Promise<void> {
  const attempt = await lockAttempt(tx, sent.attempt.id);
  const refund = await lockRefund(tx, sent.refund.id);
  if (attempt === undefined || refund === undefined) return;
  if (refund.state !== 'sending' && refund.state !== 'unknown') {
    // Stopped, or paid in cash, while it was on its way: whoever did that has to know that it arrived all the same.
    if (outcome.kind === 'approved' && refund.state !== 'done') {
      await raiseAlert(tx, 'refund_approved_late', String(refund.id), { state: refund.state });
      log.error({ refundId: refund.id, state: refund.state }, 'a card refund that was stopped is done');
    }
    return;
  }
  const locked = { tx, attempt, refund };
  switch (outcome.kind) {
    case 'approved':
      return outcome.amountCentavos === refund.amountCentavos
        ? finishRefund(locked, outcome.refundId)
        : blockRefund(tx, refund, 'another amount', log);
    case 'declined':
      return retryRefund(locked, outcome.code, log);
    case 'unauthorised':
      await moveRefund(tx, refund.id, 'unauthorised', { detailCode: 'the key may not refund' });
      return refuseKey(tx, attempt, refund.id, sent.credentialId, 'the key may not refund', log);
    case 'unreachable':
      await moveRefund(tx, refund.id, 'unreachable', { detailCode: outcome.why });
      return enqueueRefund(tx, refund.id, UNREACHABLE_MS);
    case 'refused':
      return recordRefusal(locked, outcome.code, log);
  }
}

async function recordRefusal(locked: LockedRefund, code: string, log: Log): Promise<void> {
  const { tx, refund } = locked;
  if (code === NO_BALANCE) return retryRefund(locked, code, log);
  if (NEVER_BY_CARD.has(code)) {
    await moveToCash(locked, code);
    return;
  }
  if (!BOOKS_DISAGREE.has(code)) return blockRefund(tx, refund, code, log);
  // Ours may be among what was refunded: the payment is read before anybody is called.
  await moveRefund(tx, refund.id, 'books_disagree', { detailCode: code });
  return enqueueRefund(tx, refund.id);
}

/**
 * Records what the payment's refunded total says of a refund whose call was not answered (rules/refunds#read-before-repeating):
 * since only one refund of an attempt is in flight, the difference is ours.
 */
export async function recordReading(
  tx: Tx,
  { refundId, attemptId }: { readonly refundId: number; readonly attemptId: string },
  refundedNow: Centavos,
  log: Log,
): Promise<void> {
  const attempt = await lockAttempt(tx, attemptId);
  const refund = await lockRefund(tx, refundId);
  if (attempt === undefined || (refund?.state !== 'sending' && refund?.state !== 'unknown')) return;
  const inFlightMs = refund.now.getTime() - (refund.sentAt?.getTime() ?? 0);
  if (refund.state === 'sending' && inFlightMs < IN_FLIGHT_MS)
    return enqueueRefund(tx, refundId, IN_FLIGHT_MS - inFlightMs);
  const locked = { tx, attempt, refund };
  const before = refund.refundedBefore ?? 0;
  if (refundedNow === before + refund.amountCentavos)
    return finishRefund(locked, attempt.providerPaymentId ?? '');
  if (refundedNow !== before) return blockRefund(tx, refund, 'refunded by another way too', log);
  // The provider said that too much would go back, and nothing went (rules/refunds#over-the-original).
  if (BOOKS_DISAGREE.has(refund.detailCode ?? ''))
    return blockRefund(tx, refund, refund.detailCode ?? '', log);
  if (refund.checkedAt === null) {
    await moveRefund(tx, refundId, 'not_seen', { checked: true });
    return enqueueRefund(tx, refundId, RECHECK_MS);
  }
  const sinceMs = refund.now.getTime() - refund.checkedAt.getTime();
  if (sinceMs < RECHECK_MS) return enqueueRefund(tx, refundId, RECHECK_MS - sinceMs);
  // At once the first time; a provider that is down, or still at it, is given the ten days.
  return retryRefund(locked, NOT_SEEN, log, refund.tries === 0 ? 0 : untilRetry(refund.now));
}
