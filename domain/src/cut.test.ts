import { expect, test } from 'vitest';

import { canBeCut, differenceIn, expectedIn, formatDifference, whatNeedsReason } from './cut.ts';
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

test.each([
  ['fits, over the float of before', 500, 1_100, 500, false, false],
  ['fits, as the first of its drawer', 500, 1_100, null, false, false],
  ['is short', 500, 1_099, 500, true, false],
  ['fits by another float', 0, 600, 500, false, true],
  ['fits by a float where there was none', 500, 1_100, 0, false, true],
  ['is short over another float', 50, 600, 500, true, true],
  ['is not made yet, over another float', 0, undefined, 500, false, true],
])(
  'a count that %s says why it differs, or its float does, or nothing',
  (_, float, counted, before, isOff, isOtherFloat) => {
    const sum = (pesos: number) => centavos(pesos * 100);
    expect(
      whatNeedsReason(
        drawer(float * 100, 60_000, 0),
        counted === undefined ? undefined : sum(counted),
        before === null ? null : sum(before),
      ),
    ).toEqual({ isOff, isOtherFloat });
  },
);

test('there is a cut of what moved alone', () => {
  expect([canBeCut(0), canBeCut(1)]).toEqual([false, true]);
});
