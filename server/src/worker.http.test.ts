import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { parseCrontab } from 'graphile-worker';
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { till } from '../test/card-acts.ts';
import { makeBuyer, makeProduct } from '../test/make.ts';
import { makePurchase } from '../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../test/shop.ts';
import { decideHeld } from './payments/cards/decide-held.ts';
import { openDb } from './platform/db/db.ts';
import { transaction } from './platform/db/transaction.ts';
import { sendEmail } from './platform/email/outbox.ts';
import { smtp } from './platform/email/smtp.ts';
import { enqueue } from './platform/jobs/enqueue.ts';
import { CLOCK_LANE, runJobs } from './platform/jobs/run-jobs.ts';
import { createLog } from './platform/logging.ts';
import { countTry } from './platform/email/store.ts';
import { CRONTAB, type JobDeps, startWorker, type Worker } from './worker.ts';

let shop: Shop;
let owner: pg.Client;
const runners: Worker[] = [];
beforeEach(() => open());
afterEach(close);

async function open(given?: Parameters<typeof openShop>[0]): Promise<void> {
  shop = await openShop(given);
  owner = new pg.Client({ connectionString: shop.ownerUrl, application_name: 'owner' });
  await owner.connect();
}

async function close(): Promise<void> {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await owner.end();
  await shop.close();
}

async function startServer(changes: Partial<JobDeps> = {}): Promise<Worker> {
  const runner = await startWorker({ ...shop.jobs, ...changes }, shop.settings);
  runners.push(runner);
  return runner;
}

async function writeEmails(from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1) {
    await transaction(shop.db, (tx) =>
      sendEmail(tx, {
        topic: 'refund_done',
        dedupeKey: String(n),
        buyerId: shop.buyer.id,
        facts: { amountCentavos: 100 + n },
      }),
    );
  }
}

const arrived = async (): Promise<string[]> =>
  (await shop.control('GET /control/emails')).emails
    .map((email: { subject: string }) => email.subject)
    .toSorted();
const emails = (count: number) =>
  Array.from(
    { length: count },
    (_, n) => `Devolución hecha: $${((100 + n) / 100).toFixed(2)} MXN`,
  ).toSorted();

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('it did not come to pass');
    await sleep(50);
  }
}
const areDone =
  (...tasks: string[]) =>
  async () => {
    const { rows } = await owner.query<{ left: number }>(
      'select count(*)::int as left from graphile_worker.jobs where task_identifier = any ($1) and run_at <= now()',
      [tasks],
    );
    return rows[0]?.left === 0;
  };

const areSent = async () => {
  const { rows } = await owner.query<{ left: number }>(
    `select count(*)::int as left from outbox where state = 'waiting'`,
  );
  return rows[0]?.left === 0;
};

