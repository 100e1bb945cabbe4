import { expect, test } from 'vitest';

import { allocateOldestFirst } from './allocation.ts';
import { buyerSums, fillsOfSum, fillsTheSame, LEAST_CHOSEN } from './buyer-sums.ts';
import type { DateOnly } from './calendar.ts';
import { centavos, sum } from './money.ts';

const plan = (...balances: number[]) =>
  balances.map((balance, index) => ({
    number: index + 2,
    dueOn: `2026-11-${10 + index}` as DateOnly,
    balanceCentavos: centavos(balance),
  }));

test('offers what comes next, and all that is left', () => {
  expect(buyerSums(plan(0, 40_000, 60_000).toReversed(), '2026-11-01')).toEqual({
    next: 40_000,
    late: undefined,
    all: 100_000,
    least: LEAST_CHOSEN,
  });
  expect(buyerSums(plan(0, 3_000), '2026-11-01')?.least).toBe(3_000);
  expect(buyerSums(plan(0, 0), '2026-11-01')).toBeUndefined();
});

test('offers to catch up when more than one is late; the day itself is in time', () => {
  expect(buyerSums(plan(10_025, 60_000, 70_000), '2026-11-12')).toMatchObject({ next: 10_025, late: 70_025 });
  expect(buyerSums(plan(10_025, 60_000, 60_000), '2026-11-11')?.late).toBeUndefined();
});

test('takes any sum from $50, or what is left, to all of it; and what comes next, however little', () => {
  const fills = (principal: number, ...balances: number[]) =>
    fillsOfSum(plan(...balances), centavos(principal));
  expect(fills(74_020, 60_000, 60_000)).toEqual([
    { number: 2, amountCentavos: 60_000 },
    { number: 3, amountCentavos: 14_020 },
  ]);
  expect(fills(2_000, 2_000, 60_000)).toEqual([{ number: 2, amountCentavos: 2_000 }]);
  expect(fills(3_000, 3_000)).toHaveLength(1);
  expect([1_999, 2_001, 4_999, 62_001, 0].map((principal) => fills(principal, 2_000, 60_000))).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
  // As little as a later one's balance is no 'what comes next'.
  expect(fills(2_000, 60_000, 2_000)).toBeUndefined();
  expect(fills(5_000, 2_000, 60_000)).toHaveLength(2);
  expect(fills(62_000, 2_000, 60_000)).toHaveLength(2);
});

test('for 10,000 random plans and sums, what is shown is what the rule that books them fills', () => {
  let seed = 14;
  const below = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  for (let turn = 0; turn < 10_000; turn += 1) {
    const balances = Array.from({ length: 1 + below(13) }, () => (below(4) === 0 ? 0 : 1 + below(90_000)));
    const instalments = plan(...balances);
    const all = balances.reduce((left, each) => left + each, 0);
    const principal = centavos(below(5) === 0 ? all : below(all + 5_000));
    const shown = fillsOfSum(instalments, principal);
    const booked = allocateOldestFirst(instalments, principal);
    if (shown === undefined) {
      const next = balances.find((balance) => balance > 0);
      expect(
        principal > all || principal === 0 || (principal < Math.min(5_000, all) && principal !== next),
      ).toBe(true);
    } else {
      expect(booked).toEqual({ parts: shown, remainderCentavos: 0 });
      expect(sum(shown.map(({ amountCentavos }) => amountCentavos))).toBe(principal);
    }
  }
});

test('two lists fill the same only by the same sums of the same instalments', () => {
  const [one, other] = [plan(500, 700), plan(500, 701)].map(
    (each) => allocateOldestFirst(each, centavos(1_200)).parts,
  );
  expect(fillsTheSame(one ?? [], [...(one ?? [])])).toBe(true);
  expect(fillsTheSame(one ?? [], other ?? [])).toBe(true);
  expect(fillsTheSame(one ?? [], (one ?? []).slice(1))).toBe(false);
  expect(fillsTheSame(one ?? [], (one ?? []).slice(0, 1))).toBe(false);
  expect(fillsTheSame((one ?? []).slice(0, 1), one ?? [])).toBe(false);
  expect(
    fillsTheSame(one ?? [], [
      { number: 2, amountCentavos: centavos(500) },
      { number: 3, amountCentavos: centavos(699) },
    ]),
  ).toBe(false);
  expect(
    fillsTheSame(one ?? [], [
      { number: 2, amountCentavos: centavos(500) },
      { number: 4, amountCentavos: centavos(700) },
    ]),
  ).toBe(false);
});
