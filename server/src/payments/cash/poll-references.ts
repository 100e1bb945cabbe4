import { setTimeout as pause } from 'node:timers/promises';
import { raiseAlert, resolveAlert } from '../../platform/alerts.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import type { Log } from '../../platform/logging.ts';
import {
  type CashReference,
  listUnpolled,
  markAsked,
  markPolled,
  pollLimit,
} from '../../purchases/cash-references/store.ts';
import type { CashOperation } from './port.ts';
import { hasAnswered, listUnanswered } from './read-model.ts';
import { type NoticeDeps, takeOperation } from './take-notice.ts';

const AT_ONCE = 4;
/** After so many in a row without an answer the provider is away, and the rest of the round waits. */
const MOST_UNANSWERED = 8;
const LONGEST_RUN_MS = 180_000;
/** A notice is given this long before its money counts as found by us. */
const NOTICE_COMES_MS = 600_000;

/** `failed`: Tapi answered, and we could not take what it said. */
type Answer = 'taken' | 'nothing' | 'failed';

/**
 * Asks Tapi what stores did with each living reference and books what no notice brought (rules/tills-and-cash#lost-notices).
 * With `before`, all of which it last said something before that moment: it throws while Tapi does not answer, so that the
 * queue tries again, and goes on in another run where one is not enough. One that cannot be read or booked stops no other.
 */
export async function pollCashReferences(
  deps: NoticeDeps,
  before: Date | undefined,
  log: Log,
): Promise<void> {
  const { unanswered, failed, isCut } = await pollAll(deps, before, log);
  await tellUnanswered(deps.db);
  if (isCut && before !== undefined) return transaction(deps.db, (tx) => pollSoon(tx, before));
  if (failed > 0) throw new Error(`what the cash network says of ${failed} references could not be taken`);
  if (unanswered === 0 || isCut) return;
  log.warn({ unanswered }, 'the cash network does not say what became of references');
  if (before !== undefined) throw new Error('the cash network does not answer');
}

/** One round; `isCut` when there was no time for all of it. */
async function pollAll(
  deps: NoticeDeps,
  before: Date | undefined,
  log: Log,
): Promise<{ unanswered: number; failed: number; isCut: boolean }> {
  const startedAt = performance.now();
  const limit = await pollLimit(deps.db, before);
  const inVain: string[] = [];
  let failed = 0;
  let inARow = 0;
  for (;;) {
    const references = await listUnpolled(deps.db, { before: limit, except: inVain, limit: AT_ONCE });
    const answers = await Promise.all(
      references.map(async (reference) => ({ id: reference.id, answer: await tryOne(deps, reference, log) })),
    );
    for (const { id, answer } of answers) {
      inARow = answer === 'taken' ? 0 : inARow + 1;
      if (answer === 'failed') failed += 1;
      if (answer !== 'taken') inVain.push(id);
    }
    const isOver = references.length < AT_ONCE || inARow >= MOST_UNANSWERED;
    const isCut = !isOver && performance.now() - startedAt > LONGEST_RUN_MS;
    if (isOver || isCut) return { unanswered: inVain.length - failed, failed, isCut };
  }
}

/** Asks about a reference, which goes to the end of the line whatever comes of it. */
async function tryOne(deps: NoticeDeps, reference: CashReference, log: Log): Promise<Answer> {
  try {
    await transaction(deps.db, (tx) => markAsked(tx, reference.id));
    return await pollOne(deps, reference, log);
  } catch (err) {
    log.error({ err, cashReferenceId: reference.id }, 'a reference of the cash network could not be polled');
    return 'failed';
  }
}