describe('the jobs', () => {
  test('each runs once, on one of two servers', async () => {
    await Promise.all([startServer(), startServer()]);
    await writeEmails(0, 40);
    await until(areSent);
    expect(await arrived()).toEqual(emails(40));
  });

  test('survive a server that is stopped in the middle of them', async () => {
    await writeEmails(0, 40);
    const first = await startServer();
    await until(async () => (await arrived()).length > 0);
    await first.stop();
    const before = (await arrived()).length;
    expect(before).toBeLessThan(40);
    await startServer();
    await until(areSent);
    expect(await arrived()).toEqual(emails(40));
  });

  test('of a server that was killed are taken over within minutes', async () => {
    const hold = async (worker: string, age: string) => {
      await owner.query(`select graphile_worker.add_job('expire_references', job_key => $1::text)`, [worker]);
      await owner.query(
        `update graphile_worker._private_jobs set locked_by = key, locked_at = now() - $2::interval, attempts = 1
          where key = $1`,
        [worker, age],
      );
    };
    await hold('worker-killed', '6 minutes');
    await hold('worker-busy', '1 minute');
    await startServer();
    await owner.query(`select graphile_worker.add_job('free_dead_jobs')`);
    const held = async () =>
      (await owner.query('select key from graphile_worker.jobs where key is not null order by key')).rows;
    await expect.poll(held).toEqual([{ key: 'worker-busy' }]); // its server may still be at it
  });

  test('an email of a server that was killed in the middle of it is sent within minutes', async () => {
    await writeEmails(0, 2);
    const [killed] = await shop.db.selectFrom('outbox').select('id').orderBy('id').execute();
    for (const { id } of await shop.db.selectFrom('outbox').select('id').execute())
      await transaction(shop.db, (tx) => countTry(tx, id));
    await owner.query(`update outbox set due_at = due_at - interval '6 minutes' where id = $1`, [killed?.id]);
    await startServer();
    await until(async () => (await arrived()).length > 0);
    await sleep(1_200);
    expect(await arrived()).toEqual(emails(1)); // the other one's server may still be at it
  });

  test('of emails that a server of the version before queued leave nothing for the ten minutes that are theirs', async () => {
    await writeEmails(0, 1);
    await owner.query(`update outbox set due_at = default`);
    await owner.query(
      `select graphile_worker.add_job('deliver_email', json_build_object('outboxId', id)) from outbox`,
    );
    await startServer();
    await until(areSent);
    expect(await arrived()).toEqual(emails(1));
    expect(await areDone('deliver_email')()).toBe(true);
  });

  test('of a server that was killed are not told as given up when they were queued anew meanwhile', async () => {
    const add = () =>
      owner.query(`select graphile_worker.add_job('issue_invoice', '{"invoiceId":0}', job_key => 'a')`);
    await add();
    await owner.query(
      `update graphile_worker._private_jobs set locked_by = 'killed', locked_at = now() - interval '6 minutes'`,
    );
    await add();
    await startServer();
    await owner.query(`select graphile_worker.add_job('free_dead_jobs')`);
    await expect.poll(areDone('issue_invoice', 'free_dead_jobs')).toBe(true);
  });

  test('that are queued anew by one that was taken for dead, and was not, are not forgotten with it', async () => {
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const again = { key: 'a', afterMs: 3_600_000 };
    const handlers = {
      async issue_invoice() {
        begun.resolve();
        await goOn.promise;
        await transaction(shop.jobs.db, (tx) => enqueue(tx, 'issue_invoice', { invoiceId: 0 }, again));
      },
    };
    const running = await runJobs(handlers, {
      databaseUrl: shop.settings.databaseUrl,
      lanes: { one: { atOnce: 1, jobs: ['issue_invoice'] }, [CLOCK_LANE]: { atOnce: 1, jobs: [] } },
      db: shop.jobs.db,
      log: createLog('silent'),
      crontab: '',
      longJobs: [],
      pollEveryMs: 2_000,
    });
    runners.push(running);
    await owner.query(`select graphile_worker.add_job('issue_invoice', '{"invoiceId":0}', job_key => 'a')`);
    await begun.promise;
    const jobs = async () =>
      (
        await owner.query(
          `select locked_at is not null as "isLocked", run_at > now() as "isLater" from graphile_worker.jobs where key = 'a'`,
        )
      ).rows;
    await owner.query(`update graphile_worker._private_jobs set locked_at = now() - interval '6 minutes'`);
    await owner.query(`select graphile_worker.add_job('free_dead_jobs')`);
    await expect.poll(jobs).toEqual([{ isLocked: false, isLater: false }]);
    goOn.resolve();
    await running.stop();
    expect(await jobs()).toEqual([{ isLocked: false, isLater: true }]);
  });

  test('begin again after the database went away while one was under way', async () => {
    const begun = Promise.withResolvers<void>();
    const back = Promise.withResolvers<void>();
    const { mailer } = shop.jobs;
    const send: typeof mailer.send = async (email) => {
      begun.resolve();
      await back.promise;
      return mailer.send(email);
    };
    await startServer({ mailer: { ...mailer, send } });
    await writeEmails(0, 1);
    await begun.promise;
    const database = new URL(shop.settings.databaseUrl).pathname.slice(1);
    const server = new pg.Client({ connectionString: inject('testServer').url });
    await server.connect();
    await server.query(`alter database ${database} with allow_connections false`);
    await server.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name <> 'owner'`,
      [database],
    );
    back.resolve();
    await until(async () => shop.logged().includes('workers of a lane are replaced'));
    await server.query(`alter database ${database} with allow_connections true`);
    await server.end();
    await writeEmails(1, 2);
    // The first one was sent and could not be marked so: it is due again as a dead server's, and sent under the same id.
    await owner.query(`update outbox set due_at = app_now() where state = 'waiting'`);
    await expect.poll(async () => [...new Set(await arrived())]).toEqual(emails(2));
  });

  test('an email that fails waits for another time', async () => {
    await writeEmails(0, 1);
    const mailer = smtp({ url: 'smtp://127.0.0.1:9', from: shop.settings.mailFrom });
    await startServer({ mailer });
    await until(async () => shop.logged().includes('the email was not taken over (ESOCKET)'));
    const email = await shop.db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow();
    expect(email).toMatchObject({ state: 'waiting', tries: 1 });
    const waits = email.due_at.getTime() - Date.now();
    expect([waits > 0, waits < 60_000]).toEqual([true, true]);
  });

  test('of the clock are all known to the queue, and the jobs of the dead are freed by it', async () => {
    await startServer();
    const known = async () =>
      (await owner.query('select identifier from graphile_worker._private_known_crontabs')).rows
        .map(({ identifier }) => identifier)
        .toSorted();
    await expect
      .poll(known)
      .toEqual([
        'end_late_plans',
        'expire_references',
        'fold_sums',
        'free_dead_jobs',
        'poll_cash_references',
        'prove_books',
        'prune',
        'queue_digests',
        'queue_reminders',
        'queue_shop_mails',
        'recheck_captured',
        'sweep_card_payments',
      ]);
  });

  test('one that used up its tries raises an alert: nobody looks at its money any more', async () => {
    await startServer();
    await owner.query(
      `select graphile_worker.add_job('resolve_attempt', '{"attemptId":"not-an-id"}'::json, job_key => 'resolve:broken', max_attempts => 1)`,
    );
    const alerts = () => shop.db.selectFrom('alerts').select(['kind', 'subject']).execute();
    await expect
      .poll(alerts, { timeout: 20_000 })
      .toEqual([{ kind: 'job_gave_up', subject: 'resolve_attempt resolve:broken' }]);
  });

  test('that see to late plans fail in every run while one of them cannot be warned of: the operator has one alert, and no heap of jobs', async () => {
    const { merchantId, buyer } = shop;
    await owner.query('update merchants set end_days_late = 30');
    const past = openDb({ url: shop.ownerUrl, role: 'none', max: 1, clockOffset: '-70 days' });
    const productId = await makeProduct(shop.db, { merchantId });
    await makePurchase(past, { buyerId: buyer.id, merchantId, productId });
    await past.destroy();
    await owner.query('alter table end_warnings add constraint broken check (false)');
    const workerWaits = { ...shop.settings.workerWaits, jobsPollMs: 100 };
    runners.push(await startWorker(shop.jobs, { ...shop.settings, workerWaits }));
    const line = parseCrontab(CRONTAB).find(({ task }) => task === 'end_late_plans');
    const givenUp = async () => {
      // Its tries are minutes apart.
      await owner.query(`update graphile_worker._private_jobs set run_at = now() where attempts > 0`);
      const { rows } = await owner.query(
        `select attempts >= max_attempts and locked_at is null as up from graphile_worker.jobs where task_identifier = 'end_late_plans'`,
      );
      return rows.map(({ up }) => up);
    };
    const alerts = () => shop.db.selectFrom('alerts').select(['kind', 'subject', 'times']).execute();
    for (const times of [1, 2]) {
      await owner.query(
        `select graphile_worker.add_job('end_late_plans', job_key => $1, max_attempts => $2, job_key_mode => 'replace')`,
        [line?.options.jobKey, line?.options.maxAttempts],
      );
      await owner.query(`select graphile_worker.add_job('free_dead_jobs')`);
      await expect.poll(givenUp, { timeout: 8_000 }).toEqual([true]);
      await expect
        .poll(alerts)
        .toEqual([{ kind: 'job_gave_up', subject: 'end_late_plans end_late_plans', times }]);
    }
  });

  test('of money run, and payments are applied at once, while thousands of emails wait for a mail server that never greets', async () => {
    const callers: Socket[] = [];
    const mute = createServer((caller) => callers.push(caller)).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const reference = await shop.reference();
    await shop.pay(reference, CARDS.replyLost);
    await writeEmails(0, 20);
    await owner.query(
      `insert into outbox (topic, dedupe_key, buyer_id, recipient, facts, due_at)
       select topic, dedupe_key || '-' || n, buyer_id, recipient, facts, now() - interval '1 hour'
         from outbox, generate_series(1, 100) n`,
    );
    await owner.query(`update graphile_worker._private_jobs set run_at = now() where run_at > now()`);
    const { port } = mute.address() as AddressInfo;
    const mailer = smtp({ url: `smtp://127.0.0.1:${port}`, from: shop.settings.mailFrom });
    await startServer({ mailer });
    const state = () => shop.db.selectFrom('card_attempts').select('state').executeTakeFirstOrThrow();
    await expect.poll(state).toEqual({ state: 'applied' });
    await expect.poll(() => callers.length).toBeGreaterThan(0);
    const [atTill, byCard] = [await makeBuyer(shop.db), await makeBuyer(shop.db)];
    const paid = await till(shop, await shop.reference({ token: atTill.token }));
    expect(paid.body).toMatchObject({ error: 0 });
    const { body } = await shop.pay(await shop.reference({ token: byCard.token }), CARDS.approved, {
      token: byCard.token,
    });
    expect(body.data).toMatchObject({ state: 'applied', applied: true });
    expect(await arrived()).toEqual([]);
    const waiting = await shop.db
      .selectFrom('outbox')
      .select('recipient')
      .where('state', '=', 'waiting')
      .execute();
    const recipients = waiting.map(({ recipient }) => recipient);
    expect(recipients).toEqual(expect.arrayContaining([atTill.email, byCard.email]));
    for (const caller of callers) caller.destroy();
    mailer.close();
    mute.close();
  });

  test('of refunds run while many payments wait for a provider that does not tell what became of them', async () => {
    await close();
    await open({ clocks: { readTimeoutMs: 60_000 } });
    for (let n = 0; n < 4; n += 1) {
      const { token } = await makeBuyer(shop.db);
      await shop.pay(await shop.reference({ token }), CARDS.replyLost, { token });
    }
    const intentId = randomUUID();
    await shop.pay(await shop.reference(), CARDS.oneMore, { intentId });
    const { id } = await shop.attempt(intentId);
    await transaction(shop.db, (tx) => decideHeld(tx, id, 'return'));
    await shop.control('POST /control/faults', { call: 'listPayments', kind: 'hold', times: 99 });
    await owner.query(`
      update graphile_worker._private_jobs set run_at = now() - interval '1 minute' where id in (
        select id from graphile_worker.jobs where task_identifier = 'resolve_attempt')`);
    await startServer();
    const refund = () => shop.db.selectFrom('refunds').select('state').executeTakeFirstOrThrow();
    await expect.poll(refund, { timeout: 20_000 }).toEqual({ state: 'done' });
    await shop.control('DELETE /control/faults');
  });

  test('of emails share two connections', async () => {
    let connections = 0;
    const counting = createServer((client) => {
      connections += 1;
      const there = connect(shop.sandbox.smtpPort, '127.0.0.1');
      client.pipe(there).pipe(client);
      for (const end of [client, there]) end.on('error', () => {});
    }).listen(0, '127.0.0.1');
    await once(counting, 'listening');
    const { port } = counting.address() as AddressInfo;
    const mailer = smtp({ url: `smtp://127.0.0.1:${port}`, from: shop.settings.mailFrom });
    await writeEmails(0, 20);
    await startServer({ mailer });
    await until(areSent);
    expect(await arrived()).toEqual(emails(20));
    expect(connections).toBeLessThanOrEqual(2);
    mailer.close();
    counting.close();
  });

  test('resolve a payment that no browser asks about', async () => {
    const reference = await shop.reference();
    const { body } = await shop.pay(reference, CARDS.replyLost);
    expect(body.data.state).toBe('unknown');
    await owner.query(`update graphile_worker._private_jobs set run_at = now()`);
    await startServer();
    await until(async () => {
      const { state } = await shop.db.selectFrom('card_attempts').select('state').executeTakeFirstOrThrow();
      return state === 'applied';
    });
    await until(areSent);
    expect(await arrived()).toEqual(['Recibimos tu apartado de $615.00 MXN']);
  });
});
