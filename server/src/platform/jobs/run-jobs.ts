import { type Job, parseCrontab, type TaskList } from 'graphile-worker';
import { raiseAlert } from '../alerts.ts';
import type { Db } from '../db/db.ts';
import type { Log } from '../logging.ts';
import { type Instrumentation, NOOP_INSTRUMENTATION } from '../telemetry/instrumentation.ts';
import { FREED, type Lane, openLane } from './lane.ts';
import { withinMs } from './within.ts';

/** What each job does, by its name. */
export type JobHandlers = Readonly<Record<string, (payload: never, log: Log) => Promise<void>>>;

/** Jobs that share workers, and so may keep each other waiting. */
export interface LaneOfJobs {
  readonly jobs: readonly string[];
  /** How many of them at once in this process. */
  readonly atOnce: number;
}

export interface RunOptions {
  /** Of the login role: jobs run on connections of their own. */
  readonly databaseUrl: string;
  /** Every job is in one; the one named {@link CLOCK_LANE} keeps the crontab. */
  readonly lanes: Readonly<Record<string, LaneOfJobs>>;
  /** Takes the alerts of jobs that gave up. */
  readonly db: Db;
  readonly log: Log;
  readonly instrumentation?: Instrumentation | undefined;
  readonly crontab: string;
  /** Jobs that may take longer than {@link DEAD_AFTER_MS}. */
  readonly longJobs: readonly string[];
  /** How often idle workers poll for what is due. */
  readonly pollEveryMs: number;
  /** Shorter patience, for tests (`lane.ts`). */
  readonly silenceMs?: number;
  readonly standstillMs?: number;
}

export interface RunningJobs {
  /** How long the workers of each lane have heard nothing from the queue, in ms; 0 while all of them are at work. */
  silentMs(): Readonly<Record<string, number>>;
  /** Lets jobs under way finish. */
  stop(): Promise<void>;
}

/** The lane of what the clock asks for. */
export const CLOCK_LANE = 'clock';

/** graphile-worker would leave the jobs of a killed server alone for four hours: too long for a payment that only a job can resolve. */
const DEAD_AFTER_MS = 5 * 60_000;
const LONGEST_MS = 2 * 60 * 60_000;

/**
 * Runs the jobs of the queue, each on one of the servers that share it and perhaps twice. When the database goes away, here or
 * on a standby, the jobs start again once it is back. Throws when they cannot start at all.
 */
export async function runJobs(handlers: JobHandlers, options: RunOptions): Promise<RunningJobs> {
  const tasks = tasksOf(handlers, options);
  const placed = Object.values(options.lanes).flatMap(({ jobs }) => jobs);
  const lost = Object.keys(handlers).filter((job) => !placed.includes(job));
  if (lost.length > 0) throw new Error(`jobs in no lane: ${lost.join(', ')}`);
  const lanes = new Map<string, Lane>();
  const stop = async () => {
    await Promise.all([...lanes.values()].map((lane) => lane.stop()));
  };
  try {
    for (const [name, { jobs, atOnce }] of Object.entries(options.lanes)) {
      const isClock = name === CLOCK_LANE;
      const own = isClock ? [...jobs, 'free_dead_jobs'] : jobs;
      const lane = await openLane({
        name,
        databaseUrl: options.databaseUrl,
        atOnce,
        tasks: Object.fromEntries(own.map((job) => [job, tasks[job]])),
        crontab: isClock ? `* * * * * free_dead_jobs\n${options.crontab}` : undefined,
        log: options.log,
        pollEveryMs: options.pollEveryMs,
        onGaveUp: (job) => tellGivenUp(job, options),
        silenceMs: options.silenceMs,
        standstillMs: options.standstillMs,
      });
      lanes.set(name, lane);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    silentMs: () => Object.fromEntries([...lanes].map(([name, lane]) => [name, lane.silentMs()])),
    stop,
  };
}

/** Nobody sees to the money of a job that used up its tries. */
function tellGivenUp(job: Job, { db, log }: RunOptions): void {
  raiseAlert(db, 'job_gave_up', `${job.task_identifier} ${job.key ?? job.id}`, {
    attempts: job.attempts,
  }).catch((err: unknown) => log.error({ err, jobId: job.id }, 'a job gave up, and its alert was lost'));
}

function tasksOf(
  handlers: JobHandlers,
  { lanes, log, longJobs, crontab, instrumentation = NOOP_INSTRUMENTATION }: RunOptions,
): TaskList {
  const tasks: TaskList = Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      (payload, helpers) =>
        withinMs(longJobs.includes(name) ? LONGEST_MS : DEAD_AFTER_MS, () =>
          instrumentation.during({ kind: 'job', name }, () =>
            handle(payload as never, log.child({ job: name, jobId: helpers.job.id })),
          ),
        ),
    ]),
  );
  const keyed = parseCrontab(crontab)
    .filter(({ options }) => options.jobKey !== undefined)
    .map(({ task }) => task);
  // Those of the clock have no key from their birth, and lie there until somebody looks at them.
  const keyless = lanes[CLOCK_LANE]?.jobs.filter((job) => !keyed.includes(job)) ?? [];
  tasks['free_dead_jobs'] = async (_payload, helpers) => {
    await helpers.query(
      `update graphile_worker._private_jobs set ${FREED} where id in (
         select id from graphile_worker.jobs
         where locked_at < now() - $1 * interval '1 ms' and task_identifier <> all ($2))`,
      [DEAD_AFTER_MS, longJobs],
    );
    // What was queued anew while it ran, or after it gave up, loses its key and its tries to the new one; when it did not end
    // well it would lie there as a job that gave up.
    await helpers.query(
      `delete from graphile_worker._private_jobs where id in (
         select id from graphile_worker.jobs
         where key is null and attempts >= max_attempts and locked_at is null and task_identifier <> all ($1))`,
      [keyless],
    );
  };
  return tasks;
}
