import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Logger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import { openPool } from '../db/pool.ts';
import type { Log } from '../logging.ts';

const AGAIN_AFTER_MS = 2_000;
/** Idle workers poll every two seconds, and a statement has its answer or its error after 15: silence beyond is no outage. */
const STANDSTILL_MS = 30_000;

/**
 * What makes a job of the dead anybody's. Its id is a new one: whoever does it all the same, late, would delete at its end what
 * was queued anew under its key.
 */
export const FREED = 'id = default, locked_at = null, locked_by = null';

export interface LaneOptions {
  readonly name: string;
  readonly databaseUrl: string;
  /** Jobs at once. */
  readonly atOnce: number;
  readonly tasks: TaskList;
  readonly crontab?: string | undefined;
  readonly log: Log;
  /** How often idle workers poll for what is due. */
  readonly pollEveryMs: number;
  /** A job used up its tries. */
  readonly onGaveUp: (job: Job) => void;
  /** How long workers may hear nothing before others take their place; and a statement, before it is given up (`openPool`). */
  readonly standstillMs?: number | undefined;
  readonly silenceMs?: number | undefined;
}

export interface Lane {
  /** How long its workers have heard nothing from the queue, in ms; 0 while all of them are at work. */
  silentMs(): number;
  /** Lets jobs under way finish. */
  stop(): Promise<void>;
}

/** One life of a lane's workers, under the name by which they lock their jobs. */
interface Shift {
  readonly pool: pg.Pool;
  readonly startedAt: number;
  runner: Runner | undefined;
  lockedBy: string | undefined;
  /** Jobs under way, and when that last changed. */
  active: number;
  changedAt: number;
  failure: unknown;
  isOver: boolean;
}

/**
 * Runs some kinds of jobs with workers of its own. graphile-worker ends itself when it cannot write a job's end, and where
 * two ends fail one after the other it waits for ever to have ended: it is not asked whether it lives. Its workers are replaced
 * as soon as they say that something failed, and when they say nothing any more. Throws when they cannot start at all.
 */
