import { centavos } from '@aparta/domain/money';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../platform/refusal.ts';
import type { LayawayReference } from '../../purchases/layaways/read-model.ts';
import type { LockedPurchase } from '../../purchases/plans/store.ts';
import {
  dueAsShown,
  dueOf,
  isApplicable,
  isOf,
  type Payable,
  referencesOf,
  refuseUnlessAlive,
} from './payable.ts';
import type { Attempt } from './store.ts';

const noon = new Date('2026-11-22T12:00:00Z');
const later = new Date('2026-11-22T12:00:01Z');
const reference = {
  id: 7,
  buyerId: 1,
  merchantId: 2,
  productName: 'Silla',
  state: 'open',
  depositCentavos: centavos(60_000),
  feeCentavos: centavos(1_500),
  feeMethods: ['card'],
  expiresAt: noon,
  now: new Date('2026-11-22T11:59:59Z'),
  purchaseId: null,
} as unknown as LayawayReference;
const layaway = (more: Partial<LayawayReference> = {}, isReplaced = false): Payable => ({
  kind: 'layaway',
  reference: { ...reference, ...more },
  isReplaced,
});
const instalment = (more: Partial<LockedPurchase> = {}, balance = 120_000): Payable => ({
  kind: 'instalment',
  instalmentId: 11,
  purchase: {
    id: 3,
    buyerId: 1,
    merchantId: 2,
    productName: 'Silla',
    state: 'active',
    balanceCentavos: centavos(240_000),
    feeCentavos: centavos(1_500),
    feeMethods: ['card'],
    instalments: [
      { id: 10, balanceCentavos: centavos(0) },
      { id: 11, balanceCentavos: centavos(balance) },
    ],
    ...more,
  } as unknown as LockedPurchase,
});
const several = (...those: Payable[]): Payable => ({
  kind: 'several',
  shares: those.map((each) => ({ ...each, principalCentavos: centavos(1_000) })) as never,
});
const attempt = (principal: number, createdAt = noon) =>
  ({ principalCentavos: centavos(principal), createdAt }) as Attempt;
const outcomeOf = <T>(work: () => T) => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.code, error.facts];
  }
};
const refusal = (payable: Payable) => outcomeOf(() => refuseUnlessAlive(payable));

test('what is due is the frozen deposit, or what is left of the instalment, with the card’s fee', () => {
  const due = { buyerId: 1, merchantId: 2, feeCentavos: 1_500, productName: 'Silla' };
  expect(dueOf(layaway())).toEqual({ ...due, referenceId: 7, principalCentavos: 60_000 });
  expect(dueOf(instalment({}, 70_000))).toEqual({ ...due, referenceId: 11, principalCentavos: 70_000 });
  expect(dueOf(layaway({ feeMethods: ['cash'] })).feeCentavos).toBe(0);
});

describe('no payment begins for what is over', () => {
  test.each([
    ['an open reference', layaway(), undefined],
    ['a reference at its end', layaway({ now: noon }), ['REFERENCE_EXPIRED', {}]],
    ['one after its end', layaway({ now: later }), ['REFERENCE_EXPIRED', {}]],
    ['one that was closed at its end', layaway({ state: 'expired' }), ['REFERENCE_EXPIRED', {}]],
    ['a cancelled one', layaway({ state: 'cancelled' }), ['REFERENCE_CANCELLED', {}]],
    ['a paid one', layaway({ state: 'paid', purchaseId: 5 }), ['REFERENCE_PAID', { ventaId: 5 }]],
    [
      'a paid one of a purchase that was cancelled',
      layaway({ state: 'paid', purchaseId: 5, purchaseState: 'cancelled' }),
      ['REFERENCE_CANCELLED', {}],
    ],
    ['an instalment', instalment(), undefined],
    ['a paid instalment', instalment({}, 0), ['REFERENCE_PAID', { ventaId: 3 }]],
    ['one that is not of its purchase', instalment({ instalments: [] }), ['REFERENCE_PAID', { ventaId: 3 }]],
    ['one of a cancelled purchase', instalment({ state: 'cancelled' }), ['REFERENCE_CANCELLED', {}]],
    ['what is late of several', several(instalment(), instalment({ id: 4 })), undefined],
    [
      'several, one of them paid',
      several(instalment(), instalment({ id: 4 }, 0)),
      ['REFERENCE_PAID', { ventaId: 4 }],
    ],
    [
      'several, one of them cancelled',
      several(instalment(), instalment({ id: 4, state: 'cancelled' })),
      ['REFERENCE_CANCELLED', {}],
    ],
  ])('%s', (_what, payable, refused) => {
    expect(refusal(payable)).toEqual(refused);
  });
});

