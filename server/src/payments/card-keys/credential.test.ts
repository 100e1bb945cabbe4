import { expect, test } from 'vitest';
import { isPairRefused } from './credential.ts';

test.each([
  ['401', true],
  ['403 AI1402', true],
  ['404 not found', false],
  ['4011', false],
  ['500 error 401', false],
  ['ECONNREFUSED', false],
])('an answer of %s says of a key pair that it is refused: %s', (why, isRefused) => {
  expect(isPairRefused(why)).toBe(isRefused);
});
