import { getBuyer, lookUpEmail } from '@aparta/contract/account';
import type { Endpoint } from '@aparta/contract/endpoint';
import { ENDPOINTS } from '@aparta/contract/endpoints';
import { afterEach, describe, expect, test } from 'vitest';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import { config } from '../app/config.ts';
import { session } from '../session/session.ts';
import { ApiError } from '@aparta/browser/api-error.ts';
import { call } from './client.ts';
import { renew, resume } from './kept.ts';

const path = 'GET /v1/UserBuyerClient/GetByUserIdAsync/7';
let answer: Parameters<typeof fakeServer>[0][string] = 'no network';
let renewal: ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network' = 'no network';
const calls = fakeServer({
  'POST /v1/TokenBuyer/Kept/Renew': () => renewal,
  'POST /v1/TokenBuyer/Kept/End': ok(null),
  [path]: (asked) => (typeof answer === 'function' ? answer(asked) : answer),
  'GET /v1/SecurityBuyer/GetByEmailAsync/a%2Fb%40c.mx': ok({ id: 0 }),
});

afterEach(() => session.close());

async function failureOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error('it should have failed with an ApiError');
  return error.failure;
}

const buyer = () => call(getBuyer, { params: { userId: '7' } });

test('a signed-in call carries the token, a public one never does', async () => {
  session.open({ ...marisol, token: 'secret' });
  answer = ok(marisol);
  expect((await buyer()).data.userName).toBe('Marisol');
  await call(lookUpEmail, { params: { email: 'a/b@c.mx' } });
  expect(calls.map(({ authorization }) => authorization)).toEqual(['Bearer secret', null]);
});

test('an expired session is ended with the location saved', async () => {
  session.open({ ...marisol, token: 'secret' });
  answer = refuse(401, 'SESSION_DEAD');
  expect(await failureOf(buyer())).toMatchObject({ kind: 'refused', code: 'SESSION_DEAD' });
  expect(session.user()).toBeUndefined();
  expect(session.takeReturn()).toBe('/');
});

test('a call that nobody answers ends after its time and says so; who leaves ends theirs without a failure', async () => {
  globalThis.fetch = (_, { signal } = {}) =>
    new Promise((_answered, fail) => signal?.addEventListener('abort', () => fail(signal.reason)));
  const ask = (options: object) => call(lookUpEmail, { params: { email: 'a@b.mx' } }, options);
  expect(await failureOf(ask({ timeoutMs: 10 }))).toEqual({ kind: 'timeout' });
  const leaving = new AbortController();
  const left = ask({ signal: leaving.signal });
  leaving.abort();
  await expect(left).rejects.toMatchObject({ name: 'AbortError' });
});

test('a late 401 of an earlier session does not end the one that follows', async () => {
  session.open({ ...marisol, token: 'old' });
  answer = () => {
    session.open({ ...marisol, token: 'new' });
    return refuse(401, 'SESSION_DEAD');
  };
  await failureOf(buyer());
  expect(session.token()).toBe('new');
});

describe('on a browser that stays signed in', () => {
  const stays = () => {
    document.cookie = 'aparta-stays=1';
    session.open({ ...marisol, token: 'dead' });
    answer = ({ authorization }) =>
      authorization === 'Bearer dead' ? refuse(401, 'SESSION_DEAD') : ok(marisol);
  };
  afterEach(() => {
    document.cookie = 'aparta-stays=; max-age=0';
  });
  const renewals = () => calls.filter(({ path }) => path.endsWith('/Kept/Renew'));

  test('calls whose session is over get one other session for all, and each is made once more', async () => {
    stays();
    renewal = ok({ ...marisol, token: 'new' });
    const replies = await Promise.all([buyer(), buyer()]);
    expect(replies.map(({ data }) => data.userName)).toEqual(['Marisol', 'Marisol']);
    expect(renewals()).toMatchObject([{ authorization: null, body: undefined }]);
    expect(renewals()[0]?.headers.get('X-Kept-Session')).toBe('1');
    expect(session.token()).toBe('new');
  });

  test('a call that another session does not help either ends it', async () => {
    stays();
    renewal = ok({ ...marisol, token: 'new' });
    answer = refuse(401, 'SESSION_DEAD');
    expect(await failureOf(buyer())).toMatchObject({ code: 'SESSION_DEAD' });
    expect([renewals().length, session.user(), session.takeReturn()]).toEqual([1, undefined, '/']);
  });

  test('where it ended everywhere, this tab ends as any does, and asks no more', async () => {
    stays();
    renewal = refuse(401, 'SESSION_DEAD');
    expect(await failureOf(buyer())).toMatchObject({ code: 'SESSION_DEAD' });
    expect([session.user(), session.stays(), session.hasDied()]).toEqual([undefined, false, true]);
  });

  test('without internet the session is not lost: the next call asks again', async () => {
    stays();
    renewal = 'no network';
    expect(await failureOf(buyer())).toEqual({ kind: 'network' });
    expect([session.user()?.id, session.stays()]).toEqual([7, true]);
    renewal = ok({ ...marisol, token: 'new' });
    expect((await buyer()).data.userName).toBe('Marisol');
  });

  test('a browser that was signed out without internet says so at its next start', async () => {
    stays();
    session.close();
    expect(session.kept()).toBe('0');
    await resume(true);
    await expect.poll(() => calls.map(({ path }) => path)).toEqual(['/v1/TokenBuyer/Kept/End']);
    expect(await renew(undefined)).toBe(false);
  });

  test('no call is made for another buyer who has signed in on it meanwhile', async () => {
    stays();
    renewal = ok({ ...marisol, id: 8, token: 'theirs' });
    expect(await failureOf(buyer())).toMatchObject({ code: 'SESSION_DEAD' });
    expect([calls.map(({ authorization }) => authorization), session.token()]).toEqual([
      ['Bearer dead', null],
      undefined,
    ]);
  });
});

