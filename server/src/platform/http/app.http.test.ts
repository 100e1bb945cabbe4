import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { insertBuyer, logout } from '@aparta/contract/account';
import { defineEndpoint, envelope } from '@aparta/contract/endpoint';
import { onLayaway } from '@aparta/contract/tills';
import { sql } from 'kysely';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openCollector } from '../../../test/collector.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeBuyer, makeServiceAccount, makeMerchant, PASSWORD } from '../../../test/make.ts';
import { isReady } from '../db/ready.ts';
import { createLog } from '../logging.ts';
import { Refusal } from '../refusal.ts';
import { route, success } from './route.ts';

const CANARY = 'canary-4242424242424242-cvv-123';

/** Calls that behave as no call of ours should. */
const probe = (name: string) =>
  defineEndpoint({
    name,
    summary: 'A probe.',
    method: 'POST',
    path: `/v1/Probe/${name}`,
    access: 'public',
    body: v.object({ text: v.optional(v.string()), limit: v.optional(v.string()) }),
    reply: envelope(v.object({ text: v.string() })),
    refusals: [],
  });
const probes = [
  route(probe('Breaks'), async () => {
    throw new Error('broken');
  }),
  route(probe('Hangs'), () => new Promise<never>(() => {}), { timeLimitMs: 50 }),
  route(probe('LeaksField'), async () => ({ ...success({ text: '', secret: CANARY }) })),
  route(probe('Lies'), async () => success({ text: 1 as unknown as string })),
  route(probe('Waits'), async () => {
    throw new Refusal('TOO_MANY_REJECTIONS', { retryAfterSeconds: 61.2, amount: 615 });
  }),
  route(
    {
      ...probe('Renames'),
      productField: 'apartaBusinnessId',
      body: v.object({ apartaBusinnessId: v.number() }),
    },
    async ({ body }) => success({ text: String(body.apartaBusinnessId) }),
  ),
  route(onLayaway, async ({ body }) => ({ error: 0, mensaje: 'Autorizado', autorizacion: body.sucursal })),
];

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ env: { PRODUCT_WIRE_NAME: 'tienda', CORS_ORIGINS: 'https://app.example' } });
});
afterAll(() => server.close());

async function withProbes<T>(work: (probed: TestApp) => Promise<T>): Promise<T> {
  const probed = await startTestApp({ env: { PRODUCT_WIRE_NAME: 'tienda' }, app: { routes: probes } });
  try {
    return await work(probed);
  } finally {
    await probed.close();
  }
}

