import { randomUUID } from 'node:crypto';

import { defineEndpoint, type Endpoint, envelope } from '@aparta/contract/endpoint';
import { sql } from 'kysely';
import pg from 'pg';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { makeBuyer, makeServiceAccount, type MadeBuyer } from '../../../test/make.ts';
import { openRelay, type Relay } from '../../../test/relay.ts';
import { openSession } from '../../accounts/sessions/session.ts';
import { PATIENCE_MS } from '../db/admission.ts';
import { transaction } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { route, type Route, success } from './route.ts';

const POOL = 4;
const PLACES = POOL / 2;

let database: TestDatabase;
let relay: Relay;
let server: TestApp;
let buyer: MadeBuyer;
let till: string;
beforeAll(async () => {
  database = await createTestDatabase();
  relay = await openRelay(database.serverUrl);
  server = await startTestApp({
    env: {
      DATABASE_URL: relay.url,
      DATABASE_OWNER_URL: database.url,
      DATABASE_POOL: String(POOL),
      TEST_CLOCKS: JSON.stringify({
        patienceMs: PATIENCE_MS,
        callsPerBuyer: { times: 40, seconds: 30 },
        callsPerServiceAccount: { times: 200, seconds: 30 },
      }),
    },
  });
  buyer = await makeBuyer(server.db);
  till = (await makeServiceAccount(server.db, { kind: 'till', chain: 'ELEKTRA' })).token;
});
afterEach(() => relay.setDown(false));
afterAll(async () => {
  await server.close();
  await relay.close();
  await database.drop();
});

const readSessions = (token = buyer.token) => server.ask('GET /v1/TokenBuyer/Sessions', { token });
const operation = (idtransaccion: string) => ({ compañia: 'ELEKTRA', sucursal: '7', idtransaccion });
/** What a till may do without a purchase: block an operation that has not come. */
const block = (idtransaccion: string) =>
  server.ask('POST /PosOperations/reverse', { token: till, body: operation(idtransaccion) });
const stateOf = async (idtransaccion: string) =>
  (await server.ask('POST /PosOperations/query', { token: till, body: operation(idtransaccion) })).body
    .estado;

describe('the database is away', () => {
  test('buyers are told that nothing was done and when to ask again, tills error 11, and both are served after it', async () => {
    await readSessions();
    relay.setDown(true);
    const { status, headers, body } = await readSessions();
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'DATABASE_AWAY', '5']);
    const blocked = await block('during');
    expect([blocked.status, blocked.body, blocked.headers['retry-after']]).toEqual([
      200,
      { error: 11, mensaje: 'Ocupado, no se cobró, repite', autorizacion: '' },
      '5',
    ]);
    const probe = await server.ask('GET /readyz');
    expect([probe.status, (await server.ask('GET /healthz')).status]).toEqual([503, 200]);
    relay.setDown(false);
    expect((await readSessions()).status).toBe(200);
    expect(await stateOf('during')).toBe('desconocida');
  });

  test('a connection that is lost under a read, or before a commit, is replaced and nobody notices', async () => {
    relay.cutAt('sessions', 'after');
    expect((await readSessions()).status).toBe(200);
    relay.cutAt('begin', 'after');
    expect((await block('begun twice')).body.error).toBe(0);
    expect(await stateOf('begun twice')).toBe('revertida');
  });

  test.each(['before', 'after'] as const)(
    'one that is lost %s the commit passed leaves the till to ask: 99, never "nothing was booked"',
    async (when) => {
      const id = randomUUID();
      relay.cutAt('commit', when);
      expect((await block(id)).body).toMatchObject({
        error: 99,
        mensaje: expect.stringContaining('consulta'),
      });
      expect(await stateOf(id)).toBe(when === 'after' ? 'revertida' : 'desconocida');
      expect((await block(id)).body.error).toBe(0);
    },
  );
});

const probe = (name: string, access: Endpoint['access'] = 'public') =>
  defineEndpoint({
    name,
    summary: 'A probe.',
    method: 'POST',
    path: `/v1/Probe/${name}`,
    access,
    reply: envelope(v.null()),
    refusals: [],
  });

describe('the database says nothing', () => {
  const timeLimitMs = 300;
  const routes = [
    route(probe('Mine', ['buyer']), async () => success(null), { timeLimitMs }),
    route(
      probe('Missing', ['buyer']),
      async () => {
        relay.setSilent(true);
        throw new Refusal('NOT_FOUND');
      },
      { timeLimitMs },
    ),
  ];
  let probed: TestApp;
  beforeAll(async () => {
    probed = await startTestApp({
      app: { routes },
      env: { DATABASE_URL: relay.url, DATABASE_OWNER_URL: database.url },
    });
  });
  afterAll(() => probed.close());
  /** Well beyond the limits, well within what a silent connection is waited for. */
  const inTime = <T>(answer: Promise<T>) =>
    Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 10_000, 'too late'))]);

  test('what is not there, who calls, and whether the server is ready: each is answered within the limit of its call', async () => {
    const token = buyer.token;
    // A connection is open before any time is limited.
    expect((await probed.ask('GET /readyz')).status).toBe(200);
    expect(await inTime(probed.ask('POST /v1/Probe/Missing', { token }))).toMatchObject({ status: 503 });
    const [mine, ready] = await Promise.all([
      inTime(probed.ask('POST /v1/Probe/Mine', { token })),
      inTime(probed.ask('GET /readyz')),
    ]);
    expect(mine).toMatchObject({ status: 503, body: { code: 'DATABASE_AWAY' } });
    expect(ready).toMatchObject({ status: 503, body: { status: 'not ready' } });
    relay.setDown(true);
    relay.setSilent(false);
  });
});

