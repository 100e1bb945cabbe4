import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

import { ENDPOINTS } from '@aparta/contract/endpoints';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { namesIn, readScrape, fires, type Sample } from '../../../test/alert-rules.ts';
import {
  answer3ds,
  DAY,
  fault,
  HOUR,
  MINUTE,
  panel,
  refunds,
  runRefunds,
  till,
} from '../../../test/card-acts.ts';
import { makeProduct } from '../../../test/make.ts';
import { promtoolProblems, type Seen } from '../../../test/promtool.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { asOwner, besideItsPlan, buy, storeNumber } from '../../../test/store-acts.ts';
import { assignCash } from '../../payments/cash/assign-cash.ts';
import { raiseAlert, resolveAlert } from '../alerts.ts';
import { transaction } from '../db/transaction.ts';
import { resolveInvoice } from '../../invoicing/invoices/resolve-invoice.ts';
import { startWorker } from '../../worker.ts';
import { createLog } from '../logging.ts';
import { decideHeld } from '../../payments/cards/decide-held.ts';
import { askRefundAgain, markRefundPaid } from '../../payments/refunds/decide-refund.ts';
import { openMetrics } from './metrics.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

const place = (path: string) => new URL(`../../../../${path}`, import.meta.url);
const read = (path: string) => fs.readFileSync(place(path), 'utf8');
const { groups } = parse(read('ops/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] };
const RULES = groups.flatMap(({ rules }) => rules);
/** Prometheus' own, about the server as a whole: nothing that the server says can cause it. */
const NOT_OURS = ['ServerDown'];

const log = createLog('silent');
const caused = new Set<string>();
const seen: Seen[] = [];
let shop: Shop;
let scrapeUrl: string;
beforeAll(async () => {
  shop = await openShop({
    clocks: {
      metricsFreshMs: 0,
      breakerPauseMs: 4_000,
      rejectionsPerBuyer: 99,
      rejectionsPerReference: 99,
      rejectionsPerCard: 99,
      cardsPerBuyer: 99,
    },
    env: { METRICS_PORT: '0' },
  });
  const at = await shop.telemetry.listen();
  scrapeUrl = `http://127.0.0.1:${at!.port}/metrics`;
});
afterAll(() => shop.close());

async function scrape(): Promise<Sample[]> {
  const response = await fetch(scrapeUrl);
  return readScrape(await response.text());
}
/** The alerts that fire on what is scraped now, after `earlier`. */
async function firing(earlier?: Sample[]): Promise<string[]> {
  const later = await scrape();
  return RULES.filter((rule) => fires(rule.expr, { earlier: earlier ?? later, later })).map(
    ({ alert }) => alert,
  );
}
/** Whether an alert is raised on what is scraped now, after `earlier`. Kept, so that promtool can say the same. */
async function isRinging(alert: string, earlier?: Sample[]): Promise<boolean> {
  const later = await scrape();
  const { expr } = RULES.find((rule) => rule.alert === alert)!;
  const scrapes = { earlier: earlier ?? later, later };
  const answer = fires(expr, scrapes);
  seen.push({ alert, expr, ...scrapes, at: Date.now() / 1_000, fires: answer });
  return answer;
}
/** Whether an alert is raised before its cause, with it, and after it was mended. */
async function lifeOf(alert: string, cause: () => Promise<unknown>, mend: () => Promise<unknown>) {
  const earlier = await scrape();
  const life = [await isRinging(alert)];
  try {
    await cause();
    life.push(await isRinging(alert, earlier));
    if (life[1]) caused.add(alert);
  } finally {
    await mend();
  }
  return [...life, await isRinging(alert)];
}
const FIRES_ONCE = [false, true, false];
const resolveAlerts = () =>
  shop.db.updateTable('alerts').set({ resolved_at: new Date() }).where('resolved_at', 'is', null).execute();
const owner = (statement: string, values?: unknown[]) => asOwner(shop, statement, values);
async function freshReference() {
  return shop.reference({ productId: await makeProduct(shop.db, { merchantId: shop.merchantId }) });
}
/** A card that is approved after the till took the deposit: owed back. Returns its payment at the provider. */
async function oweBack(): Promise<string> {
  const reference = await freshReference();
  const intentId = randomUUID();
  await shop.pay(reference, CARDS.slow, { intentId });
  await till(shop, reference);
  const { provider_payment_id: paymentId } = await shop.attempt(intentId);
  await panel(shop, paymentId, { move: 'approve' });
  await shop.poll(intentId);
  return paymentId;
}
const ageRefunds = (ms: number) =>
  owner(`update refunds set created_at = created_at - $1 * interval '1 ms'`, [ms]);
const refuseRefund = (error_code: string) =>
  fault(shop, { call: 'createRefund', kind: 'status', status: 409, body: { error_code } });

describe('the service', () => {
  test('a shop at rest raises nothing', async () => {
    expect(await firing()).toEqual([]);
  });

  test('a database that cannot be read raises an alert, and its gauges are absent rather than wrong', async () => {
    const metrics = openMetrics({
      databaseUrl: 'postgres://nobody@127.0.0.1:9/none',
      version: '0',
      freshMs: 0,
    });
    const later = readScrape(await metrics.text());
    await metrics.close();
    const rule = RULES.find(({ alert }) => alert === 'DatabaseUnread')!;
    expect(fires(rule.expr, { earlier: later, later })).toBe(true);
    expect(later.filter(({ name }) => /card_attempts$|books|refunds/.test(name))).toEqual([]);
    expect(await firing()).not.toContain('DatabaseUnread');
    caused.add('DatabaseUnread');
  });

  test('the metrics are not where buyers are, and nothing that a caller says becomes a label', async () => {
    expect((await shop.ask('GET /metrics')).status).toBe(404);
    for (const path of [
      'nadie@example.mx',
      '5512345678',
      '4555128482797669?code=1',
      'v1/Clib/GetAttemptAsync/mine',
    ])
      for (const method of ['GET', 'PUT', 'PROPFIND']) await shop.ask(`${method} /${path}`);
    const seen = (await scrape()).filter(({ name }) => name === 'aparta_http_request_seconds_count');
    const offered = new Set(Object.values(ENDPOINTS).flatMap((all) => all.map(({ path }): string => path)));
    expect(seen.map(({ labels }) => labels['route']).filter((route) => !offered.has(route!))).toSatisfy(
      (routes: string[]) => routes.every((route) => route === 'none'),
    );
    expect(seen.map(({ labels }) => labels['method'])).not.toContain('PROPFIND');
  });

  test('one reading serves every scrape of some seconds, and a locked table costs half a second at most', async () => {
    const metrics = openMetrics({ databaseUrl: shop.settings.databaseUrl, version: '0', freshMs: 60_000 });
    const other = openMetrics({ databaseUrl: shop.settings.databaseUrl, version: '0', freshMs: 60_000 });
    await Promise.all([metrics.text(), metrics.text()]);
    await raiseAlert(shop.db, 'till_over_cap', 'a 7', {});
    expect(await metrics.text()).not.toContain('till_over_cap');
    const locker = owner('begin; lock alerts; select pg_sleep(1); commit');
    await expect
      .poll(
        async () =>
          (
            await owner(`select from pg_locks where mode = 'AccessExclusiveLock' and granted
      and relation = 'alerts'::regclass`)
          ).length,
      )
      .toBe(1);
    // Answered while the lock is held: it did not wait for it.
    const text = await other.text();
    expect(text).toMatch(/^aparta_database_up 0$/m);
    expect(text).not.toMatch(/^aparta_alerts_open/m);
    expect(text).toMatch(/^aparta_emails\{state="waiting"\} 0$/m);
    await locker;
    await Promise.all([metrics.close(), other.close()]);
    await resolveAlerts();
  });

  test('a pool that is used up is seen over a connection of its own', async () => {
    let held: Promise<unknown>[] = [];
    const hold = () => sql`select pg_sleep(0.7)`.execute(shop.jobs.db);
    expect(
      await lifeOf(
        'PoolExhausted',
        async () => (held = Array.from({ length: shop.settings.databasePool + 1 }, hold)),
        () => Promise.all(held),
      ),
    ).toEqual(FIRES_ONCE);
  });

  test('calls that are refused because others are first', async () => {
    const locker = owner('begin; lock sessions; select pg_sleep(4); commit');
    const locks = `select from pg_locks where relation = 'sessions'::regclass and mode = 'AccessExclusiveLock'`;
    await expect.poll(async () => (await owner(locks)).length).toBe(1);
    expect(
      await lifeOf(
        'Overloaded',
        async () => {
          const { body } = await shop.ask('GET /v1/TokenBuyer/Sessions', { token: shop.buyer.token });
          expect(body.code).toBe('BUSY');
        },
        () => locker,
      ),
    ).toEqual(FIRES_ONCE);
  });

  test('calls that fail on our side', async () => {
    expect(
      await lifeOf(
        'CallsFail',
        async () => {
          await owner('revoke select on sessions from aparta_app');
          const { status } = await shop.ask('GET /v1/TokenBuyer/Sessions', { token: shop.buyer.token });
          expect(status).toBe(500);
        },
        () => owner('grant select on sessions to aparta_app'),
      ),
    ).toEqual(FIRES_ONCE);
  });
});

describe('money', () => {
  test.each([
    ['submitting', 10 * MINUTE],
    ['pending_3ds', HOUR],
    ['unknown', 2 * HOUR],
  ])('a payment that is %s for too long', async (state, ms) => {
    const intentId = randomUUID();
    await shop.pay(await freshReference(), CARDS.nothingHappened, { intentId });
    expect(
      await lifeOf(
        'AttemptsPastTheirClock',
        async () => {
          await owner('update card_attempts set state = $1 where intent_id = $2', [state, intentId]);
          await shop.age(intentId, ms);
        },
        () => owner(`update card_attempts set state = 'not_charged' where intent_id = $1`, [intentId]),
      ),
    ).toEqual(FIRES_ONCE);
  });

  test('a payment that is not as agreed is held and alerts once, until somebody decides', async () => {
    await resolveAlerts();
    const intentId = randomUUID();
    expect(
      await lifeOf(
        'MoneyHeld',
        async () => shop.pay(await freshReference(), CARDS.oddDetail, { intentId }),
        async () => {
          expect(await firing()).toEqual(['MoneyHeld']);
          const { id } = await shop.attempt(intentId);
          await transaction(shop.db, (tx) => decideHeld(tx, id, 'return'));
        },
      ),
    ).toEqual(FIRES_ONCE);
    await runRefunds(shop);
  });

  test('ten payments that begin and none that is applied', async () => {
    const reference = await freshReference();
    expect(
      await lifeOf(
        'NoCardPaymentApplied',
        async () => {
          for (let n = 0; n < 10; n += 1) await shop.pay(reference, CARDS.insufficientFunds);
        },
        async () => {
          const intentId = randomUUID();
          await shop.pay(reference, CARDS.approved, { intentId });
          await answer3ds(shop, intentId, 'approve');
          await shop.poll(intentId);
        },
      ),
    ).toEqual(FIRES_ONCE);
  });

  test('a provider that does not answer: charges pause, and most of its calls get no answer', async () => {
    const before = await scrape();
    await fault(shop, { call: 'createPayment', kind: 'status', status: 503, times: 5 });
    for (let n = 0; n < 5; n += 1) await shop.pay(await freshReference(), CARDS.approved);
    expect(await isRinging('ChargesPaused', before)).toBe(true);
    expect(await isRinging('ProviderUnreachable', before)).toBe(true);
    caused.add('ChargesPaused').add('ProviderUnreachable');
    await expect.poll(() => firing()).not.toContain('ChargesPaused');
    await shop.pay(await freshReference(), CARDS.approved); // the provider is back
    await owner(`update card_attempts set state = 'not_charged' where state = 'unknown'`);
  });

  test('a refund that waits for a person, and goes on when it is let', async () => {
    await resolveAlerts();
    await oweBack();
    expect(
      await lifeOf(
        'RefundBlocked',
        async () => {
          await refuseRefund('AI1899');
          await runRefunds(shop);
        },
        async () => {
          const blocked = (await refunds(shop)).find(({ state }) => state === 'blocked')!;
          expect(await firing()).toEqual(['RefundBlocked']);
          await transaction(shop.db, (tx) => askRefundAgain(tx, blocked.id));
          await runRefunds(shop);
        },
      ),
    ).toEqual(FIRES_ONCE);
    await resolveAlerts();
  });

  test('a refund that the merchant’s sales do not cover for days', async () => {
    await oweBack();
    expect(
      await lifeOf(
        'RefundLate',
        async () => {
          await refuseRefund('AI1400');
          await runRefunds(shop);
          await ageRefunds(2 * DAY);
        },
        () => runRefunds(shop),
      ),
    ).toEqual(FIRES_ONCE);
  });

  test('a refund in cash that nobody pays out', async () => {
    await oweBack();
    expect(
      await lifeOf(
        'CashRefundOwed',
        async () => {
          await refuseRefund('AI1803');
          await runRefunds(shop);
          await ageRefunds(4 * DAY);
        },
        async () => {
          const { id } = (await refunds(shop)).find(
            ({ method, state }) => method === 'cash' && state === 'owed',
          )!;
          const handover = { paidBy: 'merchant', evidence: 'Vale firmado 118' } as const;
          await transaction(shop.db, (tx) => markRefundPaid(tx, id, handover));
        },
      ),
    ).toEqual(FIRES_ONCE);
    await resolveAlerts();
  });

  test('cash that names no purchase, until somebody finds whose it is', async () => {
    const bought = await buy(shop);
    let operationId = '';
    expect(
      await lifeOf(
        'UnappliedCash',
        async () => {
          const body = { reference: '9999888877776666', amount: 50, notice: { drop: true } };
          ({ operationId } = await shop.control('POST /control/cash/pay', body));
          await shop.job.check_cash_operation({ operationId }, log);
        },
        () => transaction(shop.db, (tx) => assignCash(tx, operationId, bought.id)),
      ),
    ).toEqual(FIRES_ONCE);
  });

  test('books that do not hold, until they are proven again', async () => {
    const bought = await buy(shop);
    // The database itself refuses it, unless somebody takes its triggers away.
    const shift = (centavos: number) =>
      owner(`alter table purchases disable trigger user;
        update purchases set paid_centavos = paid_centavos + ${centavos} where id = ${bought.id};
        alter table purchases enable trigger user`);
    expect(
      await lifeOf(
        'BooksBroken',
        async () => {
          await shift(100);
          await shop.job.prove_books(undefined, log);
        },
        async () => {
          await shift(-100);
          await shop.job.prove_books(undefined, log);
        },
      ),
    ).toEqual(FIRES_ONCE);
    const { rows } = await sql<{ subject: string }>`
      select subject from alerts where kind = 'books_broken' and resolved_at is null`.execute(shop.db);
    expect(rows.map(({ subject }) => subject)).toContain(
      'a plan sums to its price and its payments to what is paid',
    );
    await resolveAlerts();
  });

  test('notices of the cash network that are refused, and payments that usually come', async () => {
    const refuse = () => shop.ask('POST /webhooks/tapi', { body: {}, headers: { 'x-api-key': 'wrong' } });
    const earlier = await scrape();
    expect(await isRinging('CashNoticesRefused', earlier)).toBe(false);
    await refuse();
    expect(await isRinging('CashNoticesRefused', earlier)).toBe(true);
    caused.add('CashNoticesRefused');
    await resolveAlerts();
    await owner(`update cash_notices set received_at = received_at - interval '3 days'`);
    const came = (daysAgo: number) =>
      owner(
        `insert into cash_notices (provider, operation_id, body_hash, status, currency, outcome, received_at)
           select 'tapi', gen_random_uuid()::text, '', 'confirmed', 'MXN', 'noted', now() - ($1 + 7 * week) * interval '1 day' - interval '1 hour'
           from generate_series(0, $2) week, generate_series(1, 5)`,
        [daysAgo, daysAgo === 0 ? 0 : 3],
      );
    expect(
      await lifeOf(
        'CashSilent',
        () => came(7),
        () => came(0),
      ),
    ).toEqual(FIRES_ONCE);
  });

  test('a reference that nobody asks about, and a day that nobody compares', async () => {
    await storeNumber(shop, await buy(shop));
    const set = (age: string) =>
      owner(`update cash_references set created_at = now() - interval '${age}', polled_at = null`);
    expect(
      await lifeOf(
        'CashNotPolled',
        () => set('4 hours'),
        () => set('1 minute'),
      ),
    ).toEqual(FIRES_ONCE);
    const compared = () =>
      owner(
        `insert into audit_log (actor, command, subject_kind, subject_id)
           select 'test', 'cash compare', 'cash_day', ((now() at time zone 'America/Mexico_City')::date - n)::text
           from generate_series(1, 9) n`,
      );
    expect(await lifeOf('CashNotCompared', () => set('5 days'), compared)).toEqual(FIRES_ONCE);
  });

  test('books that nobody proved for more than a day', async () => {
    await shop.job.prove_books(undefined, log);
    expect(
      await lifeOf(
        'BooksNotProved',
        () => owner(`update book_proofs set proved_at = proved_at - interval '27 hours'`),
        () => shop.job.prove_books(undefined, log),
      ),
    ).toEqual(FIRES_ONCE);
  });
});

describe('work', () => {
  const jobs = (change: string, task = 'expire_references') =>
    owner(
      `update graphile_worker._private_jobs set ${change} where id in
         (select id from graphile_worker.jobs where task_identifier = $1)`,
      [task],
    );
  const add = (count: number) =>
    owner(
      `select graphile_worker.add_job('expire_references', run_at => now() + interval '1 hour', job_key => 'test ' || n)
         from generate_series(1, $1) n`,
      [count],
    );
  const remove = () => jobs(`run_at = 'infinity', attempts = 0, last_error = null`);

  test('a job that runs is measured', async () => {
    const worker = await startWorker(shop.jobs, shop.settings);
    const runs = async () =>
      (await scrape()).find(
        ({ name, labels }) => name === 'aparta_job_run_seconds_count' && labels['task'] === 'prove_books',
      );
    await owner(`select graphile_worker.add_job('prove_books')`);
    await expect.poll(runs).toMatchObject({ labels: { outcome: 'done' }, value: 1 });
    await worker.stop();
  });

  test('a job that gave up', async () => {
    expect(
      await lifeOf(
        'JobGaveUp',
        async () => {
          await add(1);
          await jobs(`attempts = max_attempts, last_error = 'x'`);
        },
        () =>
          owner(
            `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where attempts >= max_attempts),
             run_at => now() + interval '1 hour', attempts => 0)`,
          ),
      ),
    ).toEqual(FIRES_ONCE);
  });

  test('many jobs that fail', async () => {
    expect(
      await lifeOf(
        'JobsFail',
        async () => {
          await add(10);
          await jobs(`attempts = 3, last_error = 'x'`);
        },
        remove,
      ),
    ).toEqual(FIRES_ONCE);
  });

  test('jobs that are due and that no worker takes', async () => {
    await owner(`update graphile_worker._private_jobs set run_at = now() + interval '1 day'`);
    expect(await lifeOf('JobsNotRun', () => jobs(`run_at = now() - interval '6 minutes'`), remove)).toEqual(
      FIRES_ONCE,
    );
  });

  test('workers that hear nothing from the queue, screens that are told nothing, and a log that cannot be written', async () => {
    const metrics = openMetrics({ databaseUrl: shop.settings.databaseUrl, version: '0', freshMs: 0 });
    const vitals = { jobsSilentMs: { cards: 0, clock: 0 }, deafMs: 0, logFailures: 0 };
    metrics.instrumentation.vitals({
      pool: () => ({ inUse: 0, idle: 0, waiting: 0, most: 1 }),
      chargesPaused: () => false,
      jobsSilentMs: () => vitals.jobsSilentMs,
      streams: () => ({ open: 1, deafMs: vitals.deafMs }),
      logFailures: () => vitals.logFailures,
    });
    const earlier = readScrape(await metrics.text());
    const raised = async () => {
      const later = readScrape(await metrics.text());
      return RULES.filter(
        ({ expr }) => /jobs_silent|streams_deaf|log_failures/.test(expr) && fires(expr, { earlier, later }),
      );
    };
    expect(await raised()).toEqual([]);
    vitals.jobsSilentMs.cards = 61_000;
    vitals.deafMs = 61_000;
    vitals.logFailures = 1;
    expect((await raised()).map(({ alert }) => alert)).toEqual(['LogLost', 'JobsSilent', 'StreamsDeaf']);
    await metrics.close();
    caused.add('JobsSilent').add('StreamsDeaf').add('LogLost');
  });

  test('emails that wait, and emails that failed', async () => {
    await owner(`update outbox set state = 'sent', sent_at = now()`);
    await raiseEmail();
    const set = (change: string) => owner(`update outbox set ${change} where dedupe_key = 'alert'`);
    expect(
      await lifeOf(
        'EmailStuck',
        () => set(`created_at = now() - interval '1 hour'`),
        () => set(`created_at = now()`),
      ),
    ).toEqual(FIRES_ONCE);
    expect(
      await lifeOf(
        'EmailStuck',
        () => set(`state = 'failed'`),
        () => set(`state = 'dropped'`),
      ),
    ).toEqual(FIRES_ONCE);
  });
  const raiseEmail = () =>
    shop.db
      .insertInto('outbox')
      .values({ topic: 'layaway_paid', dedupe_key: 'alert', recipient: 'a@example.mx', facts: '{}' })
      .execute();

  test('ClaimOverdue', async () => {
    const bought = await buy(shop);
    await owner(
      `insert into claims (purchase_id, buyer_id, merchant_id, folio, notes, due_at) values ($1, $2, $3, 'K7Q2M9XW4T', '', now() + interval '1 day')`,
      [bought.id, bought.buyer.id, shop.merchantId],
    );
    expect(
      await lifeOf(
        'ClaimOverdue',
        () =>
          owner(
            `update claims set opened_at = now() - interval '9 days', due_at = now() - interval '1 minute'`,
          ),
        () => owner(`update claims set state = 'withdrawn', ended_at = now()`),
      ),
    ).toEqual(FIRES_ONCE);
  });

  test('PlanEndOverdue', async () => {
    const { id } = await buy(shop);
    expect(
      await lifeOf(
        'PlanEndOverdue',
        () =>
          owner(
            besideItsPlan(
              `update purchases set end_days_late = 30, next_due_on = current_date - 40 where id = ${id}`,
            ),
          ),
        // Somebody saw to it: the buyer is warned.
        async () => {
          const warned = await owner(
            `insert into end_warnings (purchase_id, due_on, step, ends_on)
               values ($1, current_date - 40, 'first', current_date + 14) returning id`,
            [id],
          );
          await owner(
            `insert into outbox (topic, dedupe_key, recipient, facts, state, sent_at)
               values ('end_warned', 'end_warning:' || $1, 'a@example.mx', '{}', 'sent', now())`,
            [warned[0].id],
          );
        },
      ),
    ).toEqual(FIRES_ONCE);
    const overdue = async () =>
      (await scrape()).find(({ name }) => name === 'aparta_plan_ends_overdue')?.value;
    const pass = (days: number) =>
      owner(`update outbox set sent_at = sent_at - $1 * interval '1 day' where topic = 'end_warned'`, [days]);
    // The last warning is for the eleventh day.
    await pass(11);
    expect(await overdue()).toBe(0);
    await pass(1);
    expect(await overdue()).toBe(1);
    await owner(
      besideItsPlan(
        `update purchases set end_days_late = null, next_due_on = (select min(due_on) from instalments
         where purchase_id = ${id} and paid_centavos < amount_centavos) where id = ${id}`,
      ),
    );
  });

  test.each([
    ['InvoiceInReview', 'review', 0],
    ['InvoiceLate', 'sending', 2 * DAY],
  ])('%s', async (alert, state, ageMs) => {
    const bought = await buy(shop);
    expect(
      await lifeOf(
        alert,
        () =>
          owner(
            `with client as (
             insert into fiscal_clients (buyer_id, rfc, name, email, postal_code, tax_regime, cfdi_use)
             values ($1, 'XAXX010101000', 'A', 'a@example.mx', '01000', '616', 'S01') returning id
           )
           insert into invoices (instalment_id, purchase_id, buyer_id, merchant_id, fiscal_client_id, state, payment_form,
               amount_centavos, iva_basis_points, receiver, receiver_revision, created_at)
           select $2, $3, $1, $4, client.id, $5, '01', 100, 1600, '{}', 1, now() - $6 * interval '1 ms' from client`,
            [bought.buyer.id, bought.instalmentIds[0], bought.id, shop.merchantId, state, ageMs],
          ),
        async () => {
          const { id } = await shop.db
            .selectFrom('invoices')
            .select('id')
            .orderBy('id', 'desc')
            .executeTakeFirstOrThrow();
          await owner(`update invoices set state = 'review' where id = $1`, [id]);
          await transaction(shop.db, (tx) => resolveInvoice(tx, id, { as: 'refused', message: 'no' }));
        },
      ),
    ).toEqual(FIRES_ONCE);
  });

  test('a backup that is too old, until the next one', async () => {
    const backedUp = (hoursAgo: number) =>
      owner(
        `insert into audit_log (at, actor, command, subject_kind, subject_id)
           values (now() - $1 * interval '1 hour', 'test', 'backup', 'backup', 'a')`,
        [hoursAgo],
      );
    expect(
      await lifeOf(
        'BackupOld',
        () => backedUp(27),
        () => backedUp(0),
      ),
    ).toEqual(FIRES_ONCE);
  });

  test('changes that do not reach the archive, where there is one', async () => {
    const name = 'aparta_archive_timestamp_seconds';
    expect((await scrape()).some((sample) => sample.name === name)).toBe(false);
    const archived = (hoursAgo: number) =>
      owner(
        `insert into audit_log (actor, command, subject_kind, subject_id, at)
           values ('test', 'archive check', 'archive', 'aparta', now() - $1 * interval '1 hour')`,
        [hoursAgo],
      );
    expect(
      await lifeOf(
        'ArchiveOld',
        () => archived(3),
        () => archived(0),
      ),
    ).toEqual(FIRES_ONCE);
  });

  test('a merchant whom nobody can pay by card', async () => {
    await resolveAlerts();
    expect(
      await lifeOf(
        'MerchantCannotCharge',
        () => raiseAlert(shop.db, 'merchant_key_refused', String(shop.merchantId), { why: '401' }),
        () => transaction(shop.db, (tx) => resolveAlert(tx, 'merchant_key_refused', String(shop.merchantId))),
      ),
    ).toEqual(FIRES_ONCE);
  });

  test('an alert that nobody resolved', async () => {
    await resolveAlerts();
    expect(
      await lifeOf(
        'AlertOpen',
        () => raiseAlert(shop.db, 'till_over_cap', 'a 7', {}),
        () => transaction(shop.db, (tx) => resolveAlert(tx, 'till_over_cap', 'a 7')),
      ),
    ).toEqual(FIRES_ONCE);
  });
});

describe('the files of ops/', () => {
  const RUNBOOK = read('docs/runbook.md');
  const anchors = [...RUNBOOK.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    (title ?? '')
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

  /** What Prometheus adds to a histogram's name. */
  const PART = /_(bucket|count|sum)$/;
  const dashboard = JSON.parse(read('ops/grafana/aparta.json')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  const PANELS = dashboard.panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
  );

  test('every alert was caused above, and where promtool is installed it says the same', () => {
    const known = RULES.map(({ alert }) => alert).filter((alert) => !NOT_OURS.includes(alert));
    expect([...caused].toSorted()).toEqual(known.toSorted());
    expect(seen.length).toBeGreaterThan(known.length * 2);
    expect(promtoolProblems(fileURLToPath(place('ops/prometheus/alerts.yml')), PANELS, seen)).toBe('');
  });

  test('every alert has its page in the runbook', () => {
    for (const { alert, annotations } of RULES) {
      expect(annotations.runbook_url).toBe(`{{ $externalLabels.runbook }}#${alert.toLowerCase()}`);
      expect(anchors).toContain(alert.toLowerCase());
    }
  });

  test('Prometheus tells Alertmanager, which has somebody for every severity', () => {
    const prometheus = parse(read('ops/prometheus/prometheus.yml'));
    expect(prometheus.alerting.alertmanagers[0].static_configs[0].targets).toEqual(['127.0.0.1:9093']);
    expect(prometheus.global.external_labels.runbook).toMatch(/^https:.*runbook\.md$/);
    const { route, receivers } = parse(read('ops/prometheus/alertmanager.yml'));
    const matched = route.routes.map(({ matchers: [matcher] }: { matchers: string[] }) => matcher);
    for (const { labels } of RULES) expect(matched).toContain(`severity="${labels.severity}"`);
    for (const { receiver } of [route, ...route.routes])
      expect(receivers.map(({ name }: { name: string }) => name)).toContain(receiver);
  });

  test('every statement of the runbook is one that the database understands', async () => {
    const blocks = [...RUNBOOK.matchAll(/```sql\n([^]*?)```/g)].map(([, block]) => block ?? '');
    const statements = blocks
      .flatMap((block) => block.replaceAll(/--.*$/gm, '').split(';'))
      .map((one) => one.trim());
    const understood = statements.filter((one) => one !== '' && !/^(begin|commit)$/.test(one));
    expect(understood.length).toBeGreaterThan(19);
    for (const statement of understood) {
      // A stand-in of each type that a value may have.
      const tries = ["'1'", `'${randomUUID()}'`].map((value) =>
        owner(`explain ${statement.replaceAll(/(?<!:):(?=[a-z])\w+/g, value)}`),
      );
      await expect(Promise.any(tries), statement).resolves.toBeDefined();
    }
  });

  test('the dashboard shows every metric of ours, and asks for metrics and labels that there are', async () => {
    await raiseAlert(shop.db, 'till_over_cap', 'a 7', {}); // a kind is seen while it is open
    const known = Map.groupBy(await scrape(), ({ name }) => name);
    expect(PANELS.length).toBeGreaterThan(20);
    expect(PANELS.filter((expr) => namesIn(expr).length === 0)).toEqual([]);
    for (const { name, labels } of PANELS.flatMap(namesIn)) {
      const there = known.get(name)?.flatMap((sample) => Object.keys(sample.labels)) ?? [];
      expect([name, known.has(name)]).toEqual([name, true]);
      expect([name, labels.filter((label) => !there.includes(label))]).toEqual([name, []]);
    }
    const shown = new Set(PANELS.flatMap(namesIn).map(({ name }) => name.replace(PART, '')));
    const ours = [...known.keys()].filter((name) => name.startsWith('aparta_'));
    expect(ours.filter((name) => !shown.has(name.replace(PART, '')))).toEqual([]);
  });
});
