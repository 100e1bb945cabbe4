import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeBuyer, PASSWORD } from '../../../test/make.ts';
import { ACCOUNT_LIMITS } from '../credentials/limits.ts';
import { createPasswords } from '../credentials/passwords.ts';

let server: TestApp;
beforeAll(async () => {
  const plenty = Object.keys(ACCOUNT_LIMITS).map((name) => [name, { times: 1_000_000, seconds: 60 }]);
  server = await startTestApp({ env: { TEST_CLOCKS: JSON.stringify(Object.fromEntries(plenty)) } });
});
afterAll(() => server.close());

/**
 * How likely a call of the first kind takes longer than one of the second: 0.5 when the kinds cannot be told apart, 0 or 1 when
 * each call tells. Ranks, not means: one slow moment of the computer moves nothing.
 */
function oddsOfLonger(first: readonly number[], second: readonly number[]): number {
  const longer = first.flatMap((a) => second.map((b) => (a > b ? 1 : a < b ? 0 : 0.5)));
  return longer.reduce<number>((sum, each) => sum + each, 0) / longer.length;
}

/** Timings of each kind, and how far chance alone may take the odds from 0.5: four deviations of the rank sum. */
const EACH = 100;
const CHANCE = 4 * Math.sqrt((2 * EACH + 1) / (12 * EACH * EACH));
/** Whatever else the computer does may fall on one kind; a path that tells does so every time. */
const TIMED = { retry: 2 };

/** Times two calls in turns, so that whatever else the computer does falls on both. */
async function timed(one: () => Promise<unknown>, other: () => Promise<unknown>) {
  const times: [number[], number[]] = [[], []];
  for (let turn = -5; turn < EACH; turn += 1) {
    const order = turn % 2 === 0 ? [0, 1] : [1, 0];
    for (const which of order) {
      const before = performance.now();
      await [one, other][which]!();
      if (turn >= 0) times[which]!.push(performance.now() - before); // the first ones warm up
    }
  }
  return times;
}

test.each([
  {
    what: 'signing in',
    call: 'POST /v1/TokenBuyer/Authenticate',
    body: (email: string) => ({ user: email, password: 'no-es-esta-clave' }),
  },
  {
    what: 'asking for a reset email',
    call: 'POST /v1/Notifications/SendResetPasswordBuyerEmail',
    body: (email: string) => ({ email }),
  },
])('$what takes no longer for who has an account than for a stranger', TIMED, async ({ call, body }) => {
  const { email } = await makeBuyer(server.db, { passwordHash: await createPasswords().hash(PASSWORD) });
  const ask = (whose: string) => () => server.ask(call, { body: body(whose) });
  const [known, unknown] = await timed(ask(email), ask('nobody-at-all-here@example.mx'));
  expect(Math.abs(oddsOfLonger(known, unknown) - 0.5)).toBeLessThan(CHANCE);
});
