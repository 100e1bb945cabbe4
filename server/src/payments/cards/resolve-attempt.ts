import { add, type Centavos, centavos, zero } from '@aparta/domain/money';
import { raiseAlert } from '../../platform/alerts.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import { cardRefunded } from '../../ledger/books/postings.ts';
import { moveRefund, sumOwnRefunds } from '../../ledger/refunds/store.ts';
import { recordReceipt } from '../../ledger/receipts/record-receipt.ts';
import { book } from '../../ledger/books/store.ts';
import type { Log } from '../../platform/logging.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import type { CardCredential, CardProvider, ProviderPayment } from './port.ts';
import type { KeyRing } from '../../platform/secrets.ts';
import type { Instrumentation } from '../../platform/telemetry/instrumentation.ts';
import {
  ATTEMPT_TABLE,
  type AttemptEvent,
  type AttemptState,
  type Cell,
  type Clocks,
  nextPollMs,
  type ObservationKind,
  overdue,
} from './attempt.ts';
import { isPairRefused, openCredential } from '../card-keys/credential.ts';
import { capturedOf, leftOf, observe, type Observation } from './observe.ts';
import { applyTo, dueOf, isApplicable, lockPayable, type Payable } from './payable.ts';
import {
  type Attempt,
  type AttemptChange,
  claimPoll,
  findAttempt,
  findBlockingAttempt,
  findCredential,
  findCurrentCredential,
  insertAttempt,
  isKnownPayment,
  lockAttempt,
  type SealedCredential,
  updateAttempt,
} from './store.ts';

export interface ResolveDeps {
  readonly db: Db;
  readonly card: CardProvider;
  readonly keyRing: KeyRing;
  /** Test keys charge nobody: goods would be handed over for nothing. Refused in production at each call. */
  readonly allowTestKeys: boolean;
  readonly clocks: Clocks;
  readonly threeDsOrigins: readonly string[];
  readonly instrumentation?: Instrumentation;
}

/** The provider's clock may differ from ours by this much. */
const LIST_MARGIN_MS = 2 * 60_000;
/** A card token lives 15 minutes (rules/providers#clip-card-token): a charge is no younger than that, and a margin. */
const LIST_LONGEST_MS = 30 * 60_000;

/** What makes us poll. Only `reply` brings what was seen; everybody else makes us ask the provider. */
export type Trigger = { readonly log: Log } & (
  | { readonly by: 'reply' | 'sweep'; readonly observation: Observation }
  | {
      readonly by: 'browser' | 'webhook';
      readonly paymentId?: string;
      /** A notice that came too soon after another poll has its turn now. */
      readonly hasWaited?: true;
      /** Its buyer wants to finish a 3DS that he left (rules/card-attempts#resuming). */
      readonly resumes?: true;
    }
  | { readonly by: 'job' }
);

/**
 * The one way that an attempt moves (rules/card-attempts#one-way-to-move): reply, browser, webhook, job and sweep all end here.
 * Asks the provider where nothing was seen yet, then in one transaction locks the head, locks the attempt, and does what the
 * table of `attempt.ts` says. Any number of calls at once have one effect. Polls of browsers and webhooks nearer than
 * `coalesceMs` to the last one do not reach the provider.
 */
export async function resolveAttempt(deps: ResolveDeps, attemptId: string, trigger: Trigger): Promise<void> {
  const seen =
    trigger.by === 'reply' || trigger.by === 'sweep'
      ? [trigger.observation]
      : await ask(deps, attemptId, trigger);
  if (seen === undefined) return;
  const [first, ...others] = seen;
  if (first === undefined) return;
  const moved = await transaction(deps.db, async (tx) => act(deps, tx, attemptId, first, trigger));
  if (moved !== undefined && moved.from !== moved.to) deps.instrumentation?.attemptMoved(moved);
  // More than one payment carries our reference: the first is the attempt's, each other one is money to give back.
  for (const other of others) {
    if ('payment' in other) await returnSecondPayment(deps, attemptId, other.payment, trigger.log);
  }
}