describe('what the database refuses for the moment', () => {
  let isBehindCommit = false;
  /** Fails in a transaction with an error of PostgreSQL, perhaps behind one that was committed. */
  const failing = (code: string): Route =>
    route(probe(code), async () => {
      if (isBehindCommit)
        await transaction(server.jobs.db, (tx) =>
          tx.deleteFrom('rate_counters').where('expire', '=', -1).execute(),
        );
      await transaction(server.jobs.db, async (tx) => {
        await sql`do ${sql.raw(`$$ begin raise exception using errcode = '${code}'; end $$`)}`.execute(tx);
      });
      return success(null);
    });
  const CROWDED = ['55P03', '40P01', '40001', '57014'];
  const AWAY = ['53300', '53100', '57P01', '57P03', '25006', '08006'];
  let probed: TestApp;
  beforeAll(async () => {
    probed = await startTestApp({ app: { routes: [...CROWDED, ...AWAY, '22012'].map(failing) } });
  });
  afterAll(() => probed.close());
  const codeOf = async (errcode: string) => {
    const { status, body } = await probed.ask(`POST /v1/Probe/${errcode}`);
    return [status, body.code];
  };

  test.each(CROWDED)('%s, others were first: nothing was done, ask again', async (errcode) => {
    expect(await codeOf(errcode)).toEqual([503, 'BUSY']);
  });
  test.each(AWAY)('%s, it is stopping, full or no primary: away', async (errcode) => {
    expect(await codeOf(errcode)).toEqual([503, 'DATABASE_AWAY']);
  });
  test('a fault of ours stays one', async () => {
    expect(await codeOf('22012')).toEqual([500, 'INTERNAL']);
  });
  test('once something of the call is committed, nobody is told that nothing was done', async () => {
    isBehindCommit = true;
    for (const errcode of ['55P03', '57P01']) expect(await codeOf(errcode)).toEqual([503, 'TOO_SLOW']);
    isBehindCommit = false;
  });
});

describe('more is asked than the database can do', () => {
  /** Keeps payments waiting for a lock, and with them every place, until `let go`. */
  async function holdAll(): Promise<() => Promise<unknown>> {
    const owner = new pg.Client({ connectionString: server.ownerUrl });
    await owner.connect();
    await owner.query('begin');
    await owner.query('lock table till_operations');
    const stuck = Array.from({ length: PLACES }, () => block(randomUUID()));
    const waiting = `select from pg_locks where not granted and relation = 'till_operations'::regclass`;
    await expect.poll(async () => (await owner.query(waiting)).rowCount, { timeout: 20_000 }).toBe(PLACES);
    return async () => {
      await owner.end();
      await Promise.all(stuck);
    };
  }

  test('what waits for too long is told so: 503 BUSY, and error 11 at a till; nothing of it was booked', async () => {
    const letGo = await holdAll();
    const [list, blocked] = await Promise.all([readSessions(), block('crowded')]);
    expect([list.status, list.body.code, list.headers['retry-after']]).toEqual([503, 'BUSY', '1']);
    expect([blocked.status, blocked.body.error, blocked.headers['retry-after']]).toEqual([200, 11, '1']);
    await letGo();
    expect(await stateOf('crowded')).toBe('desconocida');
  });

  test('a store’s notice that finds no place is not lost: its cash is asked for', async () => {
    const notice = () =>
      server.ask('POST /webhooks/tapi', {
        body: { operationId: randomUUID(), status: 'confirmed' },
        headers: { 'x-api-key': 'aparta-development-notices' },
      });
    const asked = () =>
      server.db
        .selectNoFrom(
          sql<number>`(select count(*) from graphile_worker.jobs where key = 'poll_cash')`.as('count'),
        )
        .executeTakeFirst();
    const letGo = await holdAll();
    expect((await notice()).status).toBe(503);
    expect(await asked()).toEqual({ count: 0 });
    await letGo();
    await expect.poll(asked, { timeout: 20_000 }).toEqual({ count: 1 });
  });

  test('health checks are answered all the same', async () => {
    const letGo = await holdAll();
    expect((await server.ask('GET /healthz')).status).toBe(200);
    const ready = server.ask('GET /readyz');
    await readSessions();
    await letGo();
    expect((await ready).status).toBe(200);
  });

  test('a buyer who calls without end is told when to go on, in every session of theirs; others are served', async () => {
    const hasty = await makeBuyer(server.db);
    for (let n = 0; n < 40; n += 1) expect((await readSessions(hasty.token)).status).toBe(200);
    for (const token of [hasty.token, await openSession(server.db, hasty.id), hasty.token]) {
      const { status, body, headers } = await readSessions(token);
      expect([status, body.code, Number(headers['retry-after']) > 0]).toEqual([429, 'TOO_MANY', true]);
    }
    expect((await readSessions()).status).toBe(200);
  });
});
