import { REJECTIONS_THAT_CLOSE } from '@aparta/domain/help';
import { lockRefundsOfAttempt, moveRefund } from '../../ledger/refunds/store.ts';
import { raiseAlert } from '../../platform/alerts.ts';
import { afterCommit } from '../../platform/db/after-commit.ts';
import type { Tx } from '../../platform/db/db.ts';
import { together } from '../../platform/db/together.ts';
import { refusedBy } from '../../platform/db/transaction.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import type { Log } from '../../platform/logging.ts';
import type { Instrumentation } from '../../platform/telemetry/instrumentation.ts';
import { type AskDeps, type Asker, askProvider } from './ask-provider.ts';
import { ATTEMPT_TABLE, type AttemptEvent, type AttemptState, nextPollMs, overdue } from './attempt.ts';
import { ageOf, carryOut, type Scene } from './carry-out.ts';
import { capturedOf, isContradictory, type Observation } from './observe.ts';
import { isApplicable, lockPayable, referencesOf } from './payable.ts';
import { endHelpLink } from '../../purchases/help-links/store.ts';
import { countLinkRejections } from './help.read-model.ts';
import { returnSecondPayment } from './second-payment.ts';
import { type Attempt, type AttemptChange, lockAttempt, readAttempt, updateAttempt } from './store.ts';
import { findBlockingAttempt, isPaidAnew } from './blocking.read-model.ts';

export interface ResolveDeps extends AskDeps {
  readonly instrumentation?: Instrumentation;
}

/** Why an attempt is resolved now. A reply or the sweep brings what was seen; for everybody else the provider is asked. */
export type Trigger = { readonly log: Log } & (
  | { readonly by: 'reply' | 'sweep'; readonly observation: Observation }
  | (Asker & {
      /** The buyer wants to finish a 3DS that they left (rules/card-attempts#resuming). */
      readonly resumes?: true;
    })
);

/** What was seen of an attempt, with why it was looked for. */
interface Seen {
  readonly observation: Observation;
  readonly trigger: Trigger;
}

/**
 * Resolves an attempt, whatever caused it (rules/card-attempts#one-way-to-move). Asks the provider where nothing was seen yet;
 * then one transaction locks what the attempt pays, locks the attempt, and does what `ATTEMPT_TABLE` (attempt.ts) says. Two
 * calls at once have one effect. Resolves with what was seen: undefined where the provider was not asked, as it just had been.
 */
export async function resolveAttempt(
  deps: ResolveDeps,
  attemptId: string,
  trigger: Trigger,
): Promise<Observation | undefined> {
  const seen =
    'observation' in trigger
      ? [trigger.observation]
      : await askProvider(deps, attemptId, trigger, trigger.log);
  const [observation, ...others] = seen ?? [];
  if (observation === undefined) return undefined;
  const moved = await resolveOnce(deps, attemptId, { observation, trigger });
  if (moved !== undefined && moved.from !== moved.to) deps.instrumentation?.attemptMoved(moved);
  for (const other of others) {
    if ('payment' in other) await returnSecondPayment(deps.db, attemptId, other.payment, trigger.log);
  }
  return observation;
}

async function resolveOnce(deps: ResolveDeps, attemptId: string, seen: Seen): ReturnType<typeof resolve> {
  const act = (what: Seen) =>
    together(deps.db, { keys: [`attempt ${attemptId}`] }, (tx) => resolve(deps, tx, attemptId, what));
  try {
    return await act(seen);
  } catch (error) {
    if (refusedBy(error) !== 'card_attempts_provider_payment_once') throw error;
    return act({ ...seen, observation: { kind: 'unusable', why: 'the payment of another attempt' } });
  }
}

async function resolve(
  deps: ResolveDeps,
  tx: Tx,
  attemptId: string,
  { observation: seen, trigger }: Seen,
): Promise<{ from: AttemptState; to: AttemptState; ageMs: number } | undefined> {
  // What an attempt pays never changes, so its head may be found without a lock (rules/ledger#lock-order).
  const unlocked = await readAttempt(tx, attemptId);
  if (unlocked === undefined) return undefined;
  const payable = await lockPayable(tx, unlocked);
  const attempt = await lockAttempt(tx, attemptId);
  if (attempt === undefined) return undefined;

  const observation = isOfAnother(attempt, seen)
    ? { kind: 'unusable' as const, why: 'another payment than the one that is known' }
    : seen;
  const scene: Scene = { tx, payable, clocks: deps.clocks, attempt, observation };
  const moved = await act(scene, trigger, observation);
  const after = await readAttempt(tx, attemptId);
  const to = after && (await expireAndSchedule({ ...scene, attempt: after }, trigger, observation));
  const line = {
    attemptId,
    by: trigger.by,
    observed: observation.kind,
    from: attempt.state,
    to: moved.state,
    paymentId: moved.providerPaymentId ?? attempt.providerPaymentId,
  };
  afterCommit(tx, () => trigger.log.info(line, 'card attempt resolved'));
  return { from: attempt.state, to: to ?? moved.state, ageMs: ageOf(attempt) };
}

/** Whether a payment was seen in place of the attempt's own; where it exists, the sweep returns it as a second one. */
function isOfAnother({ providerPaymentId }: Attempt, seen: Observation): boolean {
  return providerPaymentId !== null && 'payment' in seen && seen.payment.id !== providerPaymentId;
}