async function ask(
  deps: ResolveDeps,
  attemptId: string,
  trigger: Trigger,
): Promise<Observation[] | undefined> {
  const attempt = await findAttempt(deps.db, attemptId);
  if (attempt === undefined) return undefined;
  // Claimed by everybody, but a job polls in any case: its schedule is the promise that every wait ends.
  const claimed = await claimPoll(deps.db, attemptId, deps.clocks.coalesceMs);
  if (!claimed && trigger.by !== 'job' && !('hasWaited' in trigger)) {
    // A notice must not be lost to a poll that came just before the change it tells of.
    if (trigger.by === 'webhook') {
      await transaction(deps.db, (tx) =>
        enqueue(
          tx,
          'resolve_attempt',
          { attemptId, notice: trigger.paymentId === undefined ? {} : { paymentId: trigger.paymentId } },
          { key: `notice:${attemptId}`, afterMs: deps.clocks.coalesceMs },
        ),
      );
    }
    return undefined;
  }
  const expected = {
    attemptId,
    totalCentavos: add(attempt.principalCentavos, attempt.feeCentavos),
    refundsExplained: await sumOwnRefunds(deps.db, attemptId),
    threeDsOrigins: deps.threeDsOrigins,
  };
  const hint = 'paymentId' in trigger ? trigger.paymentId : undefined;
  const readWith = async (sealed: SealedCredential): Promise<Observation[]> => {
    const credential = openOrNothing(deps, sealed, attempt, trigger.log);
    if (credential === undefined)
      return [{ kind: 'unreachable', why: 'the key cannot be opened', alert: true }];
    return read(deps, { attempt, expected, credential, hint });
  };
  const seen = await readWith(await findCredential(deps.db, attempt.credentialId));
  if (!isKeyRefused(seen)) return seen;
  const today = await findCurrentCredential(deps.db, attempt.merchantId);
  const seenToday = today === undefined || today.id === attempt.credentialId ? seen : await readWith(today);
  if (isKeyRefused(seenToday))
    await raiseAlert(deps.db, 'merchant_key_refused', String(attempt.merchantId), { attempt: attemptId });
  // What another pair does not see may be there all the same: only a payment that it finds says something.
  return seenToday.some((observation) => 'payment' in observation) ? seenToday : seen;
}

function isKeyRefused(seen: readonly Observation[]): boolean {
  return seen.some((observation) => observation.kind === 'unreachable' && isPairRefused(observation.why));
}

/** What the provider has of an attempt, by its payment where that is known, else by our reference in the list of that time. */
async function read(
  deps: ResolveDeps,
  {
    attempt,
    expected,
    credential,
    hint,
  }: {
    attempt: Attempt;
    expected: Parameters<typeof observe>[0];
    credential: CardCredential;
    hint: string | undefined;
  },
): Promise<Observation[]> {
  const paymentId = attempt.providerPaymentId ?? hint;
  if (paymentId !== undefined) {
    const found = await deps.card.find(credential, paymentId);
    const observation: Observation =
      found.kind === 'payment'
        ? observe(expected, found.payment)
        : // A payment that was seen before and is gone is nobody's ordinary silence.
          { kind: 'unreachable', why: found.why, alert: found.why.startsWith('404') };
    // A hint that is not ours tells nothing; the reference does.
    if (attempt.providerPaymentId !== null || observation.kind !== 'unreachable') return [observation];
  }
  const from = new Date(attempt.createdAt.getTime() - LIST_MARGIN_MS);
  // No later than a card token can charge: a window that ends at the present never stands still at a busy merchant.
  const to = Math.min(attempt.now.getTime() + LIST_MARGIN_MS, attempt.createdAt.getTime() + LIST_LONGEST_MS);
  const listed = await deps.card.list(credential, from, new Date(to));
  if (listed.kind !== 'payments') return [{ kind: 'unreachable', why: listed.why }];
  const ours = listed.payments
    .filter((payment) => payment.externalReference === attempt.id)
    .map((payment) => observe(expected, payment));
  if (ours.length === 0) return [{ kind: 'not_found' }];
  // The one that was approved as agreed goes first, then other money, then what may still become money.
  return ours.toSorted((a, b) => FIRST.indexOf(a.kind) - FIRST.indexOf(b.kind));
}

const FIRST: readonly ObservationKind[] = [
  'approved',
  'mismatch',
  'reversed',
  'requires_action',
  'processing',
  'declined',
];