async function pollOne(deps: NoticeDeps, reference: CashReference, log: Log): Promise<Answer> {
  const found = await deps.cash.findOperationsOf(reference.id);
  if (found.kind === 'unreachable') return 'nothing';
  if (found.kind === 'not_found' && reference.providerReference !== null) {
    await raiseAlert(deps.db, 'cash_reference_unknown', 'tapi', { reference: reference.providerReference });
    log.error({ cashReferenceId: reference.id }, 'the cash network does not know a reference of its own');
  }
  let isTaken = true;
  for (const operation of found.kind === 'found' ? withoutReversed(found.operations) : []) {
    try {
      await takeFound(deps, operation, log);
    } catch (err) {
      isTaken = false;
      log.error(
        { err, operationId: operation.operationId },
        'an operation of the cash network could not be taken',
      );
    }
  }
  if (!isTaken) return 'failed';
  // What cannot be read may be money too: it counts as no answer, and somebody is told.
  if (found.kind === 'found' && found.isPartial) return 'nothing';
  await transaction(deps.db, async (tx) => {
    await markPolled(tx, reference.id);
    await resolveAlert(tx, 'cash_reference_unanswered', reference.providerReference ?? reference.id);
  });
  return 'taken';
}

/** Books what a store did, and tells where its notice should have come before. */
async function takeFound(deps: NoticeDeps, operation: CashOperation, log: Log): Promise<void> {
  const outcome = await takeOperation(deps, operation, log);
  if (outcome === 'known' || outcome === 'noted' || isFresh(operation)) return;
  await raiseAlert(deps.db, 'cash_notice_missed', 'tapi', { operationId: operation.operationId });
  log.error({ operationId: operation.operationId, outcome }, 'cash of which no notice came');
}

/**
 * Tells once of each reference that stays without an answer for hours, or stayed so to its end; while none has one, of the
 * network instead.
 */
async function tellUnanswered(db: Db): Promise<void> {
  const [unanswered, isAnswering] = [await listUnanswered(db), await hasAnswered(db)];
  await transaction(db, async (tx) => {
    for (const { number, since, isOver } of unanswered)
      if (isOver || isAnswering) await raiseAlert(tx, 'cash_reference_unanswered', number, { since, isOver });
    const [oldest] = isAnswering ? [] : unanswered.filter(({ isOver }) => !isOver);
    if (oldest === undefined) await resolveAlert(tx, 'cash_reference_unanswered', 'tapi');
    else await raiseAlert(tx, 'cash_reference_unanswered', 'tapi', { since: oldest.since });
  });
}

/** An operation and its reversal both say that it was taken back; the reversal says it once. */
function withoutReversed(operations: readonly CashOperation[]): CashOperation[] {
  const reversals = operations.filter(({ operationId, reverses }) => reverses !== operationId);
  const reversed = new Set(reversals.map(({ reverses }) => reverses));
  return operations.filter(({ operationId }) => !reversed.has(operationId));
}

const isFresh = ({ paidAt }: CashOperation) =>
  paidAt !== undefined && Date.now() - paidAt.getTime() < NOTICE_COMES_MS;

/** Queues a poll of every living reference: notices may have been lost until now. */
export async function pollSoon(tx: Tx, before = new Date()): Promise<void> {
  await enqueue(tx, 'poll_cash_references', { before: before.toISOString() }, { key: 'poll_cash' });
}

const TRY_AGAIN_MS = 2_000;
const MOST_TRIES = 21_600; // half a day

/**
 * What a server does when a notice could not be stored: as soon as the database takes it, every living reference is polled.
 * Should the server end meanwhile, its next start does the same.
 */
export function pollAfterOutage(db: Db, log: Log): () => void {
  let waiting: Promise<void> | undefined;
  async function wait(): Promise<void> {
    log.error('a notice was lost: its cash is asked for once the database is back');
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      await pause(TRY_AGAIN_MS, undefined, { ref: false });
      try {
        return await transaction(db, (tx) => pollSoon(tx));
      } catch {
        // Not back yet.
      }
    }
  }
  return () => {
    waiting ??= wait().finally(() => (waiting = undefined));
  };
}
