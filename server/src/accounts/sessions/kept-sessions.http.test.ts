import { KEPT_HINT } from '@aparta/contract/kept-hint';
import { KEPT_HEADER, KEPT_PATH } from '@aparta/contract/kept-sessions';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { startTestApp, type Answer, type TestApp } from '../../../test/app.ts';
import { makeBuyer, PASSWORD, type MadeBuyer } from '../../../test/make.ts';
import { keptCookies } from '../../platform/http/kept-cookie.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { tokenHash } from '../credentials/token.ts';
import { savePush } from '../pushes/store.ts';

let server: TestApp;
let ana: MadeBuyer;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  ana = await makeBuyer(server.db);
});

const SIGN_IN = 'POST /v1/TokenBuyer/Authenticate';
const RENEW = `POST ${KEPT_PATH}/Renew`;
const END = `POST ${KEPT_PATH}/End`;
const SECRET = 'aparta-kept';
const OURS = { [KEPT_HEADER.toLowerCase()]: '1', 'sec-fetch-site': 'same-origin' };

/** A browser with what its cookies hold, as far as answers reached it. */
interface Browser {
  cookies: Record<string, string>;
}
const copyOf = ({ cookies }: Browser): Browser => ({ cookies: { ...cookies } });

/** Puts an answer's cookies into a browser. */
function take(browser: Browser, answer: Pick<Answer, 'headers'>): void {
  for (const line of [answer.headers['set-cookie'] ?? []].flat().map(String)) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (line.includes('Max-Age=0;')) delete browser.cookies[name];
    else browser.cookies[name] = value;
  }
}

const headerOf = ({ cookies }: Browser) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');

/** Calls as the product's own page does; the answer reaches the browser unless it is lost. */
async function call(
  browser: Browser,
  what: string,
  { isLost = false, headers = OURS } = {},
): Promise<Answer> {
  const answer = await server.ask(what, { headers: { ...headers, cookie: headerOf(browser) } });
  if (!isLost) take(browser, answer);
  return answer;
}
const renew = (browser: Browser, how?: { isLost: boolean }) => call(browser, RENEW, how);
const tokenIn = (answer: Answer): string => answer.body.data.token;

/** Ana's browser, which stays signed in, and its first session. */
async function stay(buyer = ana, device = 'Chrome en Android'): Promise<{ phone: Browser; token: string }> {
  const body = { user: buyer.email, password: PASSWORD, keep: true };
  const answer = await server.ask(SIGN_IN, { body, headers: { 'user-agent': device } });
  const phone: Browser = { cookies: {} };
  take(phone, answer);
  return { phone, token: tokenIn(answer) };
}

const list = (token: string) => server.ask('GET /v1/TokenBuyer/Sessions', { token });
const isIn = async (token: string) => (await list(token)).status === 200;
const mails = async (buyer = ana) =>
  (
    await server.db
      .selectFrom('outbox')
      .select('topic')
      .where('buyer_id', '=', buyer.id)
      .where('topic', '=', 'kept_session_replayed')
      .execute()
  ).length;

/** As if so much time had gone by since the secret was replaced. */
const later = (minutes: number) =>
  sql`update kept_sessions set grace_at = grace_at - ${minutes} * interval '1 minute' where buyer_id = ${ana.id}`.execute(
    server.db,
  );

test('a buyer who did not ask for it gets no cookie', async () => {
  const answer = await server.ask(SIGN_IN, { body: { user: ana.email, password: PASSWORD } });
  expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined]);
  const [here] = (await list(tokenIn(answer))).body.data;
  expect(here).toMatchObject({ isThis: true, isKept: false });
});

test('a wrong password keeps nobody signed in', async () => {
  const body = { user: ana.email, password: 'no-es-esta-clave', keep: true };
  const answer = await server.ask(SIGN_IN, { body });
  expect([answer.status, answer.headers['set-cookie']]).toEqual([401, undefined]);
});