/** A key that does not open must not stop the clocks: the attempt still ends, unseen. */
function openOrNothing(
  deps: ResolveDeps,
  sealed: SealedCredential,
  attempt: Attempt,
  log: Log,
): CardCredential | undefined {
  try {
    return openCredential(deps, sealed);
  } catch (err) {
    log.error(
      { err, attemptId: attempt.id, merchantId: attempt.merchantId },
      "a merchant's card key cannot be used",
    );
    return undefined;
  }
}

async function act(
  deps: ResolveDeps,
  tx: Tx,
  attemptId: string,
  observation: Observation,
  trigger: Trigger,
): Promise<{ from: AttemptState; to: AttemptState; ageMs: number } | undefined> {
  // The subject of an attempt never changes, so it is read unlocked to find the head (rules/ledger#lock-order).
  const unlocked = await findAttempt(tx, attemptId);
  if (unlocked === undefined) return undefined;
  const payable = await lockPayable(tx, unlocked.referenceId);
  const attempt = await lockAttempt(tx, attemptId);
  if (attempt === undefined) return undefined;

  const scene = { deps, tx, payable, log: trigger.log };
  const event = await eventOf(scene, attempt, observation, trigger);
  const cell = ATTEMPT_TABLE[attempt.state][event];
  const alert = cell.alert || ('alert' in observation && observation.alert === true);
  const { refundDone, ...moved } = await move(scene, attempt, cell.act, observation);
  const polls = moved.state === attempt.state ? attempt.polls + (trigger.by === 'job' ? 1 : 0) : 0;
  await updateAttempt(tx, attempt, event, {
    ...(cell.act === 'stay' && isEnded(attempt.state) ? {} : seenOf(observation)),
    ...moved,
    polls,
    notFoundCount: moved.notFoundCount ?? attempt.notFoundCount,
  });
  // The attempt first: its refunds may not exceed what it is known to have captured.
  if (refundDone !== undefined)
    await moveRefund(tx, refundDone.id, 'refunded_externally', {
      providerRefundId: refundDone.providerRefundId,
    });
  if (alert) await raiseMismatch(tx, trigger.log, attempt, observation);

  // Still locked: only read again.
  const after = await findAttempt(tx, attemptId);
  const isOpenThere =
    observation.kind === 'requires_action' ||
    observation.kind === 'processing' ||
    (observation.kind === 'mismatch' && capturedOf(observation.payment) === 0);
  const to = after && (await expireAndSchedule(scene, after, trigger, isOpenThere));
  trigger.log.info(
    {
      attemptId,
      by: trigger.by,
      observed: observation.kind,
      from: attempt.state,
      to: moved.state,
      paymentId: moved.providerPaymentId ?? attempt.providerPaymentId,
    },
    'card attempt resolved',
  );
  return { from: attempt.state, to: to ?? moved.state, ageMs: ageOf(attempt) };
}

/** What an observation is for an attempt: what was seen, or less than that. */
async function eventOf(
  scene: Scene,
  attempt: Attempt,
  observation: Observation,
  trigger: Trigger,
): Promise<AttemptEvent> {
  if (isKnownOf(attempt, observation)) return 'repeated';
  if (await isResumed(scene, attempt, observation, trigger)) return 'resumed';
  // Only the job's reads are far enough apart to prove that nothing was charged; a poll's may be seconds apart.
  const isProof = trigger.by === 'job' && ageOf(attempt) >= scene.deps.clocks.notFoundCountsAfterMs;
  return observation.kind === 'not_found' && !isProof ? 'none_early' : observation.kind;
}

const ageOf = ({ now, createdAt }: Attempt) => now.getTime() - createdAt.getTime();

/** A day long: whoever only asks again and again does not keep his reference's slot for ever. */
async function isResumed(
  { deps, tx, payable }: Scene,
  attempt: Attempt,
  observation: Observation,
  trigger: Trigger,
): Promise<boolean> {
  if (!('resumes' in trigger) || attempt.state !== 'abandoned' || observation.kind !== 'requires_action')
    return false;
  if (ageOf(attempt) >= deps.clocks.unknownEndsMs) return false;
  if (payable === undefined || attempt.referenceId === null || !isApplicable(payable, attempt)) return false;
  return (await findBlockingAttempt(tx, attempt.referenceId)) === undefined;
}

/**
 * What was not as agreed and is decided, seen again (rules/card-attempts#seen-again): an authorisation that was let go when its
 * time was over, money that went back or that a person applied. Held anew it would never end, and each sweep would raise an alert.
 */
