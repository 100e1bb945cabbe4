import type { Db } from './platform/db/db.ts';
import type { Settings } from './env.ts';
import { transaction } from './platform/db/transaction.ts';
import { pollCashReferences } from './payments/cash/poll-references.ts';
import { checkCashOperation, type NoticeDeps } from './payments/cash/take-notice.ts';
import { proveAndRemember, type ProveDeps } from './ledger/books/prove-and-remember.ts';
import { issueInvoice } from './invoicing/invoices/issue-invoice.ts';
import type { IssueDeps } from './invoicing/invoices/round.ts';
import { expireReferences } from './purchases/layaways/store.ts';
import type { Log } from './platform/logging.ts';
import type { EmailDeps } from './platform/email/deliver-email.ts';
import { openMailLane } from './platform/email/mail-lane.ts';
import { hurryEmail } from './platform/email/store.ts';
import { recheckCaptured } from './payments/cards/recheck-captured.ts';
import { refundCardPayment } from './payments/refunds/refund-card-payment.ts';
import { resolveAttempt, type ResolveDeps } from './payments/cards/resolve-attempt.ts';
import { sweepCardPayments } from './payments/cards/sweep.ts';
import type { Jobs } from './platform/jobs/enqueue.ts';
import { CLOCK_LANE, type RunningJobs, runJobs } from './platform/jobs/run-jobs.ts';
import { MAIL_CONNECTIONS } from './platform/email/smtp.ts';
import { sendPush, type SendPushDeps } from './accounts/pushes/send-push.ts';
import { queueReminders } from './purchases/reminders/queue-reminders.ts';
import { endLatePlans } from './purchases/ending/end-late-plans.ts';
import { foldMerchantSums } from './back-office/counter/reports/store.ts';
import { takeWebhooks, type WebhookDeps } from './back-office/webhooks/deliver.ts';
import { queueShopMails } from './back-office/shop-mails/queue-shop-mails.ts';
import { queueDigests } from './back-office/digest/queue-digests.ts';
import { openPolling } from './platform/jobs/polling.ts';
import { prune } from './back-office/retention/prune.ts';

export interface JobDeps
  extends ResolveDeps, EmailDeps, NoticeDeps, ProveDeps, IssueDeps, WebhookDeps, SendPushDeps {
  readonly db: Db;
  readonly log: Log;
}

/**
 * What runs by the clock, in UTC, each line once across all servers. A plan that cannot be ended fails every run, so those have one
 * key, and give up before the next one begins: one alert tells it.
 */
export const CRONTAB = `
*/5 * * * * expire_references
* * * * * fold_sums
* * * * * queue_shop_mails
*/10 14-19 * * * queue_digests
*/20 16-23,0,1 * * * queue_reminders
*/5 * * * * poll_cash_references ?jobKey=poll_cash_schedule
10 9 * * * sweep_card_payments
25 * * * * recheck_captured
20 15-23 * * * end_late_plans ?jobKey=end_late_plans&max=5
40 9 * * * prune
10 10 * * * prove_books
`;

/** These may take longer than five minutes; any other job that does is taken for dead, and runs again. */
const LONG_JOBS = ['sweep_card_payments', 'end_late_plans', 'prove_books', 'queue_reminders'];

/** Each provider has its own share of the workers: one that hangs, or a heap of emails, keeps nothing else waiting. */
const LANES = {
  cards: { atOnce: 4, jobs: ['resolve_attempt'] },
  // After an outage thousands of payments are asked about: what is owed back does not wait behind them.
  refunds: { atOnce: 2, jobs: ['refund_card'] },
  cash: { atOnce: 3, jobs: ['check_cash_operation', 'poll_cash_references'] },
  invoices: { atOnce: 2, jobs: ['issue_invoice'] },
  pushes: { atOnce: 2, jobs: ['send_push'] },
  [CLOCK_LANE]: {
    atOnce: 3,
    jobs: [
      'expire_references',
      'fold_sums',
      'queue_digests',
      'queue_reminders',
      'queue_shop_mails',
      'sweep_card_payments',
      'recheck_captured',
      'end_late_plans',
      'prune',
      'prove_books',
      'deliver_email',
    ],
  },
} as const;
/** Most connections of a server's jobs: each lane has one for each job, and one to listen; the books are proven on one of their own. */
export const JOB_CONNECTIONS = Object.values(LANES).reduce((sum, { atOnce }) => sum + atOnce + 1, 1);
/** Emails are no jobs: their lane polls the outbox. */
const MAIL_LANE = 'emails';
/** Nor are these: each endpoint's place in the books says what it is to hear. */
const WEBHOOK_LANE = 'webhooks';
const WEBHOOKS_AT_ONCE = 3;