export async function openLane(options: LaneOptions): Promise<Lane> {
  const { name, atOnce, log, standstillMs = STANDSTILL_MS } = options;
  const stopping = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});
  const ending = new Set<Promise<void>>();
  let answeredAt = performance.now();
  let replacing: Promise<void> | undefined;
  let current: Shift | undefined;
  await begin();

  async function begin(): Promise<void> {
    const shift: Shift = {
      pool: openPool({
        url: options.databaseUrl,
        max: atOnce + 1,
        ...(options.silenceMs !== undefined && { silenceMs: options.silenceMs }),
        onError: (err) => log.error({ err, lane: name }, 'connection of the jobs failed'),
      }),
      startedAt: performance.now(),
      runner: undefined,
      lockedBy: undefined,
      active: 0,
      changedAt: performance.now(),
      failure: undefined,
      isOver: false,
    };
    try {
      shift.runner = await run({
        // A batch's end is awaited when we stop; without it the end of a job that just ran is lost, and it stays locked.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
        pgPool: takingBackTwice(shift.pool),
        concurrency: atOnce,
        noHandleSignals: true,
        pollInterval: options.pollEveryMs,
        taskList: options.tasks,
        ...(options.crontab === undefined ? { parsedCronItems: [] } : { crontab: options.crontab }),
        events: eventsOf(shift),
        logger: loggerOf(log),
      });
    } catch (error) {
      void shift.pool.end();
      throw error;
    }
    current = shift;
    const over = (reason?: unknown) => {
      shift.isOver = true;
      replace(shift, reason ?? new Error('they ended'));
    };
    shift.runner.promise.then(over, over);
    if (shift.failure !== undefined) replace(shift, shift.failure);
  }

  function eventsOf(shift: Shift): WorkerEvents {
    const events: WorkerEvents = new EventEmitter();
    const heard = () => {
      if (current === undefined || shift === current) answeredAt = performance.now();
    };
    const changed = (by: 1 | -1) => () => {
      shift.active += by;
      shift.changedAt = performance.now();
      heard();
    };
    events.on('pool:create', ({ workerPool }) => (shift.lockedBy = workerPool.id));
    events.on('worker:getJob:empty', heard);
    events.on('job:start', changed(1));
    events.on('job:complete', changed(-1));
    events.on('job:failed', ({ job }) => options.onGaveUp(job));
    // The question may have taken a job all the same, which nobody would do.
    events.on('worker:getJob:error', ({ error }) => replace(shift, error));
    events.on('pool:gracefulShutdown', ({ message }) => replace(shift, new Error(message)));
    return events;
  }

  function silentMs(): number {
    return current !== undefined && current.active >= atOnce ? 0 : performance.now() - answeredAt;
  }

  const watch = setInterval(() => {
    if (current === undefined || current.active >= atOnce) return;
    const since = performance.now() - Math.max(answeredAt, current.startedAt);
    if (since > standstillMs)
      replace(current, new Error(`no answer of the queue for ${Math.round(since)} ms`));
  }, standstillMs / 10);

  function replace(shift: Shift, reason: unknown): void {
    shift.failure ??= reason;
    if (shift !== current || stopping.signal.aborted) return;
    current = undefined;
    shift.changedAt = performance.now();
    log.error({ err: reason, lane: name }, 'the workers of a lane are replaced');
    const gone = giveBack(shift).finally(() => ending.delete(gone));
    ending.add(gone);
    replacing = (async () => {
      while (current === undefined && !stopping.signal.aborted) {
        await pause(AGAIN_AFTER_MS);
        if (!stopping.signal.aborted) await begin().catch(() => {});
      }
    })();
  }

  /** Waits until a shift has nothing under way, then lets others have what is locked in its name: the ends that it could not write. */
  async function giveBack(shift: Shift): Promise<void> {
    await atRest(shift);
    for (let isDone = false; !isDone && !stopping.signal.aborted;) {
      await pause(AGAIN_AFTER_MS);
      isDone =
        (await current?.pool
          .query(`update graphile_worker._private_jobs set ${FREED} where locked_by = $1`, [shift.lockedBy])
          .then(
            () => true,
            () => false,
          )) === true;
    }
    void shift.pool.end();
  }

  async function atRest(shift: Shift): Promise<void> {
    shift.runner?.stop().then(
      () => (shift.isOver = true),
      () => {}, // stopped already
    );
    const isBusy = () => shift.active > 0 || performance.now() - shift.changedAt < standstillMs;
    while (!shift.isOver && isBusy()) await sleep(50);
  }

  return {
    silentMs,
    async stop() {
      if (stopping.signal.aborted) return;
      stopping.abort();
      clearInterval(watch);
      await replacing;
      await Promise.all([...ending, current && atRest(current)]);
      await current?.pool.end();
    },
  };
}

/**
 * A pool that may be given a connection back twice. graphile-worker does so with the one that it listens on, when it stops while
 * that is being lost; what the pool throws then, nobody catches, and the server ends.
 */
export function takingBackTwice(pool: pg.Pool): pg.Pool {
  const connect = pool.connect.bind(pool);
  const connectOnce = (done?: Parameters<typeof connect>[0]) => {
    if (done === undefined) return connect();
    return connect((error, client, release) => {
      // Of a pool that has ended there is none to give back.
      let isBack = client === undefined;
      done(error, client, (reason) => {
        if (!isBack) release(reason);
        isBack = true;
      });
    });
  };
  return Object.assign(pool, { connect: connectOnce });
}

/** Only trouble: each job has a line of its own. Payloads hold ids alone, and are still not printed. */
function loggerOf(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (level === 'error' || level === 'warning')
      log.warn(
        { job: (meta as { task?: { task_identifier?: string } } | undefined)?.task?.task_identifier },
        message.slice(0, 300),
      );
  });
}
