import { expect, test } from 'vitest';

import { branchToTakeFrom } from './units.ts';

const units = [
  { branchId: 3, free: 2 },
  { branchId: 2, free: 2 },
  { branchId: 5, free: 1 },
  { branchId: 1, free: 0 },
];

test('a unit comes from the branch where its deposit is paid, as long as that one has any', () => {
  expect(branchToTakeFrom(units, 5)).toBe(5);
  expect(branchToTakeFrom(units, 1)).toBe(2);
  const few = { branchId: 5, free: 1 };
  const many = { branchId: 1, free: 3 };
  expect([branchToTakeFrom([few, many], 5), branchToTakeFrom([many, few], 5)]).toEqual([5, 5]);
});

test('a unit paid elsewhere comes from where most are left, of equals from the oldest branch', () => {
  expect(branchToTakeFrom(units, undefined)).toBe(2);
  expect(branchToTakeFrom([...units, { branchId: 9, free: 3 }], undefined)).toBe(9);
  expect(
    branchToTakeFrom(
      [
        { branchId: 2, free: 2 },
        { branchId: 3, free: 2 },
      ],
      7,
    ),
  ).toBe(2);
});

test('no unit comes from where none is left', () => {
  expect(branchToTakeFrom([{ branchId: 1, free: 0 }], 1)).toBeUndefined();
  expect(branchToTakeFrom([], undefined)).toBeUndefined();
});
