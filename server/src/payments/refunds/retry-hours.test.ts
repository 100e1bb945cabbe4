import fc from 'fast-check';
import { expect, test } from 'vitest';
import { untilRetry } from './retry-hours.ts';

// Mexico City is six hours behind UTC the whole year.
test.each([
  ['2026-11-20T12:00:00-06:00', '2026-11-20T14:00:00-06:00'],
  ['2026-11-20T13:59:59-06:00', '2026-11-20T14:00:00-06:00'],
  ['2026-11-20T14:00:00-06:00', '2026-11-20T18:00:00-06:00'],
  ['2026-11-20T18:00:00-06:00', '2026-11-20T22:00:00-06:00'],
  ['2026-11-20T22:00:00-06:00', '2026-11-21T14:00:00-06:00'],
  ['2026-11-20T23:59:59-06:00', '2026-11-21T14:00:00-06:00'],
  ['2026-12-31T23:00:00-06:00', '2027-01-01T14:00:00-06:00'],
])('a refund without balance at %s is asked again at %s', (now, next) => {
  expect(untilRetry(new Date(now))).toBe(Date.parse(next) - Date.parse(now));
});

test('at any moment the next try is ahead, within sixteen hours, and at 14, 18 or 22 o’clock', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2026-01-01'), max: new Date('2036-01-01'), noInvalidDate: true }),
      (now) => {
        const wait = untilRetry(now);
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(16 * 3_600_000);
        const hour = new Date(now.getTime() + wait - 6 * 3_600_000).toISOString().slice(11);
        expect(['14:00:00.000Z', '18:00:00.000Z', '22:00:00.000Z']).toContain(hour);
      },
    ),
  );
});