describe('what is wrong with a request is said in the envelope', () => {
  test('an unknown path', async () => {
    const { status, body } = await server.ask('GET /v1/Nothing/Here');
    expect(status).toBe(404);
    expect(body).toEqual({
      isSuccess: false,
      code: 'NOT_FOUND',
      message: 'It does not exist, or it is not yours.',
      data: null,
    });
  });

  test('a wrong method, with the ones there are', async () => {
    const { status, headers, body } = await server.ask(`DELETE ${logout.path}?all`);
    expect([status, body.code, headers['allow']]).toEqual([405, 'METHOD_NOT_ALLOWED', 'POST']);
    // The body is not read for it, and the log names the route without what fills its place.
    const sent = await server.ask(`PUT /v1/counter/devices/secret-7/revoke`, {
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    expect([sent.status, sent.headers['allow']]).toEqual([405, 'POST']);
    expect(server.logged()).toContain('"route":"/v1/counter/devices/:deviceId/revoke","status":405');
    expect(server.logged()).not.toContain('secret-7');
  });

  test('a body that is too large, before anybody reads it', async () => {
    const { status, body } = await server.ask(`POST ${insertBuyer.path}`, {
      body: { user: 'x'.repeat(10 * 1024 * 1024) },
    });
    expect([status, body.code]).toEqual([413, 'BODY_TOO_LARGE']);
  });

  test('a body that is not JSON by its type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const { status, body } = await server.ask(`POST ${insertBuyer.path}`, {
        body: 'user=a',
        headers: { 'content-type': type },
      });
      expect([status, body.code]).toEqual([415, 'UNSUPPORTED_BODY']);
    }
  });

  test.each(['{', 'null', '[]', '"text"', '1', '', '{"user":{"$gt":""}}'])('the body %s', async (body) => {
    const answer = await server.ask(`POST ${insertBuyer.path}`, { body });
    expect([answer.status, answer.body.code]).toEqual([422, 'INVALID_INPUT']);
  });

  test('a very deep body', async () => {
    const depth = 30_000;
    const { status } = await server.ask(`POST ${insertBuyer.path}`, {
      body: `{"user":${'['.repeat(depth)}${']'.repeat(depth)}}`,
    });
    expect(status).toBe(422);
  });

  test('an address that cannot be decoded', async () => {
    expect((await server.ask('GET /v1/SecurityBuyer/GetByEmailAsync/%E0%A4%A')).status).toBe(404);
  });

  test('a refusal never carries back what was sent', async () => {
    const { body } = await server.ask(`POST ${insertBuyer.path}`, {
      body: { user: [CANARY], password: [CANARY] },
    });
    expect(JSON.stringify(body)).not.toContain('canary');
  });

  test('a bug is one sentence and a request id', () =>
    withProbes(async (probed) => {
      const { status, body, headers } = await probed.ask('POST /v1/Probe/Breaks', { body: {} });
      expect(status).toBe(500);
      expect(body).toEqual({
        isSuccess: false,
        code: 'INTERNAL',
        message: 'Something failed on the server; the request id finds it in the logs.',
        data: null,
        requestId: headers['x-request-id'],
      });
      expect(probed.logged()).toContain(String(headers['x-request-id']));
    }));

  test('a call that takes too long is answered, with when to look again', () =>
    withProbes(async (probed) => {
      const { status, body, headers } = await probed.ask('POST /v1/Probe/Hangs', { body: {} });
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'TOO_SLOW', '5']);
    }));

  test('a wait is said in whole seconds, and the facts come along', () =>
    withProbes(async (probed) => {
      const { status, body, headers } = await probed.ask('POST /v1/Probe/Waits', { body: {} });
      expect([status, headers['retry-after']]).toEqual([429, '62']);
      expect(body).toMatchObject({ code: 'TOO_MANY_REJECTIONS', facts: { amount: 615 } });
    }));

  test('a reply that the contract does not describe fails in tests, a field too many as well', () =>
    withProbes(async (probed) => {
      expect((await probed.ask('POST /v1/Probe/Lies', { body: {} })).status).toBe(500);
      const leaky = await probed.ask('POST /v1/Probe/LeaksField', { body: {} });
      expect(leaky.status).toBe(500);
      expect(JSON.stringify(leaky.body)).not.toContain('canary');
    }));

  test("a field that begins with the product's name is read under that name", () =>
    withProbes(async (probed) => {
      const { body } = await probed.ask('POST /v1/Probe/Renames', { body: { tiendaBusinnessId: 7 } });
      expect(body.data.text).toBe('7');
    }));
});

describe('tills are answered in their own form', () => {
  const call = `POST ${onLayaway.path}`;
  const tillForm = { error: 12, mensaje: expect.any(String), autorizacion: '' };

  test('without a session, with another kind of token, with a wrong method', () =>
    withProbes(async (probed) => {
      const stranger = await probed.ask(call, { body: {} });
      expect([stranger.status, stranger.body]).toEqual([401, tillForm]);
      const merchantId = await makeMerchant(probed.db);
      const { token } = await makeServiceAccount(probed.db, { kind: 'integrator', merchantId });
      const integrator = await probed.ask(call, { token, body: {} });
      expect([integrator.status, integrator.body]).toEqual([403, tillForm]);
      const wrong = await probed.ask(`GET ${onLayaway.path}`);
      expect([wrong.status, wrong.body]).toEqual([405, tillForm]);
      expect((await probed.ask('POST /PosOperations/Nothing', { body: {} })).body).toEqual(tillForm);
    }));

  test('whatever they send once they are in, a malformed body included', () =>
    withProbes(async (probed) => {
      const { token } = await makeServiceAccount(probed.db, { kind: 'till', chain: 'ELEKTRA' });
      const good = {
        referencia: '11234567890',
        importe: 600,
        compañia: 'ELEKTRA',
        sucursal: 7,
        idtransaccion: 'a',
      };
      const bodies = [
        '{',
        '[]',
        '{}',
        { ...good, importe: '600' },
        { ...good, importe: 600.004 },
        'x'.repeat(1e5),
      ];
      for (const body of bodies) {
        const answer = await probed.ask(call, { token, body });
        expect([answer.status, answer.body]).toEqual([200, tillForm]);
      }
      expect((await probed.ask(call, { token, body: good })).body).toMatchObject({
        error: 0,
        autorizacion: '7',
      });
    }));
});

