import { setTimeout as pause } from 'node:timers/promises';
import { Logger, type Runner, run, type TaskList } from 'graphile-worker';
import type pg from 'pg';
import { raiseAlert } from '../alerts.ts';
import type { Db } from '../db/db.ts';
import { openPool } from '../db/pool.ts';
import type { Log } from '../logging.ts';
import { type Instrumentation, NOOP_INSTRUMENTATION } from '../telemetry/instrumentation.ts';

/** What each job does, by its name. */
export type JobHandlers = Readonly<Record<string, (payload: never, log: Log) => Promise<void>>>;

export interface RunOptions {
  /** Of the login role: jobs run on connections of their own. */
  readonly databaseUrl: string;
  /** Jobs at once in this process. */
  readonly concurrency: number;
  /** Takes the alerts of jobs that gave up. */
  readonly db: Db;
  readonly log: Log;
  readonly instrumentation?: Instrumentation | undefined;
  readonly crontab: string;
  /** Jobs that may take longer than {@link DEAD_AFTER}. */
  readonly longJobs: readonly string[];
}

export interface RunningJobs {
  /** Lets jobs under way finish. */
  stop(): Promise<void>;
}

/** graphile-worker would leave the jobs of a killed server alone for four hours: too long for a payment that only a job can resolve. */
const DEAD_AFTER = '5 minutes';
const RESTART_AFTER_MS = 2_000;

/**
 * Runs the jobs of the queue, each on one of the servers that share it and perhaps twice. When the database goes away, here or
 * on a standby, the jobs start again once it is back. Throws when they cannot start at all.
 */
export async function runJobs(handlers: JobHandlers, options: RunOptions): Promise<RunningJobs> {
  const { log } = options;
  const pool = openPool({
    url: options.databaseUrl,
    max: options.concurrency + 2,
    onError: (err) => log.error({ err }, 'connection of the jobs failed'),
  });
  let stopping = false;
  let runner: Runner | undefined;
  let restarting: Promise<void> | undefined;

  async function start(): Promise<Runner> {
    const started = await startRunner(pool, handlers, options);
    started.promise.then(restart, restart);
    return started;
  }

  function restart(reason?: unknown): void {
    if (stopping) return;
    log.error({ err: reason }, 'the jobs stopped; they begin again');
    restarting = (async () => {
      for (runner = undefined; runner === undefined && !stopping;) {
        await pause(RESTART_AFTER_MS);
        runner = await start().catch(() => undefined);
      }
    })();
  }

  try {
    runner = await start();
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    async stop() {
      if (stopping) return;
      stopping = true;
      await restarting;
      await runner?.stop().catch(() => {});
      await pool.end();
    },
  };
}

async function startRunner(
  pool: pg.Pool,
  handlers: JobHandlers,
  { db, log, concurrency, crontab, longJobs, instrumentation = NOOP_INSTRUMENTATION }: RunOptions,
): Promise<Runner> {
  const runner = await run({
    // A batch's end is awaited when we stop; without it the end of a job that just ran is lost, and it stays locked.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    pgPool: pool,
    concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    taskList: {
      ...tasksOf(handlers, log, instrumentation),
      free_dead_jobs: async (_payload, helpers) => {
        await helpers.query(
          `update graphile_worker._private_jobs set locked_at = null, locked_by = null where id in (
             select id from graphile_worker.jobs
             where locked_at < now() - $1::interval and task_identifier <> all ($2))`,
          [DEAD_AFTER, longJobs],
        );
      },
    },
    crontab: `* * * * * free_dead_jobs\n${crontab}`,
    logger: loggerOf(log),
  });
  // Nobody sees to the money of a job that used up its tries.
  runner.events.on('job:failed', ({ job }) => {
    raiseAlert(db, 'job_gave_up', `${job.task_identifier} ${job.key ?? job.id}`, {
      attempts: job.attempts,
    }).catch((err: unknown) => log.error({ err, jobId: job.id }, 'a job gave up, and its alert was lost'));
  });
  return runner;
}

function tasksOf(handlers: JobHandlers, log: Log, instrumentation: Instrumentation): TaskList {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      (payload, helpers) =>
        instrumentation.during({ kind: 'job', name }, () =>
          handle(payload as never, log.child({ job: name, jobId: helpers.job.id })),
        ),
    ]),
  );
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
