import { Logger, type Runner, run, type TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import { raiseAlarm } from '../db/alarms.ts';
import type { Db } from '../db/db.ts';
import { transaction } from '../db/transaction.ts';
import { lookAtOperation, type NoticeDeps } from '../cash/take-notice.ts';
import { expireReferences } from '../layaway/store.ts';
import type { Log } from '../logging.ts';
import { type MailDeps, sendMail } from '../mail/send-mail.ts';
import { refundCardPayment } from '../payments/refund-card-payment.ts';
import { settleAttempt, type SettleDeps } from '../payments/settle-attempt.ts';
import { sweepCardPayments } from '../payments/sweep.ts';
import type { Jobs } from './enqueue.ts';

export interface JobDeps extends SettleDeps, MailDeps, NoticeDeps {
  readonly db: Db;
  readonly log: Log;
}

/** When what nobody asks for is done, in UTC. graphile-worker runs each line once across all servers. */
const CRONTAB = `
* * * * * free_dead_jobs
*/5 * * * * expire_references
10 9 * * * sweep_card_payments
40 9 * * * prune
`;

/**
 * The library lets the jobs of a killed server wait for four hours: too long for a payment that only a job can settle. No job
 * but the sweep takes this long, and each may run twice.
 */
const DEAD_AFTER = '5 minutes';

const EXPIRED_AT_ONCE = 200;
const MOST_ROUNDS = 50;

type Handlers = { [J in keyof Jobs]: (payload: Jobs[J], log: Log) => Promise<void> };

/** What each job does. Also for tests, which run them by name. */
export function jobHandlers(
  deps: JobDeps,
): Handlers &
  Record<
    'expire_references' | 'sweep_card_payments' | 'prune',
    (payload: unknown, log: Log) => Promise<void>
  > {
  return {
    settle_attempt: ({ attemptId }, log) => settleAttempt(deps, attemptId, { by: 'job', log }),
    refund_card: ({ refundId }, log) => refundCardPayment(deps, refundId, log),
    send_mail: ({ outboxId }) => sendMail(deps, outboxId),
    look_at_cash_operation: ({ operationId }, log) => lookAtOperation(deps, operationId, log),
    expire_references: async (_payload, log) => {
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const expired = await transaction(deps.db, (tx) => expireReferences(tx, EXPIRED_AT_ONCE));
        if (expired > 0) log.info({ expired }, 'layaway references expired');
        if (expired < EXPIRED_AT_ONCE) return;
      }
    },
    sweep_card_payments: (_payload, log) => sweepCardPayments(deps, log),
    prune: async () => {
      await sql`delete from sessions where expires_at < app_now() - interval '7 days'`.execute(deps.db);
      await sql`delete from machine_sessions where expires_at < app_now() - interval '7 days'`.execute(
        deps.db,
      );
      await sql`delete from password_resets where expires_at < app_now()`.execute(deps.db);
      await sql`delete from rate_counters where expire < extract(epoch from now()) * 1000`.execute(deps.db);
    },
  };
}

/**
 * Starts the worker on the login role's own connections. Jobs survive a restart; many servers share the queue and each job runs
 * on one of them. Stop it with `stop()`, which lets jobs under way finish.
 */
export async function startWorker(
  deps: JobDeps,
  options: { databaseUrl: string; concurrency: number },
): Promise<Runner> {
  const tasks: TaskList = Object.fromEntries(
    Object.entries(jobHandlers(deps)).map(([name, handle]) => [
      name,
      async (payload, helpers) => {
        const log = deps.log.child({ job: name, jobId: helpers.job.id });
        await (handle as (payload: unknown, log: Log) => Promise<void>)(payload, log);
      },
    ]),
  );
  tasks['free_dead_jobs'] = async (_payload, helpers) => {
    await helpers.query(
      `update graphile_worker._private_jobs set locked_at = null, locked_by = null where id in (
         select id from graphile_worker.jobs
         where locked_at < now() - $1::interval and task_identifier <> 'sweep_card_payments')`,
      [DEAD_AFTER],
    );
  };
  const logger = new Logger(() => (level, message, meta) => {
    // Only trouble: one line per job run is ours already. Payloads hold ids alone, and are still not printed.
    if (level === 'error' || level === 'warning')
      deps.log.warn(
        { job: (meta as { task?: { task_identifier?: string } } | undefined)?.task?.task_identifier },
        message.slice(0, 300),
      );
  });
  const runner = await run({
    // Batches are waited for when we stop; without them the end of a job that just ran is lost, and it stays locked.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    connectionString: options.databaseUrl,
    concurrency: options.concurrency,
    noHandleSignals: true,
    maxPoolSize: options.concurrency + 2,
    pollInterval: 2_000,
    taskList: tasks,
    crontab: CRONTAB,
    logger,
  });
  // A job that used up its tries is money that nobody looks at any more: that must ring.
  runner.events.on('job:failed', ({ job }) => {
    raiseAlarm(deps.db, 'job_gave_up', `${job.task_identifier} ${job.key ?? job.id}`, {
      attempts: job.attempts,
    }).catch((err: unknown) =>
      deps.log.error({ err, jobId: job.id }, 'a job gave up, and its alarm was lost'),
    );
  });
  return runner;
}