test('the secret is sent to the calls that renew and end it alone, read by no script, and by https only where there is https', () => {
  const [secret, hint] = keptCookies({ value: 'apk_x', seconds: 60 }, true);
  expect(secret).toBe(
    '__Secure-aparta-kept=apk_x; Max-Age=60; Path=/v1/TokenBuyer/Kept; HttpOnly; SameSite=Strict; Secure',
  );
  expect(hint).toBe(`${KEPT_HINT}=1; Max-Age=60; Path=/; SameSite=Lax; Secure`);
  expect(keptCookies({ value: 'apk_x', seconds: 60 }, false).join()).not.toContain('Secure');
});

describe('a buyer who stays signed in', () => {
  test('gets a session of their own in each tab without a password, and each use replaces the secret', async () => {
    const { phone, token } = await stay();
    const first = phone.cookies[SECRET];
    const answer = await renew(phone);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id: ana.id, user: ana.email });
    const second = phone.cookies[SECRET];
    expect([await isIn(token), await isIn(tokenIn(answer))]).toEqual([true, true]);
    await later(3);
    await renew(phone);
    expect(new Set([first, second, phone.cookies[SECRET]]).size).toBe(3);
    expect(await mails()).toBe(0);
  });

  test('of the secret nothing but a hash is stored', async () => {
    const { phone } = await stay();
    await renew(phone);
    const { rows } = await sql<{ text: string }>`select k::text as text from kept_sessions k`.execute(
      server.db,
    );
    const [name, secret] = phone.cookies[SECRET]!.slice(4)
      .split('.')
      .map((part) => Buffer.from(part, 'base64url'));
    for (const { text } of rows)
      for (const part of [name!, secret!]) expect(text).not.toContain(part.toString('hex'));
  });

  test('sees the browser once, whatever tabs it opened, and where it is used', async () => {
    const { phone, token } = await stay();
    const there = tokenIn(await renew(phone));
    const seen = (await list(there)).body.data;
    expect(seen).toMatchObject([
      { isThis: true, isKept: true, device: 'Chrome en Android' },
      { isThis: false, isKept: false },
    ]);
    expect((await list(token)).body.data[0]).toEqual(seen[0]);
  });

  test('closes a lost phone from another browser: its tabs, its cookie and what it is told end', async () => {
    const { phone, token } = await stay();
    await transaction(server.db, (tx) =>
      savePush(tx, ana.id, tokenHash(token), {
        endpoint: `https://push.example/${ana.id}`,
        publicKey: 'B'.repeat(87),
        authSecret: 'A'.repeat(22),
      }),
    );
    const tab = tokenIn(await renew(phone));
    const { id } = (await list(ana.token)).body.data.find(({ isKept }: { isKept: boolean }) => isKept);
    const close = (asker: string) =>
      server.ask(`POST /v1/TokenBuyer/KeptSessions/${id}/Close`, { token: asker });
    const eva = await makeBuyer(server.db);
    expect([(await close(eva.token)).status, await isIn(tab)]).toEqual([404, true]);
    expect((await close(ana.token)).status).toBe(200);
    expect([await isIn(token), await isIn(tab), (await renew(phone)).status]).toEqual([false, false, 401]);
    expect((await close(ana.token)).status).toBe(404);
    expect(await isIn(ana.token)).toBe(true);
    const pushes = server.db.selectFrom('push_subscriptions').select('id').where('buyer_id', '=', ana.id);
    expect(await pushes.execute()).toEqual([]);
    // A stranger's cookie is taken back.
    expect(phone.cookies).toEqual({});
  });

  test('is out of all its tabs by logging out in one', async () => {
    const { phone, token } = await stay();
    const tab = tokenIn(await renew(phone));
    await server.ask('POST /v1/TokenBuyer/Logout', { token: tab });
    expect([await isIn(token), (await renew(phone)).status, await mails()]).toEqual([false, 401, 0]);
  });

  test('is out by the cookie alone, when the session has ended before', async () => {
    const { phone, token } = await stay();
    const stolen = copyOf(phone);
    expect([(await call(phone, END)).status, phone.cookies]).toEqual([200, {}]);
    expect([await isIn(token), (await renew(stolen)).status, await mails()]).toEqual([false, 401, 0]);
    expect((await call(phone, END)).status).toBe(200);
  });

  test('is out everywhere once the password changed', async () => {
    const { phone, token } = await stay();
    await server.ask('POST /v1/Notifications/SendResetPasswordBuyerEmail', { body: { email: ana.email } });
    const link = await server.jobs.resetLink(ana.email);
    const body = { code: link?.split('#code=')[1], password: 'otra-clave-larga-8' };
    expect((await server.ask(`PUT /v1/SecurityBuyer/UpdateAsync/${ana.id}`, { body })).status).toBe(200);
    expect([await isIn(token), (await renew(phone)).status]).toEqual([false, 401]);
  });

  test('is asked for the password after sixty days without a visit, and after a year in any case', async () => {
    const { phone } = await stay();
    const move = (openedDays: number, leftDays: number) =>
      sql`update kept_sessions set opened_at = app_now() - ${openedDays} * interval '1 day',
        expires_at = app_now() + ${leftDays} * interval '1 day' where buyer_id = ${ana.id}`.execute(
        server.db,
      );
    const lasts = (answer: Answer) => Number(/Max-Age=(\d+)/.exec(String(answer.headers['set-cookie']))?.[1]);
    expect(lasts(await renew(phone)) / 86_400).toBeCloseTo(60, 3);
    await move(355, 1);
    await later(3);
    expect(lasts(await renew(phone)) / 86_400).toBeCloseTo(10, 3);
    await move(60, 0);
    expect([(await renew(phone)).status, phone.cookies, await mails()]).toEqual([401, {}, 0]);
  });

  test('cannot open sessions without end', async () => {
    const { phone } = await stay();
    await sql`insert into sessions (token_hash, buyer_id, expires_at, kept_id)
      select sha256(n::text::bytea), k.buyer_id, app_now() + interval '1 hour', k.id
      from kept_sessions k, generate_series(1, 200) n where k.buyer_id = ${ana.id}`.execute(server.db);
    const before = { ...phone.cookies };
    expect((await renew(phone)).status).toBe(429);
    expect(phone.cookies).toEqual(before);
  });
});

