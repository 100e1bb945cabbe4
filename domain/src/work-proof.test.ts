import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';

import { showsWork, workText } from './work-proof.ts';

const hash = (text: string) => createHash('sha256').update(text).digest();

test('work is shown by leading zero bits, to the bit', () => {
  expect(showsWork(Buffer.from([0, 0, 255]), 16)).toBe(true);
  expect(showsWork(Buffer.from([0, 1, 0]), 16)).toBe(false);
  expect(showsWork(Buffer.from([1, 0, 0]), 16)).toBe(false);
  expect(showsWork(Buffer.from([0, 0b0000_1111]), 12)).toBe(true);
  expect(showsWork(Buffer.from([0, 0b0001_0000]), 12)).toBe(false);
  expect(showsWork(Buffer.from([]), 12)).toBe(false);
});

test('work that was done for one payment is worth nothing for another, nor at another link', () => {
  let tries = 0;
  while (!showsWork(hash(workText('link', 'intent', tries)), 12)) tries += 1;
  expect(showsWork(hash(workText('link', 'intent', tries)), 12)).toBe(true);
  expect(showsWork(hash(workText('link', 'another', tries)), 12)).toBe(false);
  expect(showsWork(hash(workText('another', 'intent', tries)), 12)).toBe(false);
});
