import { randomUUID } from 'node:crypto';
import { add, type Centavos, sum } from '@aparta/domain/money';
import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Log } from '../../platform/logging.ts';
import type { KeyRing } from '../../platform/secrets.ts';
import { enqueueRefund } from '../../ledger/refunds/enqueue-refund.ts';
import {
  findRefund,
  lockRefund,
  lockRefundsOfAttempt,
  moveRefund,
  type Refund,
  resendRefund,
} from '../../ledger/refunds/store.ts';
import { isPairRefused, KEY_UNOPENED, openCredential } from '../card-keys/credential.ts';
import { findUsableCredential, type SealedCredential } from '../card-keys/store.ts';
import type { CardCredential, CardProvider, ProviderPayment, RefundOutcome } from '../card-provider/port.ts';
import { gaveBackOf } from '../cards/observe.ts';
import { type Attempt, findAttempt, lockAttempt } from '../cards/store.ts';
import { blockRefund, finishFoundRefund } from './move-refund.ts';
import { IN_FLIGHT_MS, recordAnswer, recordReading, type SentRefund } from './record-refund.ts';
import { refuseKey } from './refuse-key.ts';

export interface RefundDeps {
  readonly db: Db;
  readonly card: CardProvider;
  readonly keyRing: KeyRing;
  readonly allowTestKeys: boolean;
}

const PROVIDER_BUSY_MS = 5 * 60_000;
const SHOWN_WITHIN_MS = 86_400_000;
const OPEN: readonly string[] = ['owed', 'sending', 'unknown'];
/** The provider does not find the payment by its id: its receipt may still name it (rules/refunds#not-found). */
const NOT_FOUND = new Set(['AI1300', 'CL301', 'AI1800']);

/**
 * Brings one card refund a step further (rules/refunds#states): reads what was refunded, claims it, asks once, records the
 * answer. Safe to run at any time and any number of times. An unknown one is read, never repeated, until two readings ten
 * minutes apart show that it did not happen.
 */
export async function refundCardPayment(deps: RefundDeps, refundId: number, log: Log): Promise<void> {
  const refund = await findRefund(deps.db, refundId);
  if (refund === undefined || refund.method !== 'card' || refund.attemptId === null) return;
  const attempt = await findAttempt(deps.db, refund.attemptId);
  if (attempt?.providerPaymentId === undefined || attempt.providerPaymentId === null) return;
  if (!OPEN.includes(refund.state)) return;

  const sealed = await findUsableCredential(deps.db, attempt);
  // The merchant's refunds are paused (rules/refunds#refused-key); `resumeRefunds` puts each back in the queue.
  if (sealed === undefined) return;
  const ids = { refundId, attemptId: attempt.id };
  const credential = openOrUndefined(deps, sealed, refundId, log);
  if (credential === undefined) return blockUnread(deps, ids, KEY_UNOPENED, log);
  const found = await deps.card.find(credential, attempt.providerPaymentId);
  if (found.kind !== 'payment') {
    if (isPairRefused(found.why))
      return transaction(deps.db, (tx) => refuseKey(tx, attempt, refundId, sealed.id, found.why, log));
    // The payment is gone: no waiting helps (rules/refunds#not-found).
    if (found.why.startsWith('404')) return blockUnread(deps, ids, found.why, log);
    return transaction(deps.db, (tx) => enqueueRefund(tx, refundId, PROVIDER_BUSY_MS));
  }
  const refundedCentavos = gaveBackOf(found.payment);
  if (refund.state !== 'owed')
    return transaction(deps.db, (tx) => recordReading(tx, ids, refundedCentavos, log));
  const claimed = await transaction(deps.db, (tx) => claim(tx, ids, refundedCentavos, log));
  if (claimed === undefined) return;
  const sent = { ...claimed, credentialId: sealed.id };
  const payment = { id: attempt.providerPaymentId, receipt: found.payment.receipt };
  const outcome = await send(deps, sent, credential, payment);
  if (outcome === undefined) return;
  log.info(
    { ...ids, outcome: outcome.kind, code: 'code' in outcome ? outcome.code : undefined },
    'card refund asked',
  );
  await transaction(deps.db, (tx) => recordAnswer(tx, sent, outcome, log));
}

interface Ids {
  readonly refundId: number;
  readonly attemptId: string;
}

/**
 * Claims a refund (rules/refunds#claimed). Only a refunded total that our own refunds explain lets us ask: otherwise the money
 * may be back already, by hand or by a call of ours that was thought lost.
 */
