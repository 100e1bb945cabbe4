import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildPaymentReference,
  dammCheckDigit,
  groupDigits,
  isPaymentReferenceId,
  parsePaymentReference,
} from './payment-reference.ts';

const nineDigits = fc.integer({ min: 100_000_000, max: 999_999_999 }).map(String);
const ids = nineDigits.map((nine) => nine + dammCheckDigit(nine));
const prefixes = fc.integer({ min: 1, max: 120 }).map(String);

describe('a payment reference', () => {
  it('is prefix and id, and reads back as both', () => {
    fc.assert(
      fc.property(prefixes, ids, (prefix, id) => {
        const reference = buildPaymentReference(prefix, id);
        expect(reference).toBe(prefix + id);
        expect(parsePaymentReference(reference)).toEqual({ prefix, id });
        expect(parsePaymentReference(` ${groupDigits(reference)} `)).toEqual({ prefix, id });
        expect(parsePaymentReference(reference.replace(/\d{4}/g, '$&-'))).toEqual({ prefix, id });
      }),
    );
  });

  it('is refused with any one digit of its id wrong', () => {
    fc.assert(
      fc.property(ids, (id) => {
        for (let at = 0; at < 10; at += 1) {
          for (let digit = 0; digit < 10; digit += 1) {
            const typed = id.slice(0, at) + digit + id.slice(at + 1);
            expect(isPaymentReferenceId(typed), typed).toBe(typed === id);
            expect(parsePaymentReference(`1${typed}`)?.id, typed).toBe(typed === id ? id : undefined);
          }
        }
      }),
    );
  });

  it('is refused with any two neighbours of its id swapped', () => {
    fc.assert(
      fc.property(ids, (id) => {
        for (let at = 0; at < 9; at += 1) {
          const typed = id.slice(0, at) + id.charAt(at + 1) + id.charAt(at) + id.slice(at + 2);
          expect(isPaymentReferenceId(typed), typed).toBe(typed === id);
        }
      }),
    );
  });

  it('has exactly one check digit for any nine digits', () => {
    fc.assert(
      fc.property(nineDigits, (nine) => {
        const right = [...'0123456789'].filter((digit) => isPaymentReferenceId(nine + digit));
        expect(right).toEqual([dammCheckDigit(nine)]);
      }),
    );
  });

  it('agrees with check digits worked out by hand along the table', () => {
    // Interim digits 3, 1, 7, 8, 9, 2, 4, 6, 5.
    expect(dammCheckDigit('100000000')).toBe('5');
    expect(dammCheckDigit('123456789')).toBe('4');
  });

  it('is not one when digits are missing, too many, or lead with 0', () => {
    const id = `572000000${dammCheckDigit('572000000')}`;
    expect(parsePaymentReference(`1${id}`)).toEqual({ prefix: '1', id });
    for (const wrong of ['', id, id.slice(1), `0${id}`, `1000${id}`, `01${id}`, `1${id}x`, `1.${id}`]) {
      expect(parsePaymentReference(wrong), wrong).toBeUndefined();
    }
    expect(isPaymentReferenceId('0000000000')).toBe(false);
    for (const wrong of ['012345678', '12345678', '1234567890', 'abcdefghi']) {
      expect(() => dammCheckDigit(wrong), wrong).toThrow(RangeError);
    }
    for (const [prefix, of] of [
      ['', id],
      ['0', id],
      ['1000', id],
      ['1', id.slice(1)],
      ['12', `2${id}`],
    ] as const) {
      expect(() => buildPaymentReference(prefix, of), `${prefix} ${of}`).toThrow(RangeError);
    }
  });

  it('is read in groups of four from the left', () => {
    expect(groupDigits('11000048213')).toBe('1100 0048 213');
    expect(groupDigits('121000048213')).toBe('1210 0004 8213');
  });
});

it('takes no id with something before or after it', () => {
  const nine = '123456789';
  const id = nine + dammCheckDigit(nine);
  expect(isPaymentReferenceId(id)).toBe(true);
  // A text whose check digit is right although it is longer, or ends as an id does.
  for (let digit = 0; digit < 10; digit += 1) {
    expect(isPaymentReferenceId(`${id}${digit}`)).toBe(false);
    expect(isPaymentReferenceId(`0${digit}${id}`)).toBe(false);
  }
});
