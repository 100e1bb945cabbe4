import { expect, test } from 'vitest';
import { DEAD_AFTER_MS, waitAfter } from './retries.ts';

const waits = Array.from({ length: 40 }, (_, tries) => waitAfter(tries + 1)).filter(
  (wait) => wait !== undefined,
);

test('an event is tried at once, within minutes and then twice a day', () => {
  expect(waits.map((wait) => wait / 60_000)).toEqual([0.5, 2, 8, 32, 128, 512, ...Array(6).fill(720)]);
});

test('an address lives three days in silence', () => {
  expect(DEAD_AFTER_MS).toBe(72 * 3_600_000);
});

test('what nobody took since an address fell silent still waits when the address is switched off', () => {
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(DEAD_AFTER_MS);
});
