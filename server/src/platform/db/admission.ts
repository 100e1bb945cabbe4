import { AsyncLocalStorage } from 'node:async_hooks';

/** What goes first when calls wait for their turn: what acts, such as a payment, before what only reads. */
export type Rank = 'act' | 'read';

/** How long a call waits for its turn before it is told to ask again, in ms. */
export const PATIENCE_MS = 200;
/** Who expects to wait for so much of it is told at once. */
const EXPECTED_PART = 1 / 3;
/** A server where somebody waited for so long without a pause is not in a burst, and who comes then does not wait for as long. */
const BURST_MS = 100;
/** A burst of so many payments at most is a shop's, be the server cold: its tills wait longer, which is better than to ask again. */
const BURST_CALLS = 64;
const BURST_PATIENCE = 5;
const STANDING_PART = 3 / 8;
/** How much of the last holding of a place counts for what is usual. */
const LAST_SHARE = 0.1;
/** Of the places, for what only reads: a list that takes long never keeps all money waiting. */
const READERS = 3 / 4;

/**
 * Too many were first; nothing was done, and the same call may be repeated. One for all: a trace of each cost as much as refusing it.
 */
export const busy = new Error('too many were first');

/** One call of the outside, on its way through the server. */
export interface Admission {
  /** It wrote something that is committed, or may be. */
  mayBeDone: boolean;
  /** Does a part of it in one of the server's places. The first part is refused with BUSY where too many wait. */
  inPlace<T>(work: () => Promise<T>): Promise<T>;
}

const calls = new AsyncLocalStorage<Call>();

/** Tells the call, if there is one, that from here on it may have changed something. */
export function noteWritten(): void {
  const call = calls.getStore();
  if (call !== undefined) call.mayBeDone = true;
}

/** How long the call may wait before it is told to ask again: for ever where it has changed something, or there is no call. */
export function mayWaitMs(): number {
  const call = calls.getStore();
  return call === undefined || call.mayBeDone ? Number.POSITIVE_INFINITY : call.patienceMs;
}

/** Does what waits for somebody else, such as a provider, or has a bound of its own: the call leaves its place to others meanwhile. */
export function elsewhere<T>(work: () => Promise<T>): Promise<T> {
  const call = calls.getStore();
  return call === undefined ? work() : call.elsewhere(work);
}

/** What is begun in it belongs to no call. */
const nowhere = AsyncLocalStorage.snapshot();

/**
 * Waits for what the first of several calls begins for all of them, such as a sign-in: none keeps its place meanwhile, and what is
 * begun needs none, or those who wait would hold the places that it needs to end.
 */
export function forAll<T>(beginOrJoin: () => Promise<T>): Promise<T> {
  return elsewhere(() => nowhere(beginOrJoin));
}

interface Call extends Admission {
  readonly patienceMs: number;
  elsewhere<T>(work: () => Promise<T>): Promise<T>;
}

export interface Admissions {
  /** A call that has just come. */
  admit(rank: Rank): Admission;
  /** How many wait for a place. */
  waiting(): number;
}

/**
 * Lets so many calls be worked on at once: what is worked on is quick however much is asked, and the rest know soon. Calls that
 * wait for somebody else do not count, those that have begun go first and are not refused. Work outside any call, such as a
 * job's or a probe's, needs no place.
 */
export function admissions(places: number, patienceMs = PATIENCE_MS): Admissions {
  const readers = Math.max(1, Math.floor(places * READERS));
  const queues = { begun: [] as (() => void)[], act: [] as (() => void)[], read: [] as (() => void)[] };
  let taken = 0;
  let reading = 0;
  let freeAt = 0;
  /** How long a place is held. */
  let usualMs = 10;

  const waiting = () => queues.begun.length + queues.act.length + queues.read.length;

  function isFree(rank: Rank, isNew: boolean): boolean {
    if (taken >= places) return false;
    if (waiting() === 0) freeAt = performance.now();
    return rank === 'act' || !isNew || reading < readers;
  }

  function take(rank: Rank): void {
    taken += 1;
    if (rank === 'read') reading += 1;
  }

  function leave(rank: Rank): void {
    taken -= 1;
    if (rank === 'read') reading -= 1;
    const next =
      queues.begun.shift() ?? queues.act.shift() ?? (reading < readers ? queues.read.shift() : undefined);
    next?.();
  }

  const expectedMs = () => ((waiting() + 1) * usualMs) / places;

  /** Resolves once the call has a place; one that has not begun may be refused. */
  async function enter(rank: Rank, isNew: boolean): Promise<void> {
    if (isFree(rank, isNew)) return take(rank);
    const isBurst = performance.now() - freeAt < BURST_MS;
    const isSmall = isBurst && rank === 'act' && queues.act.length < BURST_CALLS;
    const mostMs = patienceMs * (isSmall ? BURST_PATIENCE : isBurst ? 1 : STANDING_PART);
    if (isNew && !isSmall && expectedMs() > mostMs * EXPECTED_PART) throw busy;
    const queue = queues[isNew ? rank : 'begun'];
    await new Promise<void>((resolve, reject) => {
      const enterNow = () => {
        clearTimeout(timer);
        take(rank);
        resolve();
      };
      queue.push(enterNow);
      const giveUp = () => {
        queue.splice(queue.indexOf(enterNow), 1);
        reject(busy);
      };
      const timer = isNew ? setTimeout(giveUp, mostMs) : undefined;
    });
  }

  function admit(rank: Rank): Admission {
    let isNew = true;
    let isUnderWay = false;
    let hasPlace = false;
    let since = 0;
    /** Parts that wait for somebody else. */
    let away = 0;
    let returning: Promise<void> | undefined;

    function giveBack(): void {
      if (!hasPlace) return;
      hasPlace = false;
      usualMs += (performance.now() - since - usualMs) * LAST_SHARE;
      leave(rank);
    }

    async function takePlace(): Promise<void> {
      await enter(rank, isNew);
      isNew = false;
      hasPlace = true;
      since = performance.now();
      if (away > 0 || !isUnderWay) giveBack();
    }

    const call: Call = {
      mayBeDone: false,
      patienceMs,
      async inPlace(work) {
        isUnderWay = true;
        await takePlace();
        try {
          return await calls.run(call, work);
        } finally {
          isUnderWay = false;
          giveBack();
        }
      },
      async elsewhere(work) {
        away += 1;
        giveBack();
        try {
          return await work();
        } finally {
          away -= 1;
          if (away === 0 && isUnderWay)
            await (returning ??= takePlace().finally(() => (returning = undefined)));
        }
      },
    };
    return call;
  }

  return { waiting, admit };
}