function isKnownOf(attempt: Attempt, observation: Observation): boolean {
  return (
    DECIDED.includes(attempt.state) &&
    observation.kind === 'mismatch' &&
    capturedOf(observation.payment) === attempt.capturedCentavos &&
    observation.payment.detailCode === attempt.detailCode
  );
}
const DECIDED: readonly AttemptState[] = ['abandoned', 'applied', 'returned'];

/** What is known of an attempt that ended is not overwritten by something older (or stranger) that came late. */
function isEnded(state: AttemptState): boolean {
  return state === 'rejected' || state === 'applied' || state === 'returned';
}

interface Scene {
  readonly deps: ResolveDeps;
  readonly tx: Tx;
  readonly payable: Payable | undefined;
  readonly log: Log;
}

type Moved = Partial<AttemptChange> & {
  readonly state: AttemptState;
  /** A refund that is done already, once the attempt says so. */
  readonly refundDone?: { readonly id: number; readonly providerRefundId: string };
};

/** What time alone does now that everything was polled, and when the next poll is. Returns the state after it. */
async function expireAndSchedule(
  scene: Scene,
  attempt: Attempt,
  trigger: Trigger,
  isOpenThere: boolean,
): Promise<AttemptState> {
  // Money that the sweep found and nobody claims has no clock: a person decides.
  if (attempt.buyerId === null) return attempt.state;
  const { deps, tx } = scene;
  let { state, polls } = attempt;
  let inStateMs = attempt.now.getTime() - attempt.stateSince.getTime();
  const over = overdue({ state, inStateMs }, deps.clocks);
  const { act, alert } = ATTEMPT_TABLE[state].deadline;
  if (over === 'reminder' || (over === 'deadline' && alert))
    await raiseAlert(tx, 'attempt_overdue', attempt.id, { state, inStateMs });
  if (over === 'deadline') {
    const moved = await move(scene, attempt, act, { kind: 'unreachable', why: 'its time is over' });
    state = moved.state;
    polls = 0;
    inStateMs = 0;
    await updateAttempt(tx, attempt, 'deadline', { ...moved, polls, notFoundCount: attempt.notFoundCount });
    scene.log.info({ attemptId: attempt.id, from: attempt.state, to: state }, 'card attempt overdue');
  }
  const afterMs = nextPollMs(state, polls, inStateMs, deps.clocks, isOpenThere);
  // A poll by reply, browser or notice leaves a job's schedule as it is unless the state changed.
  if (afterMs !== undefined && (trigger.by === 'job' || inStateMs === 0)) {
    await enqueue(
      tx,
      'resolve_attempt',
      { attemptId: attempt.id },
      { key: `resolve:${attempt.id}`, afterMs },
    );
  }
  return state;
}

async function move(
  scene: Scene,
  attempt: Attempt,
  act: Cell['act'],
  observation: Observation,
): Promise<Moved> {
  const { deps } = scene;
  const payment = 'payment' in observation ? observation.payment : undefined;
  const total = add(attempt.principalCentavos, attempt.feeCentavos);
  switch (act) {
    case 'stay':
      return { state: attempt.state };
    case 'refresh':
    case 'pending_3ds':
      return {
        state: 'pending_3ds',
        ...(observation.kind === 'requires_action' ? { threeDsUrl: observation.threeDsUrl } : {}),
      };
    case 'await_3ds': {
      const isYoung = ageOf(attempt) < deps.clocks.threeDsMs;
      return move(scene, attempt, isYoung ? 'pending_3ds' : 'abandoned', observation);
    }
    case 'count_not_found': {
      const notFoundCount = attempt.notFoundCount + 1;
      if (notFoundCount < deps.clocks.notFoundNeeded) return { state: attempt.state, notFoundCount };
      return { ...(await move(scene, attempt, 'not_charged', observation)), notFoundCount };
    }
    case 'apply_or_return':
      // Held with another sum than was agreed: whatever the provider says now, a person checks it (rules/card-attempts#held-money).
      if (attempt.capturedCentavos > 0 && attempt.capturedCentavos !== total) {
        return { state: attempt.state };
      }
      return scene.payable !== undefined && isApplicable(scene.payable, attempt)
        ? applied(scene, scene.payable, attempt)
        : returnWhole(scene, attempt, payment);
    case 'applied':
      throw new Error('applied is reached by settling, or by a person');
    case 'return_or_abandon':
      return attempt.capturedCentavos > 0
        ? returnWhole(scene, attempt, payment)
        : move(scene, attempt, 'abandoned', observation);
    case 'returned':
      return returnWhole(scene, attempt, payment);
    case 'record_reversal':
      return payment === undefined ? { state: attempt.state } : recordReversal(scene, attempt, payment);
    case 'held':
      return payment === undefined ? { state: attempt.state } : held(scene, attempt, payment);
    case 'refuse_unless_captured':
      if (attempt.capturedCentavos === 0) return move(scene, attempt, 'rejected', observation);
      return payment === undefined
        ? { state: attempt.state }
        : recordReversal(scene, attempt, { ...payment, refundedCentavos: attempt.capturedCentavos });
    case 'not_charged':
    case 'rejected':
      // He was told to wait; what is known at once is told on the screen.
      if (attempt.state === 'unknown' || attempt.state === 'held')
        await notifyBuyer(scene, attempt, 'payment_not_charged', total);
      return { state: act, threeDsUrl: null };
    case 'abandoned':
      if (attempt.state !== 'not_charged') await notifyBuyer(scene, attempt, 'payment_abandoned', total);
      return { state: 'abandoned', threeDsUrl: null };
    case 'submitting':
    case 'unknown':
      return { state: act, threeDsUrl: null };
  }
}

