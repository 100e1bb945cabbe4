import { AsyncLocalStorage } from 'node:async_hooks';

/** What goes first when calls wait for their turn: what acts, such as a payment, before what only reads. */
export type Rank = 'act' | 'read';

/** How long a call waits for its turn before it is told to ask again, in ms. */
export const PATIENCE_MS = 200;
/** Who expects to wait for so much of it is told at once. */
const EXPECTED_PART = 1 / 3;
/** Where somebody has waited for so long, with no pause that is calm, it is no burst: who comes then does not wait for as long. */
const BURST_MS = 100;
const CALM_MS = 1_000;
/** A burst of so many payments at most is a shop's, be the server cold: its tills wait longer, which is better than to ask again. */
const BURST_CALLS = 64;
const BURST_PATIENCE = 5;
const STANDING_PART = 3 / 8;
/** How much of the last holding of a place counts for what is usual. */
const LAST_SHARE = 0.1;
/** Of the places, for what only reads: a list that takes long never keeps all money waiting. */
const READERS = 3 / 4;
/** The same while payments are under way that would fill the places: lists beside them keep the processors from them. */
const READERS_BESIDE_MONEY = 1 / 4;

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

/** Whether more is asked than can be done, for longer than a burst lasts; never where there is no call. */
export const isPressed = () => calls.getStore()?.isPressed() ?? false;

/** Does what waits for somebody else, such as a provider, or has a bound of its own: the call leaves its place to others meanwhile. */
export function elsewhere<T>(work: () => Promise<T>): Promise<T> {
  const call = calls.getStore();
  return call === undefined ? work() : call.elsewhere(work);
}

/** Waits for the batch that does what the call is for: the call leaves its place, and counts as under way. */
export function inBatch<T>(work: () => Promise<T>): Promise<T> {
  const call = calls.getStore();
  return call === undefined ? work() : call.inBatch(work);
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
  isPressed(): boolean;
  elsewhere<T>(work: () => Promise<T>): Promise<T>;
  inBatch<T>(work: () => Promise<T>): Promise<T>;
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
  const queues = { begun: [] as (() => void)[], act: [] as (() => void)[], read: [] as (() => void)[] };
  let taken = 0;
  let reading = 0;
  /** Payments that wait for their batch. */
  let batched = 0;
  /** When somebody last waited, and since when with no calm. */
  let waitedAt = Number.NEGATIVE_INFINITY;
  let waitingSince = 0;
  /** How long a place is held. */
  let usualMs = 10;

  const waiting = () => queues.begun.length + queues.act.length + queues.read.length;

  function isPressed(): boolean {
    const now = performance.now();
    return now - waitedAt < CALM_MS && now - waitingSince >= BURST_MS;
  }

  function noteWaiting(): void {
    const now = performance.now();
    if (now - waitedAt >= CALM_MS) waitingSince = now;
    waitedAt = now;
  }

  function mayRead(): boolean {
    const acts = taken - reading + queues.act.length + batched;
    const part = acts < places ? READERS : READERS_BESIDE_MONEY;
    return reading < Math.max(1, Math.floor(places * part));
  }

  const isFree = (rank: Rank, isNew: boolean) => taken < places && (rank === 'act' || !isNew || mayRead());

  function take(rank: Rank): void {
    taken += 1;
    if (rank === 'read') reading += 1;
  }

  function leave(rank: Rank): void {
    taken -= 1;
    if (rank === 'read') reading -= 1;
    while (taken < places) {
      const next =
        queues.begun.shift() ?? queues.act.shift() ?? (mayRead() ? queues.read.shift() : undefined);
      if (next === undefined) return;
      next();
    }
  }

  /** Of those who go before it. */
  function expectedMs(rank: Rank): number {
    const before = rank === 'act' ? waiting() - queues.read.length : waiting();
    return ((before + 1) * usualMs) / places;
  }

  /** Resolves once the call has a place; one that has not begun may be refused. */
  async function enter(rank: Rank, isNew: boolean): Promise<void> {
    if (isFree(rank, isNew)) return take(rank);
    noteWaiting();
    const isBurst = !isPressed();
    const isSmall = isBurst && rank === 'act' && queues.act.length < BURST_CALLS;
    const mostMs = patienceMs * (isSmall ? BURST_PATIENCE : isBurst ? 1 : STANDING_PART);
    if (isNew && !isSmall && expectedMs(rank) > mostMs * EXPECTED_PART) throw busy;
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
      isPressed,
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
      inBatch(work) {
        return call.elsewhere(async () => {
          batched += 1;
          try {
            return await work();
          } finally {
            batched -= 1;
          }
        });
      },
    };
    return call;
  }

  return { waiting, admit };
}
