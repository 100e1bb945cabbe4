import { expect, test } from 'vitest';
import * as v from 'valibot';
import { accessTokenExpiry, operation, referenceReply } from './tapi.ts';

const tokenWith = (payload: unknown) =>
  `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.signature`;

test('the end of a token is the exp that it carries, in seconds', () => {
  const token = tokenWith({ exp: 1_795_200_000, clientCompany: 'Línea Blanca ¿?~' });
  expect(accessTokenExpiry(token)?.toISOString()).toBe('2026-11-20T18:40:00.000Z');
});

test.each(['', 'opaque', 'a.b.c', 'e30.***.x', tokenWith({}), tokenWith({ exp: 'soon' }), tokenWith(null)])(
  'a token without a readable end (%s) has none',
  (token) => {
    expect(accessTokenExpiry(token)).toBeUndefined();
  },
);

test('a notice with odd fields keeps its number and status, and loses what is odd', () => {
  const odd = { operationId: 'op-1', status: 'paid?', amount: 10.005, currency: 7, paidAt: null, more: [] };
  expect(v.parse(operation, odd)).toEqual({
    operationId: 'op-1',
    status: 'paid?',
    amount: undefined,
    currency: undefined,
    paidAt: undefined,
    more: [],
  });
});

test.each([
  {},
  { operationId: '', status: 'confirmed' },
  { operationId: 7, status: 'confirmed' },
  { operationId: 'x'.repeat(101), status: 'confirmed' },
  { operationId: 'op-1' },
])('%j is no notice', (body) => {
  expect(v.is(operation, body)).toBe(false);
});

test.each([{ references: [] }, { references: [{}] }, { references: [{ value: ' 1 ' }] }, {}])(
  'a reply without a reference (%j) is not taken for one',
  (body) => {
    expect(v.is(referenceReply, body)).toBe(false);
  },
);