describe('request ids', () => {
  test('a sane one is kept, anything else is replaced', async () => {
    const idFor = async (given: string) =>
      (await server.ask('GET /ip', { headers: { 'x-request-id': given } })).headers['x-request-id'];
    expect(await idFor('checkout-7f3a.1')).toBe('checkout-7f3a.1');
    for (const bad of ['short', 'with space in it', 'x'.repeat(65), '"},{"level":"fatal', 'línea-nueva']) {
      expect(await idFor(bad)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe('logs', () => {
  test('hold no password, token, email address, code or card, wherever one was sent', async () => {
    const ana = await makeBuyer(server.db, { email: 'canary-mail@example.mx' });
    await Promise.all([
      server.ask('POST /v1/TokenBuyer/Authenticate', { body: { user: ana.email, password: CANARY } }),
      server.ask('POST /v1/TokenBuyer/Authenticate', { body: `{"password":"${CANARY}` }),
      server.ask('POST /v1/SecurityBuyer/InsertAsync', { body: { user: ana.email, password: CANARY } }),
      server.ask('POST /v1/SecurityBuyer/InsertAsync', { body: { user: 7, password: CANARY } }),
      server.ask(`GET /v1/SecurityBuyer/GetByEmailAsync/${ana.email}?code=${CANARY}`),
      server.ask(`GET /v1/UserBuyerClient/GetByUserIdAsync/${ana.id}?token=${CANARY}`, { token: ana.token }),
      server.ask('POST /v1/TokenBuyer/Logout', {
        token: CANARY,
        headers: { cookie: CANARY, referer: CANARY },
      }),
      server.ask(`GET /v1/AzureBlobStorage/Download/${CANARY}`, { token: ana.token }),
      server.ask(`POST /v1/Clib/CreatePaymentsAsync`, {
        token: ana.token,
        body: {
          amount: 615,
          currency: 'MXN',
          payment_method: { token: CANARY },
          description: CANARY,
          customer: { email: CANARY, phone: CANARY, address: { street: CANARY } },
          prevention_data: { session_id: CANARY },
          tiendaBusinnessId: 1,
          referencia: '11234567890',
        },
      }),
      server.ask(`POST /User/authenticate`, { body: { User: CANARY, Password: CANARY } }),
      server.ask(`GET /${CANARY}`),
    ]);
    await server.ask('POST /v1/TokenBuyer/Logout', { token: ana.token });
    const logs = server.logged();
    expect(logs).toContain('/v1/SecurityBuyer/GetByEmailAsync/:email');
    for (const secret of ['canary', '4242424242424242', ana.token, PASSWORD])
      expect(logs).not.toContain(secret);
  });

  test('keep the words of a database error, which may quote its input, out, and name the statement', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line: string) => lines.push(line) });
    const error: unknown = await sql`select ${CANARY}::int as one`
      .execute(server.db)
      .catch((reason: unknown) => reason);
    expect(String(error)).toContain('canary');
    log.error({ err: error }, 'failed');
    log.error({ err: new Error('outer', { cause: error }) }, 'failed');
    expect(lines.join()).not.toContain('canary');
    const [first, second] = lines.map((line) => JSON.parse(line).err);
    for (const logged of [first, second.cause])
      expect(logged).toMatchObject({ code: '22P02', statement: 'select $1::int as one' });
  });

  test('name the call, its outcome and who made it', async () => {
    const ana = await makeBuyer(server.db);
    const headers = { 'x-request-id': 'trace-of-ana-1' };
    await server.ask(`GET /v1/UserBuyerClient/GetByUserIdAsync/${ana.id + 1}`, { token: ana.token, headers });
    const line = server
      .logged()
      .split('\n')
      .find((each) => each.includes('trace-of-ana-1'));
    expect(JSON.parse(line!)).toMatchObject({
      method: 'GET',
      route: '/v1/UserBuyerClient/GetByUserIdAsync/:userId',
      status: 404,
      caller: 'buyer',
      callerId: ana.id,
      refusal: 'NOT_FOUND',
    });
  });
});

describe('browsers', () => {
  test.each([
    'GET /ip',
    'GET /api',
    'GET /nothing',
    `DELETE ${logout.path}`,
    `POST ${logout.path}`,
    'GET /healthz',
  ])('%s can be neither framed nor sniffed nor traced', async (call) => {
    const { headers } = await server.ask(call);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['permissions-policy']).toContain('camera=(self)');
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  test('are told to stay on https where that is the origin', async () => {
    const secure = await startTestApp({ app: { secure: true } });
    try {
      expect((await secure.ask('GET /ip')).headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
    } finally {
      await secure.close();
    }
  });

  test('replies are stored nowhere', async () => {
    expect((await server.ask('GET /ip')).headers['cache-control']).toBe('no-store');
    expect((await server.ask('GET /v1/Nothing')).headers['cache-control']).toBe('no-store');
  });

  test('of another origin may call only if it is listed, and never with cookies', async () => {
    const preflight = (origin: string) =>
      server.ask(`OPTIONS ${logout.path}`, { headers: { origin, 'access-control-request-method': 'POST' } });
    const listed = await preflight('https://app.example');
    expect(listed.status).toBe(204);
    expect(listed.headers['access-control-allow-origin']).toBe('https://app.example');
    expect(listed.headers['access-control-allow-credentials']).toBeUndefined();
    for (const origin of ['https://evil.example', 'https://app.example.evil', 'http://app.example', 'null']) {
      const other = await preflight(origin);
      expect(other.status).toBe(404);
      expect(other.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

describe('health', () => {
  test('the process lives and can serve', async () => {
    expect((await server.ask('GET /healthz')).status).toBe(200);
    expect((await server.ask('GET /readyz')).status).toBe(200);
  });

  test('a server one of whose lanes of job workers stands still for a minute is given no calls', async () => {
    const silentMs: Record<string, number> = { cards: 0, clock: 60_000 };
    const still = await startTestApp({ app: { isReady: () => isReady(server.db, silentMs) } });
    expect((await still.ask('GET /readyz')).status).toBe(200);
    silentMs['cards'] = 60_001;
    expect((await still.ask('GET /readyz')).status).toBe(503);
    expect((await still.ask('GET /healthz')).status).toBe(200);
    await still.close();
  });

  test.each([
    ['was set to read only', 'default_transaction_read_only = on'],
    // What a full disk has no room for either: a file.
    ['has no room left', 'temp_file_limit = 0'],
  ])('a server whose database %s could take no money and is given no calls meanwhile', async (_, setting) => {
    // Settings of a database are for a database of its own, and for who connects after them.
    const own = await startTestApp({ env: { DATABASE_POOL: '2' } });
    const set = async (change: string) => {
      await sql`do $$ begin execute format('alter database %I ${sql.raw(change)}', current_database()); end $$`.execute(
        own.db,
      );
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename <> current_user`.execute(own.db);
    };
    const probe = async () => (await own.ask('GET /readyz')).status;
    const rows = sql<{ n: number }>`select count(*) as n from rate_counters where key like 'tried%'`;
    expect(await probe()).toBe(200);
    await set(`set ${setting}`);
    await expect.poll(probe, { timeout: 5_000 }).toBe(503);
    expect((await own.ask('GET /healthz')).status).toBe(200);
    await set(`reset ${setting.split(' ')[0]}`);
    await expect.poll(probe, { timeout: 5_000 }).toBe(200);
    expect((await rows.execute(own.db)).rows).toEqual([{ n: 0 }]);
    await own.close();
  });

  test('probes are neither logged nor traced, unless they fail', async () => {
    const collector = await openCollector();
    const probed = await startTestApp({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
    for (const call of ['GET /healthz', 'GET /readyz', 'GET /ip'])
      expect((await probed.ask(call)).status).toBe(200);
    const behind = await startTestApp({ app: { isReady: async () => false } });
    expect((await behind.ask('GET /readyz')).status).toBe(503);
    await Promise.all([probed.close(), behind.close()]);
    const routes = (logged: string) => [...logged.matchAll(/"route":"([^"]+)"/g)].map(([, route]) => route);
    expect(routes(probed.logged())).toEqual(['/ip']);
    expect(routes(behind.logged())).toEqual(['/readyz']);
    expect(
      collector
        .spans()
        .map(({ name }) => name)
        .filter((name) => name.startsWith('GET')),
    ).toEqual(['GET /ip']);
    await collector.close();
  });

  test('a server that is about to stop sends the proxy away and answers who came all the same', async () => {
    const leaving = await startTestApp({ app: { isLeaving: () => true } });
    try {
      expect((await leaving.ask('GET /healthz')).status).toBe(503);
      expect((await leaving.ask('GET /readyz')).status).toBe(503);
      expect((await leaving.ask('GET /api')).status).toBe(200);
    } finally {
      await leaving.close();
    }
  });

  test('it is not ready while a migration is missing, and lives all the same', async () => {
    const behind = await startTestApp({ app: { isReady: async () => false } });
    const broken = await startTestApp({ app: { isReady: () => Promise.reject(new Error('no database')) } });
    try {
      expect((await behind.ask('GET /readyz')).status).toBe(503);
      expect((await broken.ask('GET /readyz')).status).toBe(503);
      expect((await broken.ask('GET /healthz')).status).toBe(200);
    } finally {
      await Promise.all([behind.close(), broken.close()]);
    }
  });
});

describe('the API page', () => {
  test('and the document are served without any script', async () => {
    for (const [path, word] of [
      ['/api', '/v1/TokenBuyer/Authenticate'],
      ['/api/pos', 'webhook-signature'],
    ] as const) {
      const page = await server.ask(`GET ${path}`);
      expect(page.status).toBe(200);
      expect(page.body).toContain(word);
      expect(page.body).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
    }
    expect((await server.ask('GET /api.css')).headers['content-type']).toContain('text/css');
    expect((await server.ask('GET /openapi.json')).body.openapi).toBe('3.1.0');
  });
});

test('a client that sends its request drop by drop is let go, and others are served meanwhile', async () => {
  const slow = await startTestApp({ app: { requestTimeoutMs: 400 } });
  try {
    const address = await slow.app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('error', () => {});
    socket.resume();
    socket.write(
      `POST ${insertBuyer.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
    );
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    const outcome = await Promise.race([closed.then(() => 'closed'), sleep(5_000, 'open')]);
    expect(outcome).toBe('closed');
  } finally {
    await slow.close();
  }
});

test('who hangs up while they wait for their turn harms nobody: they are refused, and their timer ends with it', async () => {
  const unheard: unknown[] = [];
  const note = (reason: unknown) => unheard.push(reason);
  process.on('unhandledRejection', note);
  const first = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const guarded = { ...probe('Guarded'), access: ['buyer'] as const };
  const busy = await startTestApp({
    app: {
      places: 1,
      routes: [
        route(probe('Holds'), async () => {
          begun.resolve();
          await first.promise;
          return success({ text: '' });
        }),
        route(guarded, async () => success({ text: '' }), { timeLimitMs: 50 }),
      ],
    },
  });
  try {
    const address = await busy.app.listen({ host: '127.0.0.1', port: 0 });
    const holding = busy.ask('POST /v1/Probe/Holds', { body: {} });
    await begun.promise;
    const accepted = new Promise<Socket>((resolve) => busy.app.server.once('connection', resolve));
    const arrived = new Promise((resolve) => busy.app.server.once('request', resolve));
    const phone = connect(Number(new URL(address).port), '127.0.0.1');
    phone.write(
      'POST /v1/Probe/Guarded HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer apb_x\r\nContent-Length: 0\r\n\r\n',
    );
    const [connection] = await Promise.all([accepted, arrived]);
    const gone = new Promise((resolve) => connection.once('close', resolve));
    phone.destroy();
    await gone;
    first.resolve();
    expect((await holding).status).toBe(200);
    await sleep(100);
    expect(unheard).toEqual([]);
    expect(busy.logged()).not.toContain('call failed');
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
  } finally {
    process.off('unhandledRejection', note);
    await busy.close();
  }
});
