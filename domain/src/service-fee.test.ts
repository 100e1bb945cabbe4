import { expect, it } from 'vitest';
import { centavos } from './money.ts';
import { DEFAULT_FEE_POLICY, feeFor, totalFor } from './service-fee.ts';

it('adds $15.00 to a card payment and nothing to the others, unless the merchant set otherwise', () => {
  const deposit = centavos(60_000);
  expect(totalFor(deposit, DEFAULT_FEE_POLICY, 'card')).toBe(61_500);
  expect(totalFor(deposit, DEFAULT_FEE_POLICY, 'till')).toBe(60_000);
  expect(totalFor(deposit, DEFAULT_FEE_POLICY, 'cash')).toBe(60_000);
});

it('follows the methods that the merchant chose', () => {
  const everywhere = { amountCentavos: centavos(1_000), methods: ['card', 'till', 'cash'] } as const;
  expect(feeFor(everywhere, 'till')).toBe(1_000);
  expect(feeFor({ ...everywhere, methods: [] }, 'card')).toBe(0);
});
