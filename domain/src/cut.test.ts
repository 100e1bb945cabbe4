import { expect, test } from 'vitest';

import { differenceIn, expectedIn, formatDifference } from './cut.ts';
import { centavos } from './money.ts';

const drawer = (float: number, taken: number, returned: number) => ({
  floatCentavos: centavos(float),
  cashTakenCentavos: centavos(taken),
  cashReturnedCentavos: centavos(returned),
});

test.each([
  [drawer(0, 0, 0), 0, 0, 0, '$0.00'],
  [drawer(50_000, 61_000, 0), 111_000, 110_950, -50, '-$0.50'],
  [drawer(50_000, 61_000, 61_000), 50_000, 50_000, 0, '$0.00'],
  [drawer(0, 0, 61_000), -61_000, 0, 61_000, '$610.00'],
])(
  'a drawer that had %o should hold %d; of %d counted %d is too much',
  (of, expected, counted, difference, said) => {
    expect(expectedIn(of)).toBe(expected);
    expect(differenceIn(of, centavos(counted))).toBe(difference);
    expect(formatDifference(difference)).toBe(said);
  },
);
