import { expect, test } from 'vitest';
import { nextPollMs } from './poll-delay.ts';

test('a pending payment is polled after one second, then ever less often, at most every five seconds', () => {
  const waits = [0, 1, 2, 3, 4, 5, 6, 7].map((polls) => nextPollMs(polls, 0, 'minutes'));
  expect(waits[0]).toBe(1000);
  expect(waits.toSorted((one, other) => Number(one) - Number(other))).toEqual(waits);
  expect(waits.at(-1)).toBe(5000);
});

test('after three minutes the screen stops asking by itself, and a 3DS window after half an hour', () => {
  expect(nextPollMs(40, 179_999, 'minutes')).toBe(5000);
  expect(nextPollMs(40, 180_000, 'minutes')).toBe(false);
  expect(nextPollMs(40, 180_000, 'halfHour')).toBe(15_000);
  expect(nextPollMs(200, 1_800_000, 'halfHour')).toBe(false);
});

test('a payment in manual review is fetched once', () => {
  expect(nextPollMs(0, 0, 'once')).toBe(false);
});