test('no network, nonsense and refusals are distinguished', async () => {
  answer = 'no network';
  expect(await failureOf(buyer())).toEqual({ kind: 'network' });
  answer = { body: 'a proxy page', isNonsense: true };
  expect(await failureOf(buyer())).toEqual({ kind: 'nonsense', status: 200 });
  answer = refuse(502, 'A_CODE_OF_TOMORROW');
  expect(await failureOf(buyer())).toEqual({ kind: 'nonsense', status: 502 });
  answer = refuse(429, 'TOO_MANY', { facts: { tries: 5 } }, { 'Retry-After': '30' });
  expect(await failureOf(buyer())).toMatchObject({
    kind: 'refused',
    facts: { tries: 5 },
    retryAfterSeconds: 30,
  });
});

test.each(['BUSY', 'DATABASE_AWAY'])('what was not done is asked again, twice at most: %s', async (code) => {
  const refused = refuse(503, code, {}, { 'Retry-After': '0' });
  const replies = [refused, refused, ok(marisol)];
  answer = () => replies.shift() ?? refused;
  expect((await buyer()).data.userName).toBe('Marisol');
  expect(await failureOf(buyer())).toMatchObject({ kind: 'refused', code });
  const before = calls.length;
  answer = refuse(503, 'TOO_SLOW', {}, { 'Retry-After': '0' });
  expect(await failureOf(buyer())).toMatchObject({ code: 'TOO_SLOW' });
  expect(calls.length).toBe(before + 1);
});

test('what a busy server put off for one buyer is not asked by the next', async () => {
  const refused = refuse(503, 'BUSY', {}, { 'Retry-After': '0' });
  const before = calls.length;
  answer = () => {
    session.open({ ...marisol, id: marisol.id + 1, token: 'of another' });
    return refused;
  };
  expect(await failureOf(buyer())).toMatchObject({ code: 'BUSY' });
  expect(calls.length).toBe(before + 1);
});

test('a buyer who leaves while it waits is not asked for again', async () => {
  answer = refuse(503, 'BUSY', {}, { 'Retry-After': '60' });
  const leaving = new AbortController();
  const before = calls.length;
  const asked = call(getBuyer, { params: { userId: '7' } }, { signal: leaving.signal });
  await expect.poll(() => calls.length).toBe(before + 1);
  leaving.abort();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
});

test('each service is asked at its own base address', async () => {
  const own = { ...config.bases };
  const at = Object.keys(own).map((service) => [service, `https://${service}.example`]);
  Object.assign(config.bases, Object.fromEntries(at));
  const asked: string[] = [];
  globalThis.fetch = async (input) => {
    asked.push(input instanceof Request ? input.url : input.toString());
    throw new TypeError('Failed to fetch');
  };
  try {
    for (const all of Object.values(ENDPOINTS))
      for (const endpoint of all) {
        const params = Object.fromEntries(
          [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, '1']),
        );
        await call<Endpoint>(endpoint, { params }).catch(() => {});
      }
  } finally {
    Object.assign(config.bases, own);
  }
  const bases = new Map(
    asked.map((url) => [new URL(url).pathname.split('/').slice(0, 3).join('/'), new URL(url).host]),
  );
  expect(Object.fromEntries(bases)).toMatchObject({
    '/v1/TokenBuyer': 'account.example',
    '/v1/PullApartReference': 'layaway.example',
    '/v1/Clib': 'payments.example',
    '/v1/Tapi': 'payments.example',
    '/v1/Sales': 'receivables.example',
    '/v1/Cxc': 'receivables.example',
    '/v1/ClientSat': 'invoicing.example',
    '/v1/Notifications': 'notifications.example',
  });
});
