import { expect, test } from 'vitest';

import { ageOf } from './ageing.ts';
import { addDays } from './calendar.ts';

const TODAY = '2026-03-01';

test.each([
  [-1, undefined],
  [0, undefined],
  [1, '1-30'],
  [30, '1-30'],
  [31, '31-60'],
  [60, '31-60'],
  [61, '61+'],
  [4_000, '61+'],
])('what is %i days past its due day is aged %s', (days, age) => {
  expect(ageOf(addDays(TODAY, -days), TODAY)).toBe(age);
});
