import { AsyncLocalStorage } from 'node:async_hooks';
import { busy, inBatch, isPressed, noteWritten, mayWaitMs } from './admission.ts';
import { type Outcome, runBatch, type Work } from './batch.ts';
import type { Db, Tx } from './db.ts';
import { isUncertain } from './outage.ts';
import { transaction } from './transaction.ts';

/** Calls of one batch: more share no cost worth the wait. */
const MOST = 64;
/** Batches that run: while the database works for one, this program works for the other. */
const AT_ONCE = 2;
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
  /** What it will lock with others of its batch, by name: of the batches that run, one alone has it. */
  readonly shares?: readonly string[];
  /** It is refused with BUSY where it would wait for too long, and has changed nothing. */
  readonly mayBeRefused?: true;
}

/**
 * Runs `work` in a transaction, as `transaction` does, together with others that came meanwhile (docs/decisions/0081): while
 * batches run, the next gathers. One that meets a lock of somebody else, or whose batch failed, has a transaction of its
 * own, and is repeated there; so `work` may run more than once.
 */
export async function together<T>(db: Db, joining: Joining, work: (tx: Tx) => Promise<T>): Promise<T> {
  const here = AsyncLocalStorage.snapshot();
  const outcome = await inBatch(async () => {
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
  readonly shares: readonly string[];
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
  /** What the running batches lock, as far as it was known, and which of them does. */
  const taken = new Map<string, readonly Waiting[]>();
  /** When the running batches began, the newest last. */
  const begun: number[] = [];
  /** How many calls they have. */
  let running = 0;
  /** How long a batch takes, however many its calls. */
  let usualMs = 1;
  /** So many who were answered by the last batches are expected again, until the timer. */
  let awaited = 0;
  let answered = 0;
  let lingering: NodeJS.Timeout | undefined;

  /** How long the batch has run that ends next, where the next one has to wait for it: a few that are slow are not waited for. */
  function runningMs(): number | undefined {
    const now = performance.now();
    const slow = begun.filter((at) => now - at >= SLOW_MS).length;
    const [first, ...others] = begun.slice(Math.min(slow, MOST_SLOW));
    return first === undefined || 1 + others.length < AT_ONCE ? undefined : now - first;
  }

  /**
   * Who goes next does not count what runs, unless too much of it is slow: a till that waits is better off than one that asks again.
   * After a burst there is one batch of calls at most, so that those it has are quick.
   */
  function expectedMs(): number {
    if (isPressed() && running + waiting.length >= MOST) return SLOW_MS;
    const ms = runningMs() ?? 0;
    const before = Math.floor(waiting.length / MOST);
    return before === 0 && ms < SLOW_MS ? 0 : ms + (before * usualMs) / AT_ONCE;
  }

  function linger(calls: number): void {
    awaited = Math.min(awaited, answered) + calls;
    answered = calls;
    clearTimeout(lingering);
    lingering = setTimeout(() => {
      awaited = 0;
      go();
    }, LINGER_MS);
  }

  /** Each batch has its part of those who ask, so that one takes as long as the other. */
  function go(): void {
    const all = running + awaited + waiting.length;
    const part = Math.min(MOST, isOnePart() ? all : Math.ceil(all / AT_ONCE));
    if (runningMs() !== undefined || (waiting.length < part && awaited > 0)) return;
    const batch = choose(part);
    if (batch.length === 0) return;
    nowhere(() => void run(batch));
    go();
  }

  /** Whether none who waits could run beside another. */
  function isOnePart(): boolean {
    const [first] = waiting;
    return waiting.every(({ shares }) => shares.some((name) => first?.shares.includes(name)));
  }

  /** The first that do not want the same; and who shares with one of them, since they could not run beside it. */
  function choose(part: number): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    for (const one of waiting) {
      const isHeld =
        one.keys.some((name) => taken.has(name)) ||
        one.shares.some((name) => (taken.get(name) ?? batch) !== batch);
      const hasRoom = batch.length < part || one.shares.some((name) => taken.get(name) === batch);
      if (isHeld || !hasRoom || batch.length === MOST) left.push(one);
      else {
        batch.push(one);
        for (const name of [...one.keys, ...one.shares]) taken.set(name, batch);
      }
    }
    waiting = left;
    return batch;
  }

  function release(batch: readonly Waiting[], names: readonly string[]): void {
    for (const name of names) if (taken.get(name) === batch) taken.delete(name);
  }

  async function run(batch: readonly Waiting[]): Promise<void> {
    const startedAt = performance.now();
    begun.push(startedAt);
    running += batch.length;
    const shared = batch.flatMap(({ shares }) => shares);
    const late = setTimeout(() => {
      // Who shares with it is better off waiting by themselves, which has a bound.
      release(batch, shared);
      go();
    }, SLOW_MS + 1);
    const outcomes = await runBatch(
      db,
      batch.map(({ work }) => work),
    );
    clearTimeout(late);
    const tookMs = Math.min(performance.now() - startedAt, SLOW_MS);
    usualMs += (tookMs - usualMs) * LAST_SHARE;
    begun.splice(begun.indexOf(startedAt), 1);
    running -= batch.length;
    release(batch, [...batch.flatMap(({ keys }) => keys), ...shared]);
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
    join({ keys, shares = [], mayBeRefused = false }, work) {
      if (mayBeRefused && expectedMs() > mayWaitMs()) return Promise.reject(busy);
      return new Promise((end) => {
        waiting.push({ keys, shares, work, end });
        awaited = Math.max(0, awaited - 1);
        go();
      });
    },
  };
}
