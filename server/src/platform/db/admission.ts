import { AsyncLocalStorage } from 'node:async_hooks';

import PQueue from 'p-queue';

import { WaitedTooLong } from './outage.ts';

/** What goes first when calls wait for a connection: what acts, such as a payment, before what only reads. */
export type Rank = 'act' | 'read';

/** One call of the outside, as far as the database knows it. */
export interface Admission {
  readonly rank: Rank;
  /** It had a connection: from then on it is finished rather than refused. */
  isBegun: boolean;
  /** It wrote something that is committed, or may be. */
  mayBeDone: boolean;
}

const calls = new AsyncLocalStorage<Admission>();

export const newAdmission = (rank: Rank): Admission => ({ rank, isBegun: false, mayBeDone: false });

/** Does a part of a call's work. Work outside any call, such as a job's or a probe's, is never shed. */
export function asCall<T>(admission: Admission, work: () => T): T {
  return calls.run(admission, work);
}

/** Tells the call, if there is one, that from here on it may have changed something. */
export function noteWritten(): void {
  const call = calls.getStore();
  if (call !== undefined) call.mayBeDone = true;
}

/** How long a call waits for its first connection. */
export const CONNECTION_PATIENCE_MS = 75;
/** The part of it while a queue is standing: those who are served have waited little, and the rest know at once. */
const STANDING_PART = 1 / 8;
/** A queue that was not empty for so long is no burst. */
const STANDING_MS = 100;
/** How long work waits that has begun. */
const BEGUN_PATIENCE_MS = 5_000;

const PRIORITY = { begun: 2, act: 1, read: 0 } as const;

/** How much of the last holding counts for what is usual, and for what is now. */
const USUAL_SHARE = 0.02;
const RECENT_SHARE = 0.1;
/** Holding for so much longer than usual means that the database itself has too much at once. */
const TOO_LONG = 2;

export interface ConnectionQueue {
  /** How much work waits. */
  waiting(): number;
  /** Waits for one of the places and resolves with what gives it back. Throws WaitedTooLong. */
  enter(): Promise<() => void>;
}

/**
 * The queue before the pool. It is bounded by age, by the rule of CoDel: while it has not been empty for 100 ms, nobody new
 * waits for longer than an eighth of the patience. And a database that is slow because it has too much at once is given less at
 * once: it does as much, and each is as quick as ever.
 */
export function connectionQueue(places: number, patienceMs = CONNECTION_PATIENCE_MS): ConnectionQueue {
  const queue = new PQueue({ concurrency: places });
  const fewest = Math.max(2, Math.ceil(places / 4));
  let emptyAt = 0;
  let usualMs = 0;
  let recentMs = 0;

  const isStanding = () => performance.now() - emptyAt > STANDING_MS;

  function longestMs(isBegun: boolean): number {
    if (isBegun) return BEGUN_PATIENCE_MS;
    return isStanding() ? patienceMs * STANDING_PART : patienceMs;
  }

  /** Fewer places while a queue stands and each is held for too long; one more with each that is not. */
  function learn(heldMs: number): void {
    recentMs += (heldMs - recentMs) * RECENT_SHARE;
    if (queue.size === 0) {
      usualMs += (heldMs - usualMs) * (usualMs === 0 ? 1 : USUAL_SHARE);
      queue.concurrency = places;
    } else if (isStanding()) {
      const change = recentMs > TOO_LONG * usualMs ? -1 : 1;
      queue.concurrency = Math.min(places, Math.max(fewest, queue.concurrency + change));
    }
  }

  return {
    waiting: () => queue.size,
    enter() {
      const call = calls.getStore();
      const isBegun = call === undefined || call.isBegun;
      if (queue.size === 0) emptyAt = performance.now();
      const tooLong = new AbortController();
      const timer = setTimeout(() => tooLong.abort(new WaitedTooLong()), longestMs(isBegun));
      return new Promise((resolve, reject) => {
        const hold = () =>
          new Promise<void>((leave) => {
            clearTimeout(timer);
            const enteredAt = performance.now();
            if (call !== undefined) call.isBegun = true;
            resolve(() => {
              if (call !== undefined) learn(performance.now() - enteredAt);
              leave();
            });
          });
        const priority = PRIORITY[isBegun ? 'begun' : call.rank];
        queue.add(hold, { priority, signal: tooLong.signal }).catch(reject);
      });
    },
  };
}
