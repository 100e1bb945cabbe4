import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { InstalmentWithPayments, PurchaseSummary } from '@aparta/contract/purchases';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { LIST_FILTERS } from '@aparta/domain/purchase-status';
import { createSandbox, type Sandbox } from '@aparta/sandbox/app';
import { createPasswords } from '@aparta/server/accounts/credentials/passwords';
import { compose, type Composition } from '@aparta/server/compose';
import { readSettings, type Settings } from '@aparta/server/env';
import { buildApp } from '@aparta/server/platform/http/app';
import { jobHandlers } from '@aparta/server/worker';
import { proveBooks } from '@aparta/server/ledger/books/proofs.read-model';
import { createLog } from '@aparta/server/platform/logging';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { demoStanding } from './demo-standing.ts';
import { makeDemo } from './make-demo.ts';
import { query } from './query.ts';
import { serverUrlOf } from './server-url.ts';
import { recreateDemo } from './recreate-demo.ts';

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
    DATABASE_URL: serverUrlOf(database.href),
    DATABASE_OWNER_URL: database.href,
    CLIP_API_BASE: sandbox.apiUrl,
    TAPI_LOGIN_BASE: sandbox.apiUrl,
    TAPI_API_BASE: sandbox.apiUrl,
    FACTURA_GREEN_BASE: sandbox.apiUrl,
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
    const { clip, tapi } = settings;
    const cardsAt = (apiBase: string) => makeDemo({ ...settings, clip: { ...clip, apiBase } });
    await expect(cardsAt('http://localhost:1')).rejects.toThrow('The sandbox does not answer');
    await expect(cardsAt('https://api.payclip.com')).rejects.toThrow('CLIP_API_BASE names');
    const storesAt = (apiBase: string) => makeDemo({ ...settings, tapi: { ...tapi, apiBase } });
    await expect(storesAt('https://api.tapila.cloud')).rejects.toThrow('TAPI_API_BASE names');
    expect(await count('buyers')).toBe(0);
    expect(await count('companies')).toBe(0);
  });

  test('is made once: over anything that is there already it changes nothing', async () => {
    expect(await makeDemo(settings)).toBe(true);
    const made = { charges: (await charges()).length, purchases: await count('purchases') };
    expect(made).toEqual({ charges: 6, purchases: 19 });

    expect(await makeDemo(settings)).toBe(false);
    expect({ charges: (await charges()).length, purchases: await count('purchases') }).toEqual(made);
  });

  test('has books that hold, also after every job that it left has run', async () => {
    expect(await proveBooks(product.db)).toEqual([]);
    const jobs = jobHandlers(product.jobs);
    for (const { id } of await rows<{ id: string }>('select id from card_attempts'))
      await jobs.resolve_attempt({ attemptId: id }, log);
    for (const { id } of await rows<{ id: number }>('select id from refunds'))
      await jobs.refund_card({ refundId: id }, log);
    await jobs.sweep_card_payments(undefined, log);
    await jobs.expire_references(undefined, log);

    expect(await proveBooks(product.db)).toEqual([]);
    expect(await count('alerts')).toBe(0);
    expect(await rows('select distinct state from card_attempts')).toEqual([{ state: 'applied' }]);
  });

  test('lets both buyers, the till and the integrator in, each by its own call', async () => {
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

  test('shows a purchase in every state, the late one first, then the newest, each as its screens read it', async () => {
    const { buyerId, get } = await signIn('demo@aparta.mx');
    const list = async (status: number) =>
      (await get<PurchaseSummary[]>(`/v1/Cxc/ByBuyerIdH/${buyerId}?status=${status}`)).map((purchase) => ({
        what: purchase.descripcion,
        paid: `${purchase.numCxcPagadas} of ${purchase.numCxc}`,
        late: purchase.late,
        next: purchase.nextInstalment?.balance ?? null,
      }));
    const inPart = { what: 'Colchón matrimonial', paid: '1 of 13', late: false, next: 249.99 };
    const onePaid = { what: 'Pantalla 55 pulgadas 4K', paid: '1 of 5', late: false, next: 1_999.8 };
    const cancelled = { what: 'Laptop 14 pulgadas', paid: '1 of 5', late: false, next: null };
    const late = { what: 'Refrigerador 14 pies', paid: '1 of 3', late: true, next: 3_399.6 };
    const paidOff = { what: 'Licuadora de 10 velocidades', paid: '3 of 3', late: false, next: null };
    expect(await list(LIST_FILTERS.all)).toEqual([late, inPart, onePaid, cancelled, paidOff]);
    expect(await list(LIST_FILTERS.active)).toEqual([late, inPart, onePaid]);
    expect(await list(LIST_FILTERS.paid_off)).toEqual([paidOff]);
    expect(await list(LIST_FILTERS.cancelled)).toEqual([cancelled]);

    const other = await signIn('otra@aparta.mx');
    const others = await other.get<PurchaseSummary[]>(`/v1/Cxc/ByBuyerIdH/${other.buyerId}`);
    expect(others.map(({ descripcion }) => descripcion)).toEqual(['Teléfono 128 GB']);
  });

  test('has an instalment that is ten days late, and one that was paid in part at the till', async () => {
    const days = (count: number) => new Date(Date.now() + count * 86_400_000);
    const [, late] = await instalmentsOf('Refrigerador 14 pies');
    expect(late).toMatchObject({
      late: true,
      visibleAlPago: true,
      fechaVencimiento: mexicoCityDate(days(-10)),
    });
    const [, inPart] = await instalmentsOf('Colchón matrimonial');
    expect(inPart).toMatchObject({
      pagos: 200,
      saldo: 249.99,
      late: false,
      notasCxc: expect.stringMatching(/^Pago parcial en caja \d{1,2} [a-z]{3}$/) as string,
      cxcPagos: [{ monto: 200, method: 'till', last4: null }],
    });
  });

  test('has a purchase that was paid off by credit, by debit and in cash at a till and a store', async () => {
    const payments = (await instalmentsOf('Licuadora de 10 velocidades')).flatMap(
      ({ identificador, cxcPagos }) =>
        cxcPagos.map(({ monto, method, last4, fechaExpedicion }) => ({
          number: identificador,
          monto,
          method,
          last4,
          days: Math.round((Date.now() - Date.parse(fechaExpedicion)) / 86_400_000),
        })),
    );
    expect(payments).toEqual([
      { number: 1, monto: 229.9, method: 'card', last4: '7669', days: 44 },
      { number: 2, monto: 459.8, method: 'card', last4: '1956', days: 15 },
      { number: 3, monto: 200, method: 'till', last4: null, days: 8 },
      { number: 3, monto: 259.8, method: 'cash', last4: null, days: 1 },
    ]);
    expect(await rows('select distinct card_type as card from card_attempts order by 1')).toEqual([
      { card: 'credit_card' },
      { card: 'debit_card' },
    ]);
  });

  test('has one instalment invoiced, and the tax identity that it is made out to', async () => {
    const instalments = await instalmentsOf('Licuadora de 10 velocidades');
    expect(instalments.map(({ numfactura, mayBeInvoiced }) => [numfactura, mayBeInvoiced])).toEqual([
      ['A1001', false],
      [null, true],
      [null, true],
    ]);
    expect(instalments[0]?.invoice).toMatchObject({
      state: 'issued',
      amount: 229.9,
      hasPdf: true,
      hasXml: true,
    });
    const { buyerId, get } = await signIn('demo@aparta.mx');
    expect(await get(`/v1/ClientSat/GetAllBySecurityBuyerIdAsync/${buyerId}`)).toMatchObject([
      {
        rfc: 'REOM900315QHA',
        name: 'MARISOL REYES ORTEGA',
        fGecustomeruuid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      },
    ]);
  });

  test('has a cancelled purchase, and what was left of its deposit is back on the card', async () => {
    const { get } = await signIn('demo@aparta.mx');
    const id = await purchaseOf('Laptop 14 pulgadas');
    expect(await get(`/v1/Sales/GetAsync/${id}`)).toMatchObject({
      saleStatusId: 2,
      cancelNotes: 'Encontré otra más cerca',
    });
    // 2,499.80 less the penalty of 300.00; its service fee is kept.
    expect(await get(`/v1/Sales/RefundsAsync/${id}`)).toMatchObject([
      { amount: 2_199.8, way: 'card', state: 'done', last4: '7669', doneAt: expect.any(String) as string },
    ]);
  });

  test('leaves demo a deposit to pay, and an instalment whose number waits at a store', async () => {
    const open = await rows(
      `select b.email, l.expires_at > now() as alive from layaway_references l join buyers b on b.id = l.buyer_id
        where l.state = 'open'`,
    );
    expect(open).toEqual([{ email: 'demo@aparta.mx', alive: true }]);

    const [, next] = await instalmentsOf('Pantalla 55 pulgadas 4K');
    const [waiting] = await rows<{ instalment: number; number: string }>(
      `select instalment_id::float8 as instalment, provider_reference as number from cash_references
        where state = 'issued' and upper(valid) > now()`,
    );
    expect(waiting?.instalment).toBe(next?.id);
    const { get } = await signIn('demo@aparta.mx');
    const shown = await get('/v1/Tapi/GenerateReference', {
      generationData: [{ identifierValue: next?.paymentReference }],
    });
    expect(shown).toMatchObject({ references: [{ value: waiting?.number }], amount: 1_999.8 });
  });

  test('has a month of a counter: who is late, a drawer that was short, money taken back, and today’s without a cut', async () => {
    expect(
      await rows(`select count(*) filter (where late between 1 and 30)::int as "to30",
          count(*) filter (where late between 31 and 60)::int as "to60", count(*) filter (where late > 60)::int as more
        from (select app_now()::date - min(i.due_on) as late
          from purchases p join instalments i on i.purchase_id = p.id and i.paid_centavos < i.amount_centavos
          where p.merchant_id = 1 and p.state = 'active' group by p.id) as standing`),
    ).toEqual([{ to30: 2, to60: 1, more: 1 }]);
    expect(
      await rows(`select reason, cash_returned_centavos > 0 as back from counter_cuts
        where counted_centavos <> float_centavos + cash_taken_centavos - cash_returned_centavos or cash_returned_centavos > 0
        order by reason`),
    ).toEqual([
      { reason: expect.stringContaining('billete'), back: false },
      { reason: null, back: true },
    ]);
    expect(await rows(`select count(*)::int as n from counter_operations where cut_id is null`)).toEqual([
      { n: 1 },
    ]);
    const [laura] = await rows<{ pin_hash: string }>(
      `select pin_hash from staff_pins p join staff s on s.id = p.staff_id where s.email = 'caja@aparta.mx'`,
    );
    expect(await createPasswords().verify(laura?.pin_hash, '583164')).toBe(true);
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

  test('that was broken off half-way says so, and is not taken for a whole one', async () => {
    const { url, template } = inject('testServer');
    const name = `${DATABASE}_half`;
    await administer(`create database ${name} template ${template} strategy wal_log`);
    try {
      const database = new URL(url);
      database.pathname = `/${name}`;
      const there = {
        ...settings,
        databaseUrl: serverUrlOf(database.href),
        databaseOwnerUrl: database.href,
      };
      await control('faults', { call: 'createReference', kind: 'status', status: 500 });
      await expect(makeDemo(there)).rejects.toThrow('PROVIDER_DOWN');
      expect(await demoStanding(database.href)).toBe('half');
      await expect(makeDemo(there)).rejects.toThrow('broken off half-way');
      expect(await demoStanding(settings.databaseUrl)).toBe('kept');
    } finally {
      await administer(`drop database ${name} with (force)`);
    }
  });

  test('is made anew: what was changed since is gone, at the sandbox too', async () => {
    await client.query('delete from product_pictures; delete from products where id = 12');
    await client.query(`update buyers set name = 'Otra persona'`);
    await client.query('create table left_behind ()');
    const { buyerId } = await signIn('demo@aparta.mx');
    const refusal = recreateDemo({ ...settings, production: true });
    await expect(refusal).rejects.toThrow('never made in production');
    const elsewhere = { ...settings, clip: { ...settings.clip, apiBase: 'https://api.payclip.com' } };
    await expect(recreateDemo(elsewhere)).rejects.toThrow('CLIP_API_BASE names');
    expect(await rows('select distinct name from buyers')).toEqual([{ name: 'Otra persona' }]);

    await recreateDemo(settings);
    expect({ charges: (await charges()).length, purchases: await count('purchases') }).toEqual({
      charges: 6,
      purchases: 19,
    });
    expect(await rows(`select name from products where id = 12`)).toHaveLength(1);
    expect(await rows(`select from buyers where name = 'Otra persona'`)).toEqual([]);
    expect(await rows(`select to_regclass('left_behind') as name`)).toEqual([{ name: null }]);
    expect(await proveBooks(product.db)).toEqual([]);
    expect((await signIn('demo@aparta.mx')).buyerId).toBe(buyerId);
  });

  test.each(['seed', 'demo'])('npm run %s never gets into production', async (command) => {
    const seed = fileURLToPath(new URL(`./${command}.ts`, import.meta.url));
    const env = { ...process.env, NODE_ENV: 'production', DATABASE_URL: settings.databaseUrl };
    const { status, stdout } = spawnSync(process.execPath, [seed], { env, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: 'aparta: Demo data is never made in production.\n',
    });
    expect(await count('purchases')).toBe(19);
  });

  test('does not empty a database that somebody brought, unasked', async () => {
    const demo = fileURLToPath(new URL('./demo.ts', import.meta.url));
    const { SEED_DEMO: _unset, ...rest } = process.env;
    const env = { ...rest, DATABASE_URL: settings.databaseUrl };
    const { status, stdout } = spawnSync(process.execPath, [demo], { env, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: expect.stringContaining('would empty the database of DATABASE_URL') as string,
    });
    expect(await count('purchases')).toBe(19);
  });
});

function settingsOf(env: Record<string, string>): Settings {
  const read = readSettings(env);
  if ('problems' in read) throw new Error(read.problems.join('; '));
  return read.settings;
}

const administer = (statement: string) => query(inject('testServer').url, statement);

async function rows<T extends object>(query: string): Promise<T[]> {
  return (await client.query<T>(query)).rows;
}

async function count(table: string): Promise<number> {
  const [row] = await rows<{ n: number }>(`select count(*)::int as n from ${table}`);
  return row?.n ?? -1;
}

/** The oracle: what the sandbox charged. */
async function charges(): Promise<unknown[]> {
  const response = await fetch(`${sandbox.apiUrl}/control/log`);
  return ((await response.json()) as { payments: unknown[] }).payments;
}

async function control(what: string, body: object): Promise<void> {
  const { ok } = await fetch(`${sandbox.apiUrl}/control/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(ok).toBe(true);
}

async function post(url: string, payload: object): Promise<Record<string, unknown>> {
  const reply = await app.inject({ method: 'POST', url, payload });
  return reply.json();
}

/** A demo buyer, and the `data` of what they ask for: a GET, or a POST where there is something to send. */
async function signIn(user: string) {
  const { data } = await post('/v1/TokenBuyer/Authenticate', { user, password: 'aparta-demo-2026' });
  const { id: buyerId, token } = data as { id: number; token: string };
  return {
    buyerId,
    async get<T = unknown>(url: string, payload?: object): Promise<T> {
      const reply = await app.inject({
        method: payload === undefined ? 'GET' : 'POST',
        url,
        headers: { authorization: `Bearer ${token}` },
        ...(payload !== undefined && { payload }),
      });
      expect({ url, status: reply.statusCode }).toEqual({ url, status: 200 });
      return reply.json<{ data: T }>().data;
    },
  };
}

async function purchaseOf(product: string): Promise<number> {
  const { buyerId, get } = await signIn('demo@aparta.mx');
  const purchases = await get<PurchaseSummary[]>(`/v1/Cxc/ByBuyerIdH/${buyerId}`);
  return purchases.find(({ descripcion }) => descripcion === product)?.ventaId ?? 0;
}

async function instalmentsOf(product: string): Promise<InstalmentWithPayments[]> {
  const { get } = await signIn('demo@aparta.mx');
  return get(`/v1/Cxc/ByBusinesidVentaidDateD/${await purchaseOf(product)}`);
}
