import { expect, test } from 'vitest';

import { answerBy, deliverBy, endBy, isPromiseOver } from './claims.ts';

// 20 November 2026 is a Friday; 23:30 of the 19th in Mexico City is the 20th in UTC.
const settledAt = new Date('2026-11-20T05:30:00Z');
const openedAt = new Date('2026-12-21T18:00:00Z');

test('a promise counts days from the payment that settled the purchase, and its last day is still the shop’s', () => {
  expect(deliverBy(settledAt, 15)).toBe('2026-12-04');
  expect(isPromiseOver(settledAt, 15, new Date('2026-12-05T05:59:00Z'))).toBe(false);
  expect(isPromiseOver(settledAt, 15, new Date('2026-12-05T06:00:00Z'))).toBe(true);
});

test('a shop has five Mexican business days to answer, and Christmas is none', () => {
  expect(answerBy(openedAt).toISOString()).toBe('2026-12-30T05:59:59.999Z');
});

test('an answered claim has to end on the day that the shop named, or five business days on, and never after thirty days', () => {
  const answeredAt = new Date('2026-12-22T18:00:00Z');
  const end = (promisedOn: string | null, at = answeredAt) =>
    endBy({ openedAt, answeredAt: at, promisedOn }).toISOString().slice(0, 10);
  expect(end('2027-01-04')).toBe('2027-01-05');
  expect(end(null)).toBe('2026-12-31');
  expect(end('2027-03-01')).toBe('2027-01-21');
  expect(end(null, new Date('2027-01-19T18:00:00Z'))).toBe('2027-01-21');
});
