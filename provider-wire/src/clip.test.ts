import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { centavos } from '@aparta/domain/money';
import { centavosFromPesos, payment, pesosFromCentavos } from './clip.ts';

test('every amount survives the way to Clip and back, through JSON', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (amount) => {
      const wire = JSON.stringify(pesosFromCentavos(centavos(amount)));
      expect(wire).toMatch(/^\d+(\.\d{1,2})?$/);
      expect(centavosFromPesos(JSON.parse(wire) as number)).toBe(amount);
    }),
  );
});

test('a sale with a strange tip is read, one with a strange amount is not', () => {
  const sale = { id: '7', status: 'approved', amount: 100, tip_amount: 10.005, captured_amount: 110.005 };
  expect(v.is(payment, sale)).toBe(true);
  expect(v.is(payment, { ...sale, amount: 100.005 })).toBe(false);
});

test.each([0.001, 10.005, -1, Number.NaN, Infinity, 1e12])('%d is not rounded into money', (amount) => {
  expect(() => centavosFromPesos(amount)).toThrow(RangeError);
});
