import { expect, test } from 'vitest';
import { isNonsense, paidMoment } from './paid-at.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, 0, hour * 60));
const FIVE_MINUTES = 300_000;
const fromThen = (hour: number, ms: number) => new Date(at(hour).getTime() + ms);
const bounds = { since: at(10), now: at(20) };

test.each([
  ['the moment of paying counts', at(15), at(15), false],
  ['unsaid, that of booking does', undefined, undefined, false],
  ['so it does for tomorrow', at(44), undefined, true],
  ['and for a day before the reference', at(-14), undefined, true],
  ['a clock that is a minute ahead is no mistake', at(20 + 1 / 60), undefined, false],
  ['nor one that is a minute behind', at(10 - 1 / 60), at(10 - 1 / 60), false],
  ['this very moment counts', at(20), at(20), false],
  ['five minutes ahead is still a clock', fromThen(20, FIVE_MINUTES), undefined, false],
  ['more is not', fromThen(20, FIVE_MINUTES + 1), undefined, true],
  ['five minutes behind is still a clock', fromThen(10, -FIVE_MINUTES), fromThen(10, -FIVE_MINUTES), false],
  ['less is not', fromThen(10, -FIVE_MINUTES - 1), undefined, true],
])('%s', (_title, said, paidAt, isWrong) => {
  expect(paidMoment(said, bounds)).toEqual(paidAt);
  expect(isNonsense(said, bounds)).toBe(isWrong);
});
