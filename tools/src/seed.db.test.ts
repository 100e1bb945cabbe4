import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { isLate } from '@aparta/domain/instalments';
import { centavos } from '@aparta/domain/money';
import { createSandbox, type Sandbox } from '@aparta/sandbox/app';
import { compose, type Composition } from '@aparta/server/compose';
import { readSettings, type Settings } from '@aparta/server/env';
import { buildApp } from '@aparta/server/http/app';
import { jobHandlers } from '@aparta/server/jobs/worker';
import { proveBooks } from '@aparta/server/ledger/proofs';
import { createLog } from '@aparta/server/logging';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { makeDemo } from './make-demo.ts';

const DATABASE = `seed_${randomBytes(6).toString('hex')}`;
const log = createLog('silent');

let sandbox: Sandbox;
let settings: Settings;
let product: Composition;
let app: Awaited<ReturnType<typeof buildApp>>;
let client: pg.Client;

beforeAll(async () => {
  const { url, template } = inject('testServer');
  await administer(`create database ${DATABASE} template ${template} strategy wal_log`);
  sandbox = await createSandbox({ productOrigin: 'http://localhost:3700' });
  const database = new URL(url);
  database.pathname = `/${DATABASE}`;
  settings = settingsOf({
    DATABASE_URL: database.href,
    CLIP_API_BASE: sandbox.apiUrl,
    PUBLIC_ORIGIN: 'http://localhost:3700',
  });
  product = compose(settings, log);
  const { web: _built, ...wired } = product.app;
  app = await buildApp(wired);
  client = new pg.Client({ connectionString: database.href });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await app.close();
  await product.stop();
  await sandbox.close();
  await administer(`drop database ${DATABASE} with (force)`);
});

