import { expect, test } from 'vitest';

import { isTimely, remindersAt } from './reminders.ts';

/** A moment by the clock of Mexico City, six hours behind UTC. */
const at = (moment: string) => new Date(`${moment}-06:00`);

test('a buyer hears of a date five days before, the evening before and the day after, by day', () => {
  expect(remindersAt(at('2026-11-23T10:00'))).toEqual([
    { kind: 'ahead', dueOn: '2026-11-28' },
    { kind: 'late', dueOn: '2026-11-22' },
  ]);
  expect(remindersAt(at('2026-11-23T17:00')).map(({ kind, dueOn }) => [kind, dueOn])).toEqual([
    ['ahead', '2026-11-28'],
    ['eve', '2026-11-24'],
    ['late', '2026-11-22'],
  ]);
  expect(remindersAt(at('2026-11-23T19:00'))).toEqual([{ kind: 'eve', dueOn: '2026-11-24' }]);
});

test('nobody hears of anything at night, in any zone of the country', () => {
  for (const moment of ['2026-11-23T20:00', '2026-11-23T23:59', '2026-11-24T00:00', '2026-11-24T09:59'])
    expect(remindersAt(at(moment))).toEqual([]);
});

test('a reminder that waited is not sent once its hours are over, or on another day', () => {
  const eve = { kind: 'eve', dueOn: '2026-11-24' } as const;
  expect(isTimely(eve, at('2026-11-23T19:59'))).toBe(true);
  expect(isTimely(eve, at('2026-11-23T20:00'))).toBe(false);
  expect(isTimely(eve, at('2026-11-24T18:00'))).toBe(false);
  expect(isTimely({ ...eve, kind: 'ahead' }, at('2026-11-23T18:00'))).toBe(false);
});
