import { expect, test } from 'vitest';
import { typedSum } from './typed-sum.ts';

test.each([
  ['450', 45_000],
  ['$1,200', 120_000],
  ['1,200.5', 120_050],
  [' $ 12,000.50 ', 1_200_050],
  ['1,234,567.89', 123_456_789],
  ['0.50', 50],
])('%s is the sum that was meant', (typed, sum) => {
  expect(typedSum(typed)).toBe(sum);
});

test.each([
  '50,00',
  '500,00',
  '1,2',
  '12,00.50',
  '1200,000',
  '0,500',
  ',500',
  '1,200,',
  '1,200.5,0',
  '1,200.500',
  '1.200,50',
  '1,200,00',
])('the comma of %s may be meant as a point, so it is no sum: never a hundred times as much', (typed) => {
  expect(typedSum(typed)).toBeUndefined();
});
