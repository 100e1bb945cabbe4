import { setTimeout as pause } from 'node:timers/promises';
import { Logger, type Runner, run, type TaskList } from 'graphile-worker';
import { raiseAlert } from './platform/alerts.ts';
import type { Db } from './platform/db/db.ts';
import { openPool } from './platform/db/pool.ts';
import { transaction } from './platform/db/transaction.ts';
import { checkCashOperation, type NoticeDeps } from './payments/cash/take-notice.ts';
import { proveAndRemember, type ProveDeps } from './ledger/books/prove-and-remember.ts';
import { issueInvoice } from './invoicing/invoices/issue-invoice.ts';
import type { IssueDeps } from './invoicing/invoices/round.ts';
import { expireReferences } from './purchases/layaways/store.ts';
import type { Log } from './platform/logging.ts';
import { type EmailDeps, deliverEmail } from './platform/email/deliver-email.ts';
import { recheckCaptured } from './payments/cards/recheck-captured.ts';
import { refundCardPayment } from './payments/refunds/refund-card-payment.ts';
import { resolveAttempt, type ResolveDeps } from './payments/cards/resolve-attempt.ts';
import { sweepCardPayments } from './payments/cards/sweep.ts';
import { NOOP_INSTRUMENTATION } from './platform/telemetry/instrumentation.ts';
import type { Jobs } from './platform/jobs/enqueue.ts';
import { prune } from './back-office/retention/prune.ts';

export interface JobDeps extends ResolveDeps, EmailDeps, NoticeDeps, ProveDeps, IssueDeps {
  readonly db: Db;
  readonly log: Log;
}

/** When what nobody asks for is done, in UTC. graphile-worker runs each line once across all servers. */
const CRONTAB = `
* * * * * free_dead_jobs
*/5 * * * * expire_references
10 9 * * * sweep_card_payments
25 * * * * recheck_captured
40 9 * * * prune
10 10 * * * prove_books
`;

/**
 * The library lets the jobs of a killed server wait for four hours: too long for a payment that only a job can resolve. No job
 * but the sweep and the proofs takes this long, and each may run twice.
 */
const DEAD_AFTER = '5 minutes';
const LONG_JOBS = ['sweep_card_payments', 'prove_books'];

const EXPIRED_AT_ONCE = 200;
const MOST_ROUNDS = 50;

type Handlers = { [J in keyof Jobs]: (payload: Jobs[J], log: Log) => Promise<void> };

/** What each job does. Also for tests, which run them by name. */
export function jobHandlers(
  deps: JobDeps,
): Handlers &
  Record<
    'expire_references' | 'sweep_card_payments' | 'recheck_captured' | 'prune' | 'prove_books',
    (payload: unknown, log: Log) => Promise<void>
  > {
  return {
    resolve_attempt: ({ attemptId, notice }, log) =>
      resolveAttempt(
        deps,
        attemptId,
        notice === undefined ? { by: 'job', log } : { by: 'webhook', hasWaited: true, ...notice, log },
      ),
    refund_card: ({ refundId }, log) => refundCardPayment(deps, refundId, log),
    deliver_email: ({ outboxId }) => deliverEmail(deps, outboxId),
    check_cash_operation: ({ operationId }, log) => checkCashOperation(deps, operationId, log),
    issue_invoice: ({ invoiceId }, log) => issueInvoice(deps, invoiceId, log),
    expire_references: async (_payload, log) => {
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const expired = await transaction(deps.db, (tx) => expireReferences(tx, EXPIRED_AT_ONCE));
        if (expired > 0) log.info({ expired }, 'layaway references expired');
        if (expired < EXPIRED_AT_ONCE) return;
      }
    },
    sweep_card_payments: (_payload, log) => sweepCardPayments(deps, log),
    recheck_captured: (_payload, log) => recheckCaptured(deps, log),
    prune: (_payload, log) => prune(deps.db, log),
    prove_books: async (_payload, log) => {
      await proveAndRemember(deps, log);
    },
  };
}

/** After the queue gave up, e.g. because the database was away for long. */
const BEGIN_AGAIN_MS = 2_000;

export interface Worker {
  /** Lets jobs under way finish. */
  stop(): Promise<void>;
}

/**
 * Starts the worker on the login role's own connections. Jobs survive a restart; many servers share the queue and each job runs
 * on one of them. A database that goes away and comes back, here or on a standby, only makes it wait.
 */
export async function startWorker(
  deps: JobDeps,
  options: { databaseUrl: string; concurrency: number },
): Promise<Worker> {
  const tasks: TaskList = Object.fromEntries(
    Object.entries(jobHandlers(deps)).map(([name, handle]) => [
      name,
      async (payload, helpers) => {
        const log = deps.log.child({ job: name, jobId: helpers.job.id });
        await (deps.instrumentation ?? NOOP_INSTRUMENTATION).during({ kind: 'job', name }, () =>
          (handle as (payload: unknown, log: Log) => Promise<void>)(payload, log),
        );
      },
    ]),
  );
  tasks['free_dead_jobs'] = async (_payload, helpers) => {
    await helpers.query(
      `update graphile_worker._private_jobs set locked_at = null, locked_by = null where id in (
         select id from graphile_worker.jobs
         where locked_at < now() - $1::interval and task_identifier <> all ($2))`,
      [DEAD_AFTER, LONG_JOBS],
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
  const pool = openPool({
    url: options.databaseUrl,
    max: options.concurrency + 2,
    onError: (err) => deps.log.error({ err }, 'connection of the jobs failed'),
  });
  const begin = async () => {
    const runner = await run({
      // Batches are waited for when we stop; without them the end of a job that just ran is lost, and it stays locked.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      pgPool: pool,
      concurrency: options.concurrency,
      noHandleSignals: true,
      pollInterval: 2_000,
      taskList: tasks,
      crontab: CRONTAB,
      logger,
    });
    watch(runner);
    return runner;
  };

  // A job that used up its tries is money that nobody looks at any more: that must raise an alert.
  function watch(runner: Runner): void {
    runner.events.on('job:failed', ({ job }) => {
      raiseAlert(deps.db, 'job_gave_up', `${job.task_identifier} ${job.key ?? job.id}`, {
        attempts: job.attempts,
      }).catch((err: unknown) =>
        deps.log.error({ err, jobId: job.id }, 'a job gave up, and its alert was lost'),
      );
    });
    runner.promise.then(beginAgain, beginAgain);
  }

  let stopping = false;
  let runner: Runner | undefined;
  let beginning: Promise<void> | undefined;
  function beginAgain(reason?: unknown): void {
    if (stopping) return;
    deps.log.error({ err: reason }, 'the jobs stopped; they begin again');
    beginning = (async () => {
      for (runner = undefined; runner === undefined && !stopping;) {
        await pause(BEGIN_AGAIN_MS);
        runner = await begin().catch(() => undefined);
      }
    })();
  }

  try {
    runner = await begin();
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    async stop() {
      if (stopping) return;
      stopping = true;
      await beginning;
      await runner?.stop().catch(() => {});
      await pool.end();
    },
  };
}