describe('a deposit’s money buys', () => {
  test.each([
    ['while the reference is open', layaway(), attempt(60_000), true],
    ['after its end, if the card was tried before', layaway({ state: 'expired' }), attempt(60_000), true],
    ['not if it was tried after the end', layaway({ state: 'expired' }), attempt(60_000, later), false],
    [
      'not if the buyer has another reservation since',
      layaway({ state: 'expired' }, true),
      attempt(60_000),
      false,
    ],
    ['not another sum: a centavo less', layaway(), attempt(59_999), false],
    ['not another sum: a centavo more', layaway(), attempt(60_001), false],
    ['not twice', layaway({ state: 'paid', purchaseId: 5 }), attempt(60_000), false],
    ['not a reference that has its purchase', layaway({ purchaseId: 5 }), attempt(60_000), false],
    ['not a cancelled reference', layaway({ state: 'cancelled' }), attempt(60_000), false],
  ])('%s', (_when, payable, made, isTaken) => {
    expect(isApplicable(payable, made)).toBe(isTaken);
  });
});

describe('an instalment’s money counts', () => {
  test.each([
    ['while it is owed', instalment(), attempt(120_000), true],
    [
      'also if less is left of it, as long as the purchase owes that much',
      instalment({}, 1),
      attempt(240_000),
      true,
    ],
    ['not if the purchase owes less', instalment(), attempt(240_001), false],
    ['not if the instalment is paid', instalment({}, 0), attempt(120_000), false],
    ['not for a cancelled purchase', instalment({ state: 'cancelled' }), attempt(120_000), false],
  ])('%s', (_when, payable, made, isTaken) => {
    expect(isApplicable(payable, made)).toBe(isTaken);
  });
});

describe('one payment for several purchases', () => {
  const other = { id: 4, productName: 'Mesa', feeCentavos: centavos(2_000) };

  test('is due as the sum of its shares, with the highest of their fees, and names them all', () => {
    expect(dueOf(several(instalment(), instalment(other)))).toEqual({
      referenceId: 11,
      buyerId: 1,
      merchantId: 2,
      principalCentavos: 2_000,
      feeCentavos: 2_000,
      productName: 'Silla, Mesa',
    });
    expect(referencesOf(several(instalment(), instalment(other)))).toEqual([11, 11]);
    expect(referencesOf(instalment())).toEqual([11]);
    expect(() => dueOf(several())).toThrow('an attempt of no purchase');
  });

  test('is its buyer’s only if each purchase is, at the one merchant', () => {
    expect(isOf(several(instalment(), instalment(other)), 1, 2)).toBe(true);
    expect(isOf(several(instalment(), instalment({ ...other, buyerId: 9 })), 1, 2)).toBe(false);
    expect(isOf(several(instalment(), instalment({ ...other, merchantId: 9 })), 1, 2)).toBe(false);
    expect([isOf(instalment(), 1, 2), isOf(layaway(), 1, 2), isOf(layaway(), 9, 2)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test.each([
    ['while each of them owes its share', instalment(other), true],
    ['also the last centavo of one', instalment({ ...other, balanceCentavos: centavos(1_000) }), true],
    ['not if one owes less', instalment({ ...other, balanceCentavos: centavos(999) }), false],
    ['not if an instalment is paid', instalment(other, 0), false],
    ['not if one was cancelled', instalment({ ...other, state: 'cancelled' }), false],
  ])('counts %s', (_when, second, isTaken) => {
    expect(isApplicable(several(instalment(), second), attempt(2_000))).toBe(isTaken);
    expect(isApplicable(several(second, instalment()), attempt(2_000))).toBe(isTaken);
  });
});

describe('what the buyer was shown is what is taken', () => {
  const both = several(instalment(), instalment({ id: 4 }));
  const left = instalment({
    balanceCentavos: centavos(200_000),
    instalments: [
      { id: 11, number: 2, balanceCentavos: centavos(80_000) },
      { id: 12, number: 3, balanceCentavos: centavos(120_000) },
    ] as never,
  });
  const fills = (...parts: [number, number][]) =>
    parts.map(([number, amount]) => ({ number, amountCentavos: centavos(amount) }));
  const changed = (facts: object) => ['AMOUNT_CHANGED', facts];

  test.each([
    ['all that is late of several', both, 3_500, undefined, 2_000],
    ['not a centavo less', both, 3_499, undefined, changed({ amount: 35 })],
    ['a deposit', layaway(), 61_500, undefined, 60_000],
    ['a deposit, which fills nothing else', layaway(), 61_500, fills([1, 60_000]), 60_000],
    ['an instalment', instalment(), 121_500, undefined, 120_000],
    ['not a centavo more', instalment(), 121_501, undefined, changed({ amount: 1_215 })],
    ['a sum of their own, filled as shown', left, 101_500, fills([2, 80_000], [3, 20_000]), 100_000],
    ['not one that fills others', left, 101_500, fills([3, 100_000]), changed({ amount: 815, all: 2_015 })],
    ['not more than is owed', left, 201_501, fills([2, 80_000]), changed({ amount: 815, all: 2_015 })],
  ])('%s', (_what, payable, total, parts, taken) => {
    const shown = { totalCentavos: centavos(total), fills: parts };
    const took = () => {
      const due = dueAsShown(payable, shown);
      expect(due).toEqual({ ...dueOf(payable), principalCentavos: due.principalCentavos });
      return due.principalCentavos;
    };
    expect(outcomeOf(took)).toEqual(taken);
  });
});