describe('the demo', () => {
  test('is not begun without the sandbox, so that nothing is left half made', async () => {
    const elsewhere = (apiBase: string) => makeDemo({ ...settings, clip: { ...settings.clip, apiBase } });
    await expect(elsewhere('http://localhost:1')).rejects.toThrow('The sandbox does not answer');
    await expect(elsewhere('https://api.payclip.com')).rejects.toThrow('CLIP_API_BASE names');
    expect(await count('buyers')).toBe(0);
    expect(await count('companies')).toBe(0);
  });

  test('is made once: over anything that is there already it changes nothing', async () => {
    expect(await makeDemo(settings)).toBe(true);
    const made = { charges: (await charges()).length, purchases: await count('purchases') };
    expect(made).toEqual({ charges: 3, purchases: 4 });

    expect(await makeDemo(settings)).toBe(false);
    expect({ charges: (await charges()).length, purchases: await count('purchases') }).toEqual(made);
  });

  test('has books that hold, also after every job that it left has run', async () => {
    expect(await proveBooks(product.db)).toEqual([]);
    const jobs = jobHandlers(product.jobs);
    for (const { id } of await rows<{ id: string }>('select id from card_attempts'))
      await jobs.settle_attempt({ attemptId: id }, log);
    await jobs.sweep_card_payments(undefined, log);
    await jobs.expire_references(undefined, log);

    expect(await proveBooks(product.db)).toEqual([]);
    expect(await count('alarms')).toBe(0);
    expect(await rows('select distinct state from card_attempts')).toEqual([{ state: 'applied' }]);
  });

  test('lets both buyers, the till and the integrator in, each through its own door', async () => {
    const token = expect.any(String) as string;
    for (const user of ['demo@aparta.mx', 'otra@aparta.mx']) {
      const signedIn = await post('/v1/TokenBuyer/Authenticate', { user, password: 'aparta-demo-2026' });
      expect(signedIn).toMatchObject({ data: { token } });
    }
    const till = { User: 'caja-demo', Password: 'caja-demo-2026' };
    expect(await post('/User/authenticate', till)).toMatchObject({ token });
    const integrator = { User: 'integrador-demo', Password: 'integrador-demo-2026' };
    expect(await post('/v1/Users/Authenticate', integrator)).toMatchObject({ data: { token } });
  });

  test("shows the second instalment of demo's oldest purchase as late, and no other one", async () => {
    const today = mexicoCityDate(new Date());
    const instalments = await rows<{
      email: string;
      number: number;
      due: string;
      left: number;
      days: number;
    }>(
      `select b.email, i.number, i.due_on::text as due, i.amount_centavos - i.paid_centavos as left,
              extract(day from now() - p.created_at)::int as days
         from instalments i join purchases p on p.id = i.purchase_id join buyers b on b.id = p.buyer_id`,
    );
    const late = instalments.filter(({ number, due, left }) =>
      isLate({ number, dueOn: due, balanceCentavos: centavos(left) }, today),
    );
    expect(late).toMatchObject([{ email: 'demo@aparta.mx', number: 2, days: 40 }]);
  });

  test('was paid by credit, by debit and in cash, on the days it tells', async () => {
    const paid = await rows(
      `select b.email, r.channel, a.card_type as card, extract(day from now() - r.received_at)::int as days
         from receipts r join buyers b on b.id = r.buyer_id left join card_attempts a on a.id::text = r.source_id
        order by r.id`,
    );
    expect(paid).toEqual([
      { email: 'demo@aparta.mx', channel: 'card', card: 'credit_card', days: 40 },
      { email: 'demo@aparta.mx', channel: 'card', card: 'debit_card', days: 10 },
      { email: 'otra@aparta.mx', channel: 'card', card: 'credit_card', days: 5 },
      { email: 'demo@aparta.mx', channel: 'till', card: null, days: 3 },
    ]);
  });

  test('leaves demo one reference to pay', async () => {
    const open = await rows(
      `select b.email, l.expires_at > now() as alive from layaway_references l join buyers b on b.id = l.buyer_id
        where l.state = 'open'`,
    );
    expect(open).toEqual([{ email: 'demo@aparta.mx', alive: true }]);
  });

  test('has the product that is printed everywhere: merchant 1, product 1, 600.00 of 3,000.00', async () => {
    const [printed] = await rows(
      `select p.merchant_id, p.sale_price_centavos as price, m.deposit_basis_points as deposit,
              m.frequency_days as every, m.plan_duration_days as during, m.service_fee_centavos as fee,
              m.service_fee_methods as methods
         from products p join merchants m on m.id = p.merchant_id where p.id = 1`,
    );
    expect(printed).toEqual({
      merchant_id: 1,
      price: 300_000,
      deposit: 2_000,
      every: 30,
      during: 60,
      fee: 1_500,
      methods: ['card'],
    });
    expect(await count('products')).toBeGreaterThanOrEqual(12);
    const keys = await rows('select merchant_id from provider_credentials order by 1');
    expect(keys).toEqual([{ merchant_id: 1 }, { merchant_id: 2 }]);
  });

  test('never gets into production', () => {
    const seed = fileURLToPath(new URL('./seed.ts', import.meta.url));
    const env = { ...process.env, NODE_ENV: 'production', DATABASE_URL: settings.databaseUrl };
    const { status, stdout } = spawnSync(process.execPath, [seed], { env, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: 'aparta: Demo data is never made in production.\n',
    });
  });
});

function settingsOf(env: Record<string, string>): Settings {
  const read = readSettings(env);
  if ('problems' in read) throw new Error(read.problems.join('; '));
  return read.settings;
}

async function administer(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('testServer').url });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}

async function rows<T extends object>(query: string): Promise<T[]> {
  return (await client.query<T>(query)).rows;
}

async function count(table: string): Promise<number> {
  const [row] = await rows<{ n: number }>(`select count(*)::int as n from ${table}`);
  return row?.n ?? -1;
}

/** The witness: what the sandbox charged. */
async function charges(): Promise<unknown[]> {
  const response = await fetch(`${sandbox.apiUrl}/control/log`);
  return ((await response.json()) as { payments: unknown[] }).payments;
}

async function post(url: string, payload: object): Promise<Record<string, unknown>> {
  const reply = await app.inject({ method: 'POST', url, payload });
  return reply.json();
}
