import { centavos } from '@aparta/domain/money';
import * as v from 'valibot';
import { expect, test } from 'vitest';

import { centavosFromPesos, optionalCentavos, pesos, pesosFromCentavos } from './amount.ts';

test.each([0, 0.01, 1, 600, 600.5, 615.15, 1234.56])('%d pesos are money', (amount) => {
  expect(v.is(pesos, amount)).toBe(true);
});

test.each([
  -1,
  -0.01,
  0.001,
  600.004,
  0.1 + 0.2,
  '600',
  Number.POSITIVE_INFINITY,
  Number.NaN,
  1e12,
  null,
  [600],
])('%s is not an amount of money', (amount) => {
  expect(v.is(pesos, amount)).toBe(false);
});

test('every centavo up to a thousand pesos survives the way over the wire and back', () => {
  for (let amount = 0; amount <= 100_000; amount += 1) {
    const sent: unknown = JSON.parse(JSON.stringify(pesosFromCentavos(centavos(amount))));
    expect(centavosFromPesos(v.parse(pesos, sent))).toBe(amount);
  }
});

test('a sum that is left out stays out, and zero pesos are a sum', () => {
  expect([undefined, 0, 600.5].map(optionalCentavos)).toEqual([undefined, 0, 60_050]);
});
