import { afterEach, expect, test, vi } from 'vitest';
import { attempt } from './attempt.ts';
import { newId } from '@aparta/browser/new-id.ts';

const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

test('an attempt is stored for its own payment reference, until it is forgotten', () => {
  const begun = attempt.begin('11234567897', 5);
  expect(begun.intentoId).toMatch(UUID_4);
  expect(attempt.sent('11234567897')).toEqual(begun);
  expect(attempt.sent('19999999995')).toBeUndefined();
  attempt.forget();
  expect(attempt.sent('11234567897')).toBeUndefined();
});

test('what somebody else’s hand wrote is no attempt', () => {
  sessionStorage.setItem('intentoId', '{"intentoId":7}');
  expect(attempt.sent('11234567897')).toBeUndefined();
});

test('clearing the payment keys leaves the session alone', () => {
  sessionStorage.setItem('token', 't');
  attempt.begin('11234567897', 5);
  attempt.dismiss('x');
  attempt.clear();
  expect({ ...sessionStorage }).toEqual({ token: 't' });
});

test('a page over plain HTTP, where the browser makes no UUIDs, still has ids of its own', () => {
  const { getRandomValues } = crypto;
  vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) });
  const ids = new Set(Array.from({ length: 200 }, newId));
  expect(ids.size).toBe(200);
  for (const id of ids) expect(id).toMatch(UUID_4);
});