describe('an honest buyer is not signed out when', () => {
  test('tabs ask at once: all get the same next secret', async () => {
    const { phone } = await stay();
    const tabs = [copyOf(phone), copyOf(phone), copyOf(phone)];
    const answers = await Promise.all(tabs.map((tab) => renew(tab)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(tabs.map(({ cookies }) => cookies[SECRET])).size).toBe(1);
    for (const answer of answers) expect(await isIn(tokenIn(answer))).toBe(true);
    await later(3);
    expect((await renew(tabs[1]!)).status).toBe(200);
  });

  test('a call that was late finds the secret replaced more than once', async () => {
    const { phone } = await stay();
    const late = copyOf(phone);
    await isIn(tokenIn(await renew(phone)));
    await isIn(tokenIn(await renew(phone)));
    expect((await renew(late)).status).toBe(200);
    expect(late.cookies[SECRET]).toBe(phone.cookies[SECRET]);
  });

  test('an answer is lost, and the phone comes back the next day', async () => {
    const { phone } = await stay();
    await isIn(tokenIn(await renew(phone)));
    await later(3);
    await renew(phone, { isLost: true });
    await later(60 * 24);
    const again = await renew(phone);
    expect([again.status, await isIn(tokenIn(again)), await mails()]).toEqual([200, true, 0]);
    await later(3);
    expect((await renew(phone)).status).toBe(200);
  });

  test('other tabs go on calling while the answer is lost', async () => {
    const { phone, token } = await stay();
    const tab = tokenIn(await renew(phone));
    await isIn(tab);
    await later(3);
    await renew(phone, { isLost: true });
    expect([await isIn(token), await isIn(tab)]).toEqual([true, true]);
    await later(60);
    expect((await renew(phone)).status).toBe(200);
  });
});

test('a stolen cookie that is used after its owner went on ends both, and the owner is told by email', async () => {
  const origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
  /** Over real HTTP, as a browser whose cookie this is. */
  const ask = async (browser: Browser) => {
    const headers = { ...OURS, cookie: headerOf(browser) };
    const response = await fetch(`${origin}${KEPT_PATH}/Renew`, { method: 'POST', headers });
    take(browser, { headers: { 'set-cookie': response.headers.getSetCookie() } });
    return { status: response.status, token: ((await response.json()) as any).data?.token as string };
  };
  const sees = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${origin}/v1/TokenBuyer/Sessions`, { headers })).status;
  };
  const { phone, token } = await stay();
  const elsewhere = await stay(ana, 'Safari en iPad');
  const thief = copyOf(phone);
  const owners = await ask(phone);
  expect([owners.status, await sees(owners.token)]).toEqual([200, 200]);
  await later(3);

  expect((await ask(thief)).status).toBe(401);
  expect([await sees(owners.token), await sees(token), (await ask(phone)).status]).toEqual([401, 401, 401]);
  expect(await mails()).toBe(1);
  // Told once, however often it is tried, and no other browser of theirs is out.
  expect([(await ask(thief)).status, await mails(), await sees(elsewhere.token)]).toEqual([401, 1, 200]);
});

test('a thief who is first is out as soon as the owner comes back', async () => {
  const { phone } = await stay();
  const thief = copyOf(phone);
  const stolen = tokenIn(await renew(thief));
  expect(await isIn(stolen)).toBe(true);
  await later(3);
  expect((await renew(phone)).status).toBe(401);
  expect([await isIn(stolen), (await renew(thief)).status, await mails()]).toEqual([false, 401, 1]);
});

describe('nobody else’s page', () => {
  test.each([
    ['from another site', { ...OURS, 'sec-fetch-site': 'cross-site' }],
    ['from a subdomain', { ...OURS, 'sec-fetch-site': 'same-site' }],
    ['from another site, in an old browser', { [KEPT_HEADER]: '1', origin: 'https://evil.example' }],
    ['from nowhere', { [KEPT_HEADER]: '1' }],
    ['without our header, as a form would', { 'sec-fetch-site': 'same-origin' }],
  ])('renews or ends a session by the cookie: a call %s', async (_how, headers) => {
    const { phone, token } = await stay();
    const before = { ...phone.cookies };
    for (const what of [RENEW, END]) {
      const answer = await call(phone, what, { headers: headers as typeof OURS });
      expect([answer.status, answer.body.code, answer.headers['set-cookie']]).toEqual([
        403,
        'NOT_ALLOWED',
        undefined,
      ]);
    }
    expect(phone.cookies).toEqual(before);
    expect([await isIn(token), (await renew(phone)).status]).toEqual([true, 200]);
  });

  test('an old browser that says where it is from is let in', async () => {
    const { phone } = await stay();
    const headers = { [KEPT_HEADER]: '1', origin: server.settings.publicOrigin };
    expect((await call(phone, RENEW, { headers: headers as never })).status).toBe(200);
  });
});

test.each([undefined, '', 'apk_', `apk_${'A'.repeat(22)}.${'A'.repeat(43)}`, "' or 1=1 --"])(
  'the cookie %j is nobody’s, and is taken back',
  async (secret) => {
    const nobody: Browser = { cookies: secret === undefined ? {} : { [SECRET]: secret } };
    const answer = await renew(nobody);
    expect([answer.status, answer.body.code, nobody.cookies]).toEqual([401, 'SESSION_DEAD', {}]);
  },
);

test('the cookie itself calls nothing else', async () => {
  const { phone } = await stay();
  const answer = await call(phone, `GET /v1/SecurityBuyer/GetAsync/${ana.id}`);
  expect(answer.status).toBe(401);
  const token = phone.cookies[SECRET]!;
  expect((await server.ask(`GET /v1/SecurityBuyer/GetAsync/${ana.id}`, { token })).status).toBe(401);
});