async function claim(
  tx: Tx,
  { refundId, attemptId }: Ids,
  before: Centavos,
  log: Log,
): Promise<{ refund: Refund; attempt: Attempt; key: string } | undefined> {
  const attempt = await lockAttempt(tx, attemptId);
  const refunds = await lockRefundsOfAttempt(tx, attemptId);
  const refund = refunds.find(({ id }) => id === refundId);
  if (attempt === undefined || refund?.state !== 'owed') return undefined;
  const isAnotherInFlight = refunds.some(({ state }) => state === 'sending' || state === 'unknown');
  // What was booked long ago is gone again: asking and waiting would never end.
  const booked = sum(refunds.filter(isBookedLongAgo).map(({ amountCentavos }) => amountCentavos));
  if (!isAnotherInFlight && before < booked) {
    await blockRefund(tx, refund, 'less refunded than booked', log);
    return undefined;
  }
  // Another one of this attempt is on its way, or was booked since the payment was read.
  if (isAnotherInFlight || before < attempt.refundedCentavos) {
    await enqueueRefund(tx, refundId, isAnotherInFlight ? IN_FLIGHT_MS : PROVIDER_BUSY_MS);
    return undefined;
  }
  if (before > attempt.refundedCentavos) {
    await (before === add(attempt.refundedCentavos, refund.amountCentavos)
      ? finishFoundRefund({ tx, attempt, refund }, log)
      : blockRefund(tx, refund, 'refunded by another way too', log));
    return undefined;
  }
  const key = randomUUID();
  await moveRefund(tx, refundId, 'claimed', { sent: { refundedBefore: before, idempotencyKey: key } });
  await enqueueRefund(tx, refundId, IN_FLIGHT_MS);
  return { refund, attempt, key };
}

/** Whether the provider has had a day to show a refund that is done. */
const isBookedLongAgo = ({ method, doneAt, now }: Refund) =>
  method === 'card' && doneAt !== null && now.getTime() - doneAt.getTime() > SHOWN_WITHIN_MS;

/** Asks the provider, by the payment's id, then by its receipt. Undefined when it was stopped between the two. */
async function send(
  deps: RefundDeps,
  sent: SentRefund,
  credential: CardCredential,
  { id, receipt }: Pick<ProviderPayment, 'id' | 'receipt'>,
): Promise<RefundOutcome | undefined> {
  const request = {
    // The claimed sum: what was refunded externally meanwhile is owed no more.
    amountCentavos: sent.refund.amountCentavos,
    reason: sent.refund.cause === 'cancel' ? 'Compra cancelada' : 'Pago no aplicado',
  };
  const outcome = await deps.card.refund(credential, {
    ...request,
    of: { type: 'payment', id },
    idempotencyKey: sent.key,
  });
  if (outcome.kind !== 'refused' || !NOT_FOUND.has(outcome.code) || receipt === undefined) return outcome;
  // The first call was certainly refused, so this one is another call, with a key of its own.
  const key = await saveResending(deps, sent);
  if (key === undefined) return undefined;
  return deps.card.refund(credential, {
    ...request,
    of: { type: 'receipt', id: receipt },
    idempotencyKey: key,
  });
}

async function saveResending(
  { db }: RefundDeps,
  { refund, attempt }: SentRefund,
): Promise<string | undefined> {
  return transaction(db, async (tx) => {
    await lockAttempt(tx, attempt.id);
    if ((await lockRefund(tx, refund.id))?.state !== 'sending') return undefined;
    const key = randomUUID();
    await resendRefund(tx, refund.id, key);
    return key;
  });
}

function openOrUndefined(
  deps: RefundDeps,
  sealed: SealedCredential,
  refundId: number,
  log: Log,
): CardCredential | undefined {
  try {
    return openCredential(deps, sealed);
  } catch (err) {
    log.error({ err, refundId, merchantId: sealed.merchantId }, "a merchant's card key cannot be used");
    return undefined;
  }
}

/** Blocks a refund whose payment cannot be read. */
async function blockUnread(
  { db }: RefundDeps,
  { refundId, attemptId }: Ids,
  code: string,
  log: Log,
): Promise<void> {
  await transaction(db, async (tx) => {
    await lockAttempt(tx, attemptId);
    const refund = await lockRefund(tx, refundId);
    if (refund !== undefined && OPEN.includes(refund.state)) await blockRefund(tx, refund, code, log);
  });
}
