import { AsyncLocalStorage } from 'node:async_hooks';
import { busy, elsewhere, noteWritten, mayWaitMs } from './admission.ts';
import { type Outcome, runBatch, type Work } from './batch.ts';
import type { Db, Tx } from './db.ts';
import { isUncertain } from './outage.ts';
import { transaction } from './transaction.ts';

/** Calls of one batch: more share no cost worth the wait. */
const MOST = 64;
/** A batch that takes longer than any should, on a connection that says nothing, keeps others waiting no longer. */
const SLOW_MS = 500;
const MOST_SLOW = 3;
/** Who was answered together asks again together: did the next batch not wait for as many, the first of them would go alone. */
const LINGER_MS = 5;
/** How much of the last batch counts for what is usual. */
const LAST_SHARE = 0.2;

/** How a call joins others. */
export interface Joining {
  /** What it will lock, as far as it knows that beforehand, by name: calls with the same are done one after the other. */
  readonly keys: readonly string[];
  /** It is refused with BUSY where it would wait for too long, and has changed nothing. */
  readonly mayBeRefused?: true;
}

/**
 * Runs `work` in a transaction, as `transaction` does, together with others that came meanwhile (docs/decisions/0081): while
 * one batch runs, the next gathers. One that meets a lock of somebody else, or whose batch failed, has a transaction of its
 * own, and is repeated there; so `work` may run more than once.
 */
export async function together<T>(db: Db, joining: Joining, work: (tx: Tx) => Promise<T>): Promise<T> {
  const here = AsyncLocalStorage.snapshot();
  const outcome = await elsewhere(async () => {
    const joined = await queueOf(db).join(joining, (tx) => here(work, tx));
    if (joined.did === 'done' || (joined.did === 'failed' && isUncertain(joined.error))) noteWritten();
    return joined;
  });
  if (outcome.did === 'leave') return transaction(db, work);
  if (outcome.did === 'failed') throw outcome.error;
  return outcome.value as T;
}

interface Waiting {
  readonly keys: readonly string[];
  readonly work: Work;
  readonly end: (outcome: Outcome) => void;
  /** Another had its head before it: the next time it waits for it by itself. */
  readonly wasLate?: true;
}

interface Queue {
  join(joining: Joining, work: Work): Promise<Outcome>;
}

const queues = new WeakMap<Db, Queue>();

function queueOf(db: Db): Queue {
  const known = queues.get(db) ?? openQueue(db);
  queues.set(db, known);
  return known;
}

/** A batch belongs to no call, whichever call began it. */
const nowhere = AsyncLocalStorage.snapshot();

function openQueue(db: Db): Queue {
  let waiting: Waiting[] = [];
  /** What the running batches lock, as far as it was known. */
  const taken = new Set<string>();
  /** When the running batches began, the newest last: the others are slow. */
  const begun: number[] = [];
  /** How long a batch takes, however many its calls. */
  let usualMs = 1;
  /** The next batch waits for so many calls, or for the timer. */
  let awaited = 0;
  let lingering: NodeJS.Timeout | undefined;

  /** How long the batch has run that the next one waits for; undefined where it need not wait. */
  function runningMs(): number | undefined {
    const newest = begun.at(-1);
    const ms = newest === undefined ? undefined : performance.now() - newest;
    return begun.length <= MOST_SLOW && ms !== undefined && ms >= SLOW_MS ? undefined : ms;
  }

  /** Who goes next does not count what runs, unless too much of it is slow: a till that waits is better off than one that asks again. */
  function expectedMs(): number {
    const ms = runningMs() ?? 0;
    const before = Math.floor(waiting.length / MOST);
    return before === 0 && ms < SLOW_MS ? 0 : ms + before * usualMs;
  }

  function linger(calls: number): void {
    awaited = calls;
    clearTimeout(lingering);
    lingering = setTimeout(() => {
      awaited = 0;
      go();
    }, LINGER_MS);
  }

  function go(): void {
    if (waiting.length < awaited) return;
    awaited = 0;
    const batch = runningMs() === undefined ? choose() : [];
    if (batch.length > 0) nowhere(() => void run(batch));
  }

  /** The first that do not want the same. */
  function choose(): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    for (const one of waiting) {
      if (batch.length === MOST || one.keys.some((key) => taken.has(key))) left.push(one);
      else {
        batch.push(one);
        for (const key of one.keys) taken.add(key);
      }
    }
    waiting = left;
    return batch;
  }

  async function run(batch: readonly Waiting[]): Promise<void> {
    const startedAt = performance.now();
    begun.push(startedAt);
    const late = setTimeout(go, SLOW_MS + 1);
    const outcomes = await runBatch(
      db,
      batch.map(({ work }) => work),
    );
    clearTimeout(late);
    const tookMs = Math.min(performance.now() - startedAt, SLOW_MS);
    usualMs += (tookMs - usualMs) * LAST_SHARE;
    begun.splice(begun.indexOf(startedAt), 1);
    for (const key of batch.flatMap(({ keys }) => keys)) taken.delete(key);
    const again = batch.filter((one, index) => {
      const outcome = outcomes[index] ?? { did: 'leave', retry: 'alone' };
      const isNext = outcome.did === 'leave' && outcome.retry === 'next' && one.wasLate === undefined;
      if (!isNext) one.end(outcome);
      return isNext;
    });
    waiting.unshift(...again.map((one) => ({ ...one, wasLate: true as const })));
    linger(batch.length);
    go();
  }

  return {
    join({ keys, mayBeRefused = false }, work) {
      if (mayBeRefused && expectedMs() > mayWaitMs()) return Promise.reject(busy);
      return new Promise((end) => {
        waiting.push({ keys, work, end });
        go();
      });
    },
  };
}