async function applied(scene: Scene, payable: Payable, attempt: Attempt): Promise<Moved> {
  await applyTo(scene.tx, payable, attempt);
  return {
    state: 'applied',
    capturedCentavos: add(attempt.principalCentavos, attempt.feeCentavos),
    threeDsUrl: null,
  };
}

function moneyOf(attempt: Attempt) {
  return {
    channel: 'card' as const,
    sourceId: attempt.id,
    merchantId: attempt.merchantId,
    buyerId: attempt.buyerId,
  };
}

/** All of it is owed back: the books say so now, a job sends it. The caller writes the state that is answered. */
export async function returnWhole(
  scene: Pick<Scene, 'tx' | 'payable'>,
  attempt: Attempt,
  payment?: ProviderPayment,
): Promise<Moved> {
  const captured =
    attempt.capturedCentavos > 0
      ? attempt.capturedCentavos
      : centavos(payment === undefined ? 0 : capturedOf(payment));
  const placed = await recordReceipt(scene.tx, moneyOf(attempt), {
    to: 'refund',
    cause: 'not_applicable',
    method: 'card',
    attemptId: attempt.id,
    amountCentavos: captured,
  });
  if (placed.refundId !== undefined) {
    await enqueue(
      scene.tx,
      'refund_card',
      { refundId: placed.refundId },
      { key: `refund:${placed.refundId}` },
    );
  }
  await notifyBuyer(scene, attempt, 'payment_returned', captured);
  return { state: 'returned', capturedCentavos: captured, threeDsUrl: null };
}

/** The provider has money that is not as agreed: it stands in suspense until it is, or a person decides. */
async function held(scene: Scene, attempt: Attempt, payment: ProviderPayment): Promise<Moved> {
  // What came is in the books once: a sum that the provider changes afterwards is for a person.
  const isNew = attempt.capturedCentavos === 0;
  const captured = isNew ? centavos(capturedOf(payment)) : attempt.capturedCentavos;
  if (isNew && captured > 0) {
    await recordReceipt(scene.tx, moneyOf(attempt), { to: 'suspense', amountCentavos: captured });
  }
  await notifyBuyer(
    scene,
    attempt,
    'payment_in_review',
    captured > 0 ? captured : add(attempt.principalCentavos, attempt.feeCentavos),
  );
  return { state: 'held', ...(captured > 0 ? { capturedCentavos: captured } : {}), threeDsUrl: null };
}

/**
 * Money came and went by a way that we did not ask for: booked both ways (rules/card-attempts#came-and-went). A part that went
 * leaves it held.
 */
