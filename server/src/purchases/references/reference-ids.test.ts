import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import {
  buildPaymentReference,
  dammCheckDigit,
  isPaymentReferenceId,
  parsePaymentReference,
} from '@aparta/domain/payment-reference';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { permutedDigits } from './reference-ids.ts';

const key = createSecretKey(Buffer.from('0f'.repeat(32), 'hex'));
const LAST = 899_999_999;
const serials = fc.integer({ min: 0, max: LAST });
const keys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => createSecretKey(Buffer.from(bytes)));

test('no two buyers of a stretch of serials get the same number', () => {
  fc.assert(
    fc.property(keys, fc.integer({ min: 0, max: LAST - 3_000 }), (anyKey, from) => {
      const digits = Array.from({ length: 3_000 }, (_, step) => permutedDigits(from + step, anyKey));
      expect(new Set(digits).size).toBe(3_000);
    }),
    { numRuns: 5 },
  );
});

test('no two serials anywhere get the same number', () => {
  fc.assert(
    fc.property(keys, fc.uniqueArray(serials, { minLength: 500, maxLength: 500 }), (anyKey, many) => {
      expect(new Set(many.map((serial) => permutedDigits(serial, anyKey))).size).toBe(many.length);
    }),
    { numRuns: 5 },
  );
});

test('a number has nine digits, never starts with 0, and reads back as a payment reference', () => {
  fc.assert(
    fc.property(serials, fc.integer({ min: 1, max: 999 }), (serial, prefix) => {
      const digits = permutedDigits(serial, key);
      expect(digits).toMatch(/^[1-9]\d{8}$/);
      const id = digits + dammCheckDigit(digits);
      expect(isPaymentReferenceId(id)).toBe(true);
      expect(parsePaymentReference(buildPaymentReference(prefix, id))).toEqual({
        prefix: String(prefix),
        id,
      });
    }),
  );
});

test('the first, the last and the neighbours of a serial tell nothing of each other', () => {
  expect(permutedDigits(0, key)).not.toBe('100000000');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: LAST - 2 }), (serial) => {
      const [a, b, c] = [0, 1, 2].map((step) => Number(permutedDigits(serial + step, key))) as [
        number,
        number,
        number,
      ];
      expect(Math.abs(a - b)).toBeGreaterThan(1);
      expect(b - a).not.toBe(c - b);
    }),
  );
});

test('a serial keeps its number for ever: with others, new numbers would meet those already printed', () => {
  const printed = [0, 1, 2, LAST].map((serial) => permutedDigits(serial, key));
  expect(printed).toEqual(['812433992', '903838119', '352053434', '684718756']);
});

test('another key gives other numbers, the same key the same', () => {
  const other = createSecretKey(randomBytes(32));
  const list = (by: KeyObject) => Array.from({ length: 50 }, (_, serial) => permutedDigits(serial, by));
  expect(list(key)).toEqual(list(key));
  expect(list(key).filter((digits, at) => digits === list(other)[at])).toHaveLength(0);
});

test.each([-1, LAST + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
  'the serial %d has no number: used up is an error, not a repetition',
  (serial) => {
    expect(() => permutedDigits(serial, key)).toThrow(RangeError);
  },
);
