import { describe, expect, test } from 'vitest';

import {
  isSignature,
  judgePickup,
  PICKUP_DAYS,
  PICKUP_REPLACED,
  PICKUP_TRIES,
  pickupText,
  readPickupText,
  SIGNATURE,
} from './pickup-code.ts';

test('a pickup code says its purchase and its digits, and nothing else is one', () => {
  expect(pickupText(10001, '012345')).toBe('E1|10001|012345');
  expect(readPickupText(' E1|10001|012345\n')).toEqual({ purchaseId: 10001, digits: '012345' });
  expect(readPickupText('E1|999999999999999|012345')?.purchaseId).toBe(999_999_999_999_999);
  for (const other of [
    'E1|10001|12345',
    'E1|10001|1234567',
    'E1|010|123456',
    'E1|9999999999999999|123456',
    'xE1|10001|123456',
    'E2|10001|123456',
    '11234567890',
    '',
  ])
    expect(readPickupText(other)).toBeUndefined();
});

test('a code is good for ninety days and five tries, and remembers four that it replaced', () => {
  expect([PICKUP_DAYS, PICKUP_TRIES, PICKUP_REPLACED]).toEqual([90, 5, 4]);
});

describe('digits at the counter', () => {
  const expiresAt = new Date(1_000);
  const code = { digits: ['111111', '222222', '333333'], tries: 4, expiresAt };
  test.each([
    ['are right until the code ends', code, '111111', 999, 'right'],
    ['are expired from then on', code, '111111', 1_000, 'expired'],
    ['were replaced', code, '222222', 999, 'replaced'],
    ['were replaced long ago', code, '333333', 2_000, 'replaced'],
    ['are nobody’s', code, '444444', 999, 'wrong'],
    ['say nothing after five wrong ones', { ...code, tries: 5 }, '111111', 999, 'locked'],
    ['say nothing after more of them', { ...code, tries: 6 }, '222222', 999, 'locked'],
  ] as const)('%s', (_, given, digits, now, verdict) => {
    expect(judgePickup(given, digits, new Date(now))).toBe(verdict);
  });
});

test('a signature is strokes of points within the square, neither empty nor endless', () => {
  const stroke = [0, 0, SIGNATURE.side, 1_000];
  expect(SIGNATURE).toEqual({ strokes: 60, points: 2_000, side: 1_000 });
  expect(isSignature([stroke])).toBe(true);
  expect(isSignature(Array.from({ length: 60 }, () => stroke))).toBe(true);
  expect(isSignature([Array.from({ length: 4_000 }, () => 1)])).toBe(true);
  expect(isSignature([])).toBe(false);
  expect(isSignature(Array.from({ length: 61 }, () => stroke))).toBe(false);
  expect(isSignature([Array.from({ length: 4_002 }, () => 1)])).toBe(false);
  for (const wrong of [
    [],
    [1, 2],
    [1, 2, 3],
    [1, 2, 3, 4, 5],
    [0, 0, 1_001, 1],
    [0, 0, -1, 1],
    [0, 0, 0.5, 1],
  ])
    expect(isSignature([stroke, wrong])).toBe(false);
});
