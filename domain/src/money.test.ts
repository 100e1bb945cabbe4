import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  centavos,
  centavosToPesos,
  decimal,
  formatCount,
  formatMoney,
  parseDecimal,
  percentOf,
  pesosToCentavos,
  subtract,
  sum,
  zero,
} from './money.ts';

const amounts = fc.integer({ min: 0, max: 99_999_999_999 }).map(centavos);

describe('money', () => {
  it('is whole centavos from 0 to 999,999,999.99 pesos and nothing else', () => {
    expect(centavos(0)).toBe(0);
    expect(centavos(-0)).toBe(0);
    expect(centavos(99_999_999_999)).toBe(99_999_999_999);
    for (const wrong of [-1, 0.5, 100_000_000_000, NaN, Infinity, 2 ** 53]) {
      expect(() => centavos(wrong), String(wrong)).toThrow(RangeError);
    }
  });

  it('never falls below zero and never overflows in silence', () => {
    expect(subtract(centavos(60_000), centavos(60_000))).toBe(0);
    expect(() => subtract(centavos(1), centavos(2))).toThrow(RangeError);
    expect(() => add(centavos(99_999_999_999), centavos(1))).toThrow(RangeError);
    expect(sum([])).toBe(zero);
    expect(add(centavos(60_000), centavos(1_500))).toBe(61_500);
  });

  it('takes percentages half up to the centavo, as whole-number arithmetic does', () => {
    expect(percentOf(centavos(300_000), 2_000)).toBe(60_000);
    expect(percentOf(centavos(1), 5_000)).toBe(1);
    expect(percentOf(centavos(1), 4_999)).toBe(0);
    expect(percentOf(centavos(1_005), 1_000)).toBe(101);
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 10_000 }), (amount, points) => {
        const exact = (BigInt(amount) * BigInt(points) + 5_000n) / 10_000n;
        expect(percentOf(amount, points)).toBe(Number(exact));
      }),
    );
    expect(() => percentOf(centavos(1), -1)).toThrow(RangeError);
    expect(() => percentOf(centavos(1), 10_001)).toThrow(RangeError);
    expect(() => percentOf(centavos(1), 12.5)).toThrow(RangeError);
  });

  it('shows two decimals and commas between thousands', () => {
    expect(formatMoney(zero)).toBe('$0.00');
    expect(formatMoney(centavos(5))).toBe('$0.05');
    expect(formatMoney(centavos(99_999))).toBe('$999.99');
    expect(formatMoney(centavos(123_450))).toBe('$1,234.50');
    expect(formatMoney(centavos(99_999_999_999))).toBe('$999,999,999.99');
  });

  it('puts the same commas between the thousands of a count, as Mexico does', () => {
    expect([0, 7, 999].map(formatCount)).toEqual(['0', '7', '999']);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (count) => {
        expect(formatCount(count)).toBe(count.toLocaleString('es-MX'));
      }),
    );
  });

  it('comes back unchanged from every form it is written in', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(pesosToCentavos(centavosToPesos(amount))).toBe(amount);
        expect(pesosToCentavos(JSON.parse(JSON.stringify(centavosToPesos(amount))))).toBe(amount);
        expect(parseDecimal(decimal(amount))).toBe(amount);
        expect(formatMoney(amount)).toMatch(/^\$\d{1,3}(,\d{3})*\.\d\d$/);
        expect(parseDecimal(formatMoney(amount).replace(/[$,]/g, ''))).toBe(amount);
      }),
    );
  });

  it('accepts pesos only with at most two decimals as written', () => {
    expect(pesosToCentavos(615.15)).toBe(61_515);
    expect(pesosToCentavos(600)).toBe(60_000);
    expect(pesosToCentavos(0.1)).toBe(10);
    for (const wrong of [0.1 + 0.2, 600.004, Infinity, NaN, -1, -0, -0.01, 1e-7, 1e21, 1_000_000_000]) {
      expect(pesosToCentavos(wrong), String(wrong)).toBeUndefined();
    }
  });

  it('reads only plain decimals from a text', () => {
    expect(parseDecimal('3000')).toBe(300_000);
    expect(parseDecimal('3000.5')).toBe(300_050);
    for (const wrong of ['', '.5', '5.', '1,000.00', '-1', '1e3', ' 1', '1.005', '$1', '٣']) {
      expect(parseDecimal(wrong), wrong).toBeUndefined();
    }
  });
});
