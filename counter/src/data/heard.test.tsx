import { createCall } from '@aparta/browser/call.ts';
import { lookUpEmail } from '@aparta/contract/account';
import { expect, test } from 'vitest';
import { fakeServer, ok, refuse } from '../../../web/test/server.ts';

let answer: ReturnType<typeof ok> | { status: number; body: unknown } | 'no network';
fakeServer({ 'GET /v1/SecurityBuyer/GetByEmailAsync/a%40b.mx': () => answer });

test.each([
  ['a reply', ok({ id: 0 }), true],
  ['a refusal, though what it says has still to load', refuse(404, 'NOT_FOUND'), true],
  ['what the server could not do', refuse(500, 'INTERNAL'), false],
  ['what another says in its place', { status: 502, body: 'Bad Gateway' }, false],
  ['no network', 'no network', false],
] as const)('whether the server itself was heard: %s', async (_, given, isHeard) => {
  answer = given;
  let heard = 0;
  const call = createCall({
    base: () => '',
    token: () => undefined,
    died: () => {},
    heard: () => (heard += 1),
    loadTexts: () => new Promise(() => {}),
  });
  const ended = call(lookUpEmail, { params: { email: 'a@b.mx' } }).catch(() => {});
  const soon = new Promise((resolve) => setTimeout(resolve, 50));
  await Promise.race([ended, soon]);
  expect(heard).toBe(isHeard ? 1 : 0);
});