const EXPIRED_AT_ONCE = 200;
const FOLDED_AT_ONCE = 10_000;
const DIGESTS_AT_ONCE = 200;
const MOST_ROUNDS = 50;

/** What a server says of its lanes that have not begun to run, in milliseconds since they should have. */
export const silentFor = (ms: number): Readonly<Record<string, number>> =>
  Object.fromEntries([...Object.keys(LANES), MAIL_LANE, WEBHOOK_LANE].map((lane) => [lane, ms]));

type Handlers = { [J in keyof Jobs]: (payload: Jobs[J], log: Log) => Promise<void> };

/** What each job does. Also for tests, which run them by name. */
export function jobHandlers(
  deps: JobDeps,
): Handlers &
  Record<
    | 'expire_references'
    | 'fold_sums'
    | 'queue_digests'
    | 'queue_reminders'
    | 'queue_shop_mails'
    | 'sweep_card_payments'
    | 'recheck_captured'
    | 'end_late_plans'
    | 'prune'
    | 'prove_books',
    (payload: unknown, log: Log) => Promise<void>
  > & { deliver_email: (payload: { outboxId: number }) => Promise<void> } {
  return {
    resolve_attempt: async ({ attemptId, notice }, log) => {
      await resolveAttempt(
        deps,
        attemptId,
        notice === undefined ? { by: 'job', log } : { by: 'webhook', hasWaited: true, ...notice, log },
      );
    },
    refund_card: ({ refundId }, log) => refundCardPayment(deps, refundId, log),
    // A server of the version before queues one for each of its emails.
    deliver_email: ({ outboxId }) => transaction(deps.db, (tx) => hurryEmail(tx, outboxId)),
    check_cash_operation: async ({ operationId }, log) => {
      await checkCashOperation(deps, operationId, log);
    },
    poll_cash_references: ({ before }, log) =>
      pollCashReferences(deps, before === undefined ? undefined : new Date(before), log),
    issue_invoice: ({ invoiceId }, log) => issueInvoice(deps, invoiceId, log),
    send_push: (which, log) => sendPush(deps, which, log),
    expire_references: async (_payload, log) => {
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const expired = await transaction(deps.db, (tx) => expireReferences(tx, EXPIRED_AT_ONCE));
        if (expired > 0) log.info({ expired }, 'layaway references expired');
        if (expired < EXPIRED_AT_ONCE) return;
      }
    },
    fold_sums: async () => {
      for (let round = 0; round < MOST_ROUNDS; round += 1)
        if ((await transaction(deps.db, (tx) => foldMerchantSums(tx, FOLDED_AT_ONCE))) < FOLDED_AT_ONCE)
          return;
    },
    queue_digests: async () => {
      for (let round = 0; round < MOST_ROUNDS; round += 1)
        if ((await queueDigests(deps.db, DIGESTS_AT_ONCE)) < DIGESTS_AT_ONCE) return;
    },
    queue_reminders: () => queueReminders(deps.db),
    queue_shop_mails: async () => {
      for (let round = 0; round < MOST_ROUNDS; round += 1) if (!(await queueShopMails(deps.db))) return;
    },
    sweep_card_payments: (_payload, log) => sweepCardPayments(deps, log),
    recheck_captured: (_payload, log) => recheckCaptured(deps, log),
    end_late_plans: (_payload, log) => endLatePlans(deps, log),
    prune: (_payload, log) => prune(deps.db, log),
    prove_books: async (_payload, log) => {
      await proveAndRemember(deps, log);
    },
  };
}

export type Worker = RunningJobs;

/** Starts the worker: jobs and emails survive a restart, many servers share them, and each is done by one of them. */
export async function startWorker(
  deps: JobDeps,
  { databaseUrl, workerWaits }: Pick<Settings, 'databaseUrl' | 'workerWaits'>,
): Promise<Worker> {
  const { db, log, instrumentation } = deps;
  const jobs = await runJobs(jobHandlers(deps), {
    databaseUrl,
    lanes: LANES,
    db,
    log,
    instrumentation,
    crontab: CRONTAB,
    longJobs: LONG_JOBS,
    pollEveryMs: workerWaits.jobsPollMs,
  });
  const emails = openMailLane(deps, MAIL_CONNECTIONS, workerWaits.emailsPollMs);
  const webhooks = openPolling(() => takeWebhooks(deps), {
    what: 'webhooks',
    atOnce: WEBHOOKS_AT_ONCE,
    pollEveryMs: workerWaits.webhooksPollMs,
    log,
  });
  return {
    silentMs: () => ({
      ...jobs.silentMs(),
      [MAIL_LANE]: emails.silentMs(),
      [WEBHOOK_LANE]: webhooks.silentMs(),
    }),
    async stop() {
      await Promise.all([jobs.stop(), emails.stop(), webhooks.stop()]);
    },
  };
}