/** Looks the event up in the table, carries it out and writes what it changed. */
async function act(
  scene: Scene,
  trigger: Trigger,
  observation: Observation,
): Promise<Partial<AttemptChange> & { readonly state: AttemptState }> {
  const { tx, attempt } = scene;
  const event = await eventOf(scene, trigger, observation);
  const cell = ATTEMPT_TABLE[attempt.state][event];
  const { refundDone, ...moved } = await carryOut(scene, cell.act);
  const polls = moved.state === attempt.state ? attempt.polls + (trigger.by === 'job' ? 1 : 0) : 0;
  // What is known of an attempt that ended is not overwritten by something older that comes late.
  const isKept = cell.act === 'stay' && ENDED.includes(attempt.state);
  await updateAttempt(tx, attempt, event, {
    ...(isKept ? {} : factsOf(observation)),
    ...moved,
    polls,
    notFoundCount: moved.notFoundCount ?? attempt.notFoundCount,
  });
  // After the attempt: its refunds may not exceed what it is known to have captured.
  if (refundDone !== undefined)
    await moveRefund(tx, refundDone.id, 'refunded_externally', {
      providerRefundId: refundDone.providerRefundId,
    });
  if (cell.alert) {
    // Who hands a refund of it over in cash holds this lock: they are done before, or read the alert.
    if (attempt.capturedCentavos > 0) await lockRefundsOfAttempt(tx, attempt.id);
    await raiseMismatch(tx, trigger.log, attempt, observation);
  }
  if (moved.state === 'rejected' && attempt.helpLinkId !== null) await closeTested(tx, attempt.helpLinkId);
  return moved;
}

/** Closes a help link at which too many cards were rejected. The caller holds its purchase's lock. */
async function closeTested(tx: Tx, linkId: string): Promise<void> {
  if ((await countLinkRejections(tx, linkId)) >= REJECTIONS_THAT_CLOSE)
    await endHelpLink(tx, linkId, 'rejections');
}

const ENDED: readonly AttemptState[] = ['rejected', 'applied', 'returned'];

/** The event that an observation is for this attempt. */
async function eventOf(scene: Scene, trigger: Trigger, observation: Observation): Promise<AttemptEvent> {
  const { attempt } = scene;
  if (isRepeated(attempt, observation)) return 'repeated';
  if (await isResumed(scene, trigger, observation)) return 'resumed';
  return observation.kind === 'not_found' && !observation.isProof ? 'not_found_early' : observation.kind;
}

async function isResumed(
  { tx, attempt, payable, clocks }: Scene,
  trigger: Trigger,
  observation: Observation,
): Promise<boolean> {
  if (!('resumes' in trigger) || attempt.state !== 'abandoned' || observation.kind !== 'requires_action')
    return false;
  // Within a day: asking again and again must not keep the reference taken for ever.
  if (ageOf(attempt) >= clocks.unknownEndsMs) return false;
  if (payable === undefined || attempt.referenceId === null || !isApplicable(payable, attempt)) return false;
  if (attempt.helpLinkId !== null) return true;
  if (await isPaidAnew(tx, attempt.id)) return false;
  // Of several, none may be paid by another.
  for (const referenceId of referencesOf(payable))
    if ((await findBlockingAttempt(tx, referenceId)) !== undefined) return false;
  return true;
}

/**
 * Whether a mismatch that is decided is seen again (rules/card-attempts#seen-again): held anew, it would never end. Or that a payment
 * is cancelled of which the books know that all went back.
 */
function isRepeated(attempt: Attempt, observation: Observation): boolean {
  if (observation.kind === 'declined' && observation.payment.status === 'cancelled')
    return attempt.capturedCentavos > 0 && attempt.refundedCentavos === attempt.capturedCentavos;
  return (
    DECIDED.includes(attempt.state) &&
    observation.kind === 'mismatch' &&
    capturedOf(observation.payment) === attempt.capturedCentavos &&
    observation.payment.detailCode === attempt.detailCode &&
    !isContradictory(observation.payment)
  );
}
const DECIDED: readonly AttemptState[] = ['abandoned', 'applied', 'returned'];

/** Ends a state whose time is over, and schedules the next poll. Returns the state after it. */
async function expireAndSchedule(
  scene: Scene,
  trigger: Trigger,
  observation: Observation,
): Promise<AttemptState> {
  const { tx, attempt, clocks } = scene;
  // Money that the sweep found and nobody claims has no clock: a person decides.
  if (attempt.buyerId === null) return attempt.state;
  let { state, polls } = attempt;
  let inStateMs = attempt.now.getTime() - attempt.stateSince.getTime();
  const over = overdue({ state, inStateMs }, clocks);
  const cell = ATTEMPT_TABLE[state].deadline;
  if (over === 'reminder' || (over === 'deadline' && cell.alert))
    await raiseAlert(tx, 'attempt_overdue', attempt.id, { state, inStateMs });
  if (over === 'deadline') {
    const moved = await carryOut({ ...scene, observation: undefined }, cell.act);
    state = moved.state;
    polls = 0;
    inStateMs = 0;
    await updateAttempt(tx, attempt, 'deadline', { ...moved, polls, notFoundCount: attempt.notFoundCount });
    const line = { attemptId: attempt.id, from: attempt.state, to: state };
    afterCommit(tx, () => trigger.log.info(line, 'card attempt overdue'));
  }
  const afterMs = nextPollMs(state, polls, inStateMs, clocks, isOpenAtProvider(observation));
  // A reply, browser or notice leaves the job's schedule alone unless the state changed.
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

/** Whether the provider may still turn it into money. */
function isOpenAtProvider(observation: Observation): boolean {
  return (
    observation.kind === 'requires_action' ||
    observation.kind === 'processing' ||
    (observation.kind === 'mismatch' && capturedOf(observation.payment) === 0)
  );
}

/** What the provider said of the payment itself, kept whatever the table does with it. */
function factsOf(observation: Observation): Partial<AttemptChange> {
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
  afterCommit(tx, () => log.error({ attemptId: attempt.id, ...detail }, 'a card attempt needs an eye'));
}