async function recordReversal(scene: Scene, attempt: Attempt, payment: ProviderPayment): Promise<Moved> {
  const captured = attempt.capturedCentavos > 0 ? attempt.capturedCentavos : payment.amountCentavos;
  if (payment.refundedCentavos < captured && payment.status !== 'refunded') {
    return attempt.state === 'held'
      ? { state: 'held' }
      : held(scene, attempt, { ...payment, status: 'approved' });
  }
  const placed = await recordReceipt(scene.tx, moneyOf(attempt), {
    to: 'refund',
    cause: 'external',
    method: 'card',
    attemptId: attempt.id,
    amountCentavos: captured,
  });
  const refundId = placed.refundId ?? 0;
  await book(
    scene.tx,
    cardRefunded({ id: refundId, merchantId: attempt.merchantId, amountCentavos: captured }),
  );
  return {
    state: 'returned',
    capturedCentavos: captured,
    refundedCentavos: captured,
    threeDsUrl: null,
    refundDone: { id: refundId, providerRefundId: payment.id },
  };
}

/** What the provider told of the payment itself, kept whatever the table does with it. */
function seenOf(observation: Observation): Partial<AttemptChange> {
  if (!('payment' in observation))
    return observation.kind === 'not_sent' && observation.why !== undefined
      ? { detailCode: observation.why.slice(0, 40) }
      : {};
  const { payment } = observation;
  return {
    providerPaymentId: payment.id,
    detailCode: payment.detailCode,
    cardType: payment.cardType,
    cardBrand: payment.cardBrand,
    cardLast4: payment.cardLast4,
    cardFingerprint: payment.cardFingerprint,
    providerReceipt: payment.receipt,
  };
}

async function notifyBuyer(
  scene: Pick<Scene, 'tx' | 'payable'>,
  attempt: Attempt,
  topic: 'payment_returned' | 'payment_in_review' | 'payment_not_charged' | 'payment_abandoned',
  amountCentavos: Centavos,
): Promise<void> {
  if (attempt.buyerId === null) return;
  await sendEmail(scene.tx, {
    topic,
    dedupeKey: `card:${attempt.id}`,
    buyerId: attempt.buyerId,
    facts: { amountCentavos, product: scene.payable === undefined ? '' : dueOf(scene.payable).productName },
  });
}

async function raiseMismatch(tx: Tx, log: Log, attempt: Attempt, observation: Observation): Promise<void> {
  const detail = {
    state: attempt.state,
    observed: observation.kind,
    ...('payment' in observation
      ? { paymentId: observation.payment.id, detailCode: observation.payment.detailCode }
      : {}),
    ...(observation.kind === 'reversed' ? { refundedCentavos: observation.payment.refundedCentavos } : {}),
    ...('why' in observation ? { why: observation.why } : {}),
  };
  await raiseAlert(tx, 'attempt_mismatch', attempt.id, detail);
  log.error({ attemptId: attempt.id, ...detail }, 'a card attempt needs an eye');
}

/** A second payment with our reference: an attempt of its own, born `returned` (rules/card-attempts#second-payment). */
export async function returnSecondPayment(
  deps: ResolveDeps,
  attemptId: string,
  payment: ProviderPayment,
  log: Log,
): Promise<void> {
  // Of one that went back in part its refund is blocked, for a person.
  if (leftOf(payment) === 0) return;
  await transaction(deps.db, async (tx) => {
    const unlocked = await findAttempt(tx, attemptId);
    if (unlocked === undefined || unlocked.providerPaymentId === payment.id) return;
    const payable = await lockPayable(tx, unlocked.referenceId);
    const first = await lockAttempt(tx, attemptId);
    if (first === undefined || (await isKnownPayment(tx, first.merchantId, payment.id))) return;
    const born = await insertAttempt(tx, {
      buyerId: first.buyerId,
      merchantId: first.merchantId,
      credentialId: first.credentialId,
      referenceId: first.referenceId,
      intentId: null,
      intentHash: null,
      state: 'returned',
      principalCentavos: payment.amountCentavos,
      feeCentavos: zero,
      capturedCentavos: payment.amountCentavos,
      providerPaymentId: payment.id,
      detailCode: payment.detailCode,
      sourceAddress: '',
      requestId: first.requestId,
    });
    const attempt = await lockAttempt(tx, born.id);
    if (attempt !== undefined) await returnWhole({ tx, payable }, attempt, payment);
    await raiseAlert(tx, 'second_payment', attemptId, { paymentId: payment.id });
    log.error({ attemptId, paymentId: payment.id }, 'a second payment carries the reference of an attempt');
  });
}
