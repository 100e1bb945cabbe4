import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import { session } from '../session/session.ts';
import { endSession } from './end-session.ts';

type Answer = ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';
const busy = refuse(503, 'BUSY', {}, { 'Retry-After': '0' });
let logout: Answer;
let later: Answer;
const calls = fakeServer({
  'POST /v1/TokenBuyer/Logout': () => logout,
  'POST /v1/TokenBuyer/LogoutLater': () => later,
});
const sent = () =>
  calls.map(({ path, authorization, body }) => [path.split('/').at(-1), authorization, body]);
const kept = () => JSON.stringify({ ...localStorage, ...sessionStorage });

/** SHA-256 of 'secret'. */
const HASH = 'K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols=';
const endedLater = ['LogoutLater', null, { tokenHash: HASH }];

/** As the frame does it. */
function leave() {
  endSession();
  session.close();
}

beforeEach(() => {
  session.open({ ...marisol, token: 'secret' });
  logout = later = ok(null);
});
afterEach(() => {
  session.close();
  localStorage.clear();
});

test('who signs out is out at once, and nothing is left on the device', async () => {
  leave();
  expect(session.token()).toBeUndefined();
  await waitFor(() => expect(localStorage.length).toBe(0));
  expect(sent()).toEqual([['Logout', 'Bearer secret', undefined]]);
});

test('a busy server is asked again to end the session that was left, never the next buyer’s', async () => {
  const asked: (string | null)[] = [];
  const replies = [busy, ok(null)];
  const real = globalThis.fetch;
  globalThis.fetch = async (...args) => {
    logout = replies.shift() ?? ok(null);
    asked.push(new Headers(args[1]?.headers).get('Authorization'));
    return real(...args);
  };
  leave();
  session.open({ ...marisol, id: 8, token: 'next' });
  await waitFor(() => expect(asked).toEqual(['Bearer secret', 'Bearer secret']));
  await waitFor(() => expect(kept()).not.toContain(HASH));
  expect(session.token()).toBe('next');
});

test.each<[string, Answer]>([
  ['without internet', 'no network'],
  ['while the server does nothing', busy],
])('signed out %s, the session is ended later: what is kept till then signs nobody in', async (_, answer) => {
  logout = later = answer;
  leave();
  await waitFor(() => expect(sent()).toContainEqual(endedLater));
  expect([session.user(), session.token()]).toEqual([undefined, undefined]);
  expect(kept()).not.toContain('secret');
  expect(kept()).toContain(HASH);

  // The next buyer's document, a day later perhaps.
  vi.resetModules();
  later = ok(null);
  calls.length = 0;
  const { ended } = await import('../session/ended.ts');
  expect(ended.all()).toEqual([HASH]);
  const { endLater } = await import('./end-later.ts');
  await endLater();
  expect([sent(), ended.all(), localStorage.length]).toEqual([[endedLater], [], 0]);
});

test('a session that the server does not know any more is not asked about again', async () => {
  logout = refuse(401, 'SESSION_DEAD');
  leave();
  await waitFor(() => expect(localStorage.length).toBe(0));
  expect(sent()).toEqual([['Logout', 'Bearer secret', undefined]]);
});
