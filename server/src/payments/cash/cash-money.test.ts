import { centavos, zero } from '@aparta/domain/money';
import { expect, test } from 'vitest';
import type { LockedPurchase } from '../../purchases/plans/store.ts';
import { shareOut } from './cash-money.ts';

const purchase = (facts: Partial<LockedPurchase> = {}) =>
  ({
    state: 'active',
    balanceCentavos: centavos(100_000),
    feeCentavos: centavos(1_500),
    feeMethods: ['cash'],
    ...facts,
  }) as LockedPurchase;

test.each([
  ['less than the fee pays the purchase alone', 1_499, [1_499, 0, 0]],
  ['as much as the fee pays the purchase alone', 1_500, [1_500, 0, 0]],
  ['a centavo more pays the fee first', 1_501, [1, 1_500, 0]],
  ['balance and fee are all that is taken', 101_500, [100_000, 1_500, 0]],
  ['what is beyond both is owed back', 101_501, [100_000, 1_500, 1]],
] as const)('of cash at a store, %s', (_what, amount, shares) => {
  const { principalCentavos, feeCentavos, surplusCentavos } = shareOut(purchase(), centavos(amount));
  expect([principalCentavos, feeCentavos, surplusCentavos]).toEqual(shares);
});

test('cash for what is cancelled or paid is owed back whole, without a fee', () => {
  for (const over of [purchase({ state: 'cancelled' }), purchase({ balanceCentavos: zero })])
    expect(shareOut(over, centavos(5_000))).toEqual({
      principalCentavos: 0,
      feeCentavos: 0,
      surplusCentavos: 5_000,
    });
});
