import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeBuyer, PASSWORD } from '../../../test/make.ts';

let folder: string;
let server: TestApp;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aparta-forms-'));
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.server'));
  const page = (name: string) =>
    `<head><!--aparta-config--></head><div id="root" data-rendered="/${name}">${name}</div><!--root-->`;
  for (const name of ['index', 'login', 'login.registro', 'buyerRegister', 'resetyourpassword'])
    await writeFile(join(folder, `${name}.html`), page(name));
  // As the build draws a page, short.
  await writeFile(
    join(folder, '.server/prerender.js'),
    `export const renderRefused = async ({ path, body }) => '<h1>' + path + ' ' + body.code + '</h1>';`,
  );
  server = await startTestApp({
    env: { PUBLIC_ORIGIN: 'https://aparta.test' },
    app: {
      secure: true,
      web: {
        folder,
        config: {
          productName: 'Aparta',
          help: { email: '', phone: '' },
          wireName: 'aparta',
          bases: {},
          clipSdkUrl: '',
          threeDsOrigins: [],
        },
        publicOrigin: 'https://aparta.test',
        preview: async () => undefined,
        texts: {},
        origins: { services: [], cardScripts: [], cardFrames: [], cardConnections: [] },
      },
    },
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const OURS = { 'sec-fetch-site': 'same-origin' };

function send(path: string, typed: Record<string, string>, headers: Record<string, string> = OURS) {
  return server.ask(`POST ${path}`, {
    body: new URLSearchParams(typed).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

/** What a document carries for its script. */
function blockOf(html: string, id: string): any {
  const found = new RegExp(`id="${id}">([^<]*)<`).exec(html);
  return found && JSON.parse(found[1]!);
}

describe('signing in before any script has run', () => {
  test('a buyer is led home, and the next document alone carries their session', async () => {
    const ana = await makeBuyer(server.db, { userName: 'Ana' });
    const { status, headers } = await send('/login', { user: ana.email, password: PASSWORD });
    expect([status, headers['location']]).toEqual([303, '/']);
    const cookie = String(headers['set-cookie']);
    expect(cookie).toMatch(/^__Host-aparta-entry=.*HttpOnly; SameSite=Strict; Secure$/);
    const arrived = await server.ask('GET /', {
      headers: { accept: 'text/html', cookie: cookie.split(';')[0]! },
    });
    expect(arrived.headers['cache-control']).toBe('no-store');
    expect(String(arrived.headers['set-cookie'])).toContain('Max-Age=0');
    const { token, ...buyer } = blockOf(arrived.body, 'aparta-entry');
    expect(buyer).toMatchObject({ id: ana.id, user: ana.email });
    expect((await server.ask(`GET /v1/SecurityBuyer/GetAsync/${ana.id}`, { token })).status).toBe(200);
    expect((await server.ask('GET /', { headers: { accept: 'text/html' } })).body).not.toContain(token);
  });

  test('a buyer who asked for it stays signed in', async () => {
    const ana = await makeBuyer(server.db);
    const { headers } = await send('/login', { user: ana.email, password: PASSWORD, keep: 'on' });
    const cookies = [headers['set-cookie']].flat().map(String);
    expect(cookies.map((each) => each.split('=')[0]!)).toEqual([
      'aparta-kept',
      'aparta-stays',
      '__Host-aparta-entry',
    ]);
    const renewed = await server.ask('POST /v1/TokenBuyer/Kept/Renew', {
      headers: { ...OURS, 'x-kept-session': '1', cookie: cookies[0]!.split(';')[0]! },
    });
    expect(renewed.body.data).toMatchObject({ user: ana.email });
  });

  test('who stays signed in is led home from the login page, with the product that led there', async () => {
    const ask = (path: string, cookie: string) =>
      server.ask(`GET ${path}`, { headers: { accept: 'text/html', cookie } });
    const led = await ask('/login?ref=1%7C1%7C1', 'aparta-stays=1');
    expect([led.status, led.headers['location'], led.headers['cache-control']]).toEqual([
      302,
      '/?ref=1%7C1%7C1',
      'no-store',
    ]);
    expect((await ask('/login', 'aparta-stays=1')).headers['location']).toBe('/');
    for (const [path, cookie] of [
      ['/login', 'aparta-stays=0'],
      ['/login?aviso=registro', 'aparta-stays=1'],
      ['/buyerRegister', 'aparta-stays=1'],
    ] as const)
      expect((await ask(path, cookie)).status).toBe(200);
  });

  test('the cookie lets nobody call anything', async () => {
    const ana = await makeBuyer(server.db);
    const { headers } = await send('/login', { user: ana.email, password: PASSWORD });
    const cookie = String(headers['set-cookie']).split(';')[0]!;
    const call = `GET /v1/SecurityBuyer/GetAsync/${ana.id}`;
    expect((await server.ask(call, { headers: { cookie } })).status).toBe(401);
  });

  test('the product that led there is not lost', async () => {
    const ana = await makeBuyer(server.db);
    const { headers } = await send('/login?ref=1%7C1%7C1', { user: ana.email, password: PASSWORD });
    expect(headers['location']).toBe('/?ref=1%7C1%7C1');
  });

  test('a wrong password is answered by the page itself, which has the email and not the password', async () => {
    const { status, headers, body } = await send('/login', { user: 'a@example.mx', password: 'secreta-123' });
    expect(status).toBe(401);
    expect(headers['content-type']).toContain('text/html');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(body).toContain('data-rendered="/login"><h1>/login WRONG_CREDENTIALS</h1></div>');
    expect(blockOf(body, 'aparta-posted')).toMatchObject({ typed: { user: 'a@example.mx' }, status: 401 });
    expect(body).not.toContain('secreta-123');
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a subdomain', { 'sec-fetch-site': 'same-site' }],
    ['an old browser at another site', { origin: 'https://evil.test' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['nobody knows where', {}],
  ])('a form that %s sent signs nobody in', async (_where, headers) => {
    const ana = await makeBuyer(server.db);
    const answer = await send('/login', { user: ana.email, password: PASSWORD }, headers);
    expect(answer.status).toBe(415);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('guesses count as the call counts them', async () => {
    const ana = await makeBuyer(server.db);
    const guess = () => send('/login', { user: ana.email, password: 'adivinanza-1' });
    await guess(); // the place is not known, so the account's own tries count
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await guess()).status);
    expect(statuses.at(-1)).toBe(429);
    const call = 'POST /v1/TokenBuyer/Authenticate';
    const asCall = await server.ask(call, { body: { user: ana.email, password: PASSWORD } });
    expect(asCall.body).toMatchObject({ code: 'TOO_MANY' });
  });

  test('what is no form is refused', async () => {
    const answer = await server.ask('POST /login', { body: { user: 'x' }, headers: OURS });
    expect(answer.status).toBe(415);
  });
});

test('an account is made with what was ticked, and login says so', async () => {
  const typed = { user: 'nueva@example.mx', userName: 'Nueva', phone: '', password: 'caballo-rojo-42-mesa' };
  const { status, headers } = await send('/BuyerRegister', { ...typed, terms: 'on' });
  expect([status, headers['location']]).toEqual([303, '/login?aviso=registro']);
  const login = await server.ask(`GET ${String(headers['location'])}`, { headers: { accept: 'text/html' } });
  expect(login.body).toContain('login.registro');
  const row = await server.db
    .selectFrom('buyers')
    .select(['user_name', 'terms_accepted_at'])
    .where('email', '=', typed.user)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ user_name: 'Nueva', terms_accepted_at: expect.any(Date) });
  expect((await send('/buyerRegister', typed)).status).toBe(409);
});

test('a reset email is asked for alike whether there is an account or not', async () => {
  const ana = await makeBuyer(server.db);
  const [hers, nobodys] = [
    await send('/resetyourpassword', { email: ana.email }),
    await send('/resetyourpassword', { email: 'nadie@example.mx' }),
  ];
  expect([hers.status, hers.headers['location']]).toEqual([303, '/login?aviso=correo']);
  expect([nobodys.status, nobodys.headers['location']]).toEqual([303, '/login?aviso=correo']);
});
