import { setTimeout as pause } from 'node:timers/promises';
import { raiseAlert } from '../../platform/alerts.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import type { Log } from '../../platform/logging.ts';
import {
  type CashReference,
  listUnpolled,
  markPolled,
  pollLimit,
} from '../../purchases/cash-references/store.ts';
import type { CashOperation } from './port.ts';
import { type NoticeDeps, takeOperation } from './take-notice.ts';

const AT_ONCE = 4;
/** After so many without an answer the provider is away, and the rest of the round waits. */
const MOST_UNANSWERED = 8;
const LONGEST_RUN_MS = 180_000;
/** A notice is given this long before its money counts as found by us. */
const NOTICE_COMES_MS = 600_000;

/**
 * Asks Tapi what stores did with each living reference and books what no notice brought (rules/tills-and-cash#lost-notices).
 * With `before`, all that were last asked about before that moment: it throws while Tapi does not answer, so that the queue
 * tries again, and goes on in another run where one is not enough.
 */
export async function pollCashReferences(
  deps: NoticeDeps,
  before: Date | undefined,
  log: Log,
): Promise<void> {
  const startedAt = performance.now();
  const limit = await pollLimit(deps.db, before);
  const unanswered: string[] = [];
  for (;;) {
    const references = await listUnpolled(deps.db, {
      before: limit,
      except: unanswered,
      limit: AT_ONCE,
    });
    const answers = await Promise.all(references.map((reference) => pollOne(deps, reference, log)));
    unanswered.push(...references.filter((_, at) => answers[at] === false).map(({ id }) => id));
    const isOver = references.length < AT_ONCE || unanswered.length >= MOST_UNANSWERED;
    if (isOver) break;
    if (performance.now() - startedAt > LONGEST_RUN_MS) {
      if (before !== undefined) await transaction(deps.db, (tx) => pollSoon(tx, before));
      return;
    }
  }
  if (unanswered.length === 0) return;
  log.warn({ unanswered: unanswered.length }, 'the cash network does not say what became of references');
  if (before !== undefined) throw new Error('the cash network does not answer');
}

/** False when Tapi did not answer. */
async function pollOne(deps: NoticeDeps, reference: CashReference, log: Log): Promise<boolean> {
  const found = await deps.cash.findOperationsOf(reference.id);
  if (found.kind === 'unreachable') return false;
  if (found.kind === 'not_found' && reference.providerReference !== null) {
    await raiseAlert(deps.db, 'cash_reference_unknown', 'tapi', { reference: reference.providerReference });
    log.error({ cashReferenceId: reference.id }, 'the cash network does not know a reference of its own');
  }
  for (const operation of found.kind === 'found' ? withoutReversed(found.operations) : []) {
    const outcome = await takeOperation(deps, operation, log);
    if (outcome === 'known' || outcome === 'noted' || isFresh(operation)) continue;
    await raiseAlert(deps.db, 'cash_notice_missed', 'tapi', { operationId: operation.operationId });
    log.error({ operationId: operation.operationId, outcome }, 'cash of which no notice came');
  }
  await transaction(deps.db, (tx) => markPolled(tx, reference.id));
  return true;
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
