import { expect, test } from 'vitest';

import {
  helperSums,
  isHelperSum,
  leftOfGoal,
  LIVE_HELP_LINKS,
  MOST_REJECTIONS_A_DAY,
  REJECTIONS_THAT_CLOSE,
} from './help.ts';
import { centavos } from './money.ts';

test('a helper gives from fifty pesos to all that is owed', () => {
  const owed = centavos(80_000);
  expect(helperSums(owed)).toEqual({ least: 5_000, most: 80_000 });
  expect([4_999, 5_000, 80_000, 80_001].map((sum) => isHelperSum(owed, centavos(sum)))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('of a purchase that owes less, a helper gives just that; of a settled one nothing', () => {
  expect(helperSums(centavos(1_234))).toEqual({ least: 1_234, most: 1_234 });
  expect(isHelperSum(centavos(1_234), centavos(1_233))).toBe(false);
  expect(helperSums(centavos(0))).toBeUndefined();
  expect(isHelperSum(centavos(0), centavos(0))).toBe(false);
});

test.each([
  ['part of it came', 80_000, 30_000, 90_000, 50_000],
  ['it is reached', 80_000, 80_000, 90_000, 0],
  ['more came than was asked for', 80_000, 95_000, 90_000, 0],
  ['the purchase owes less than the goal', 80_000, 0, 20_000, 20_000],
])('what a goal still wants when %s', (_, goal, helped, balance, left) => {
  expect(leftOfGoal(centavos(goal), centavos(helped), centavos(balance))).toBe(left);
});

test('who makes closed links anew has no more tries at cards in a day than three live ones let through', () => {
  expect([LIVE_HELP_LINKS, REJECTIONS_THAT_CLOSE, MOST_REJECTIONS_A_DAY]).toEqual([3, 5, 15]);
});
