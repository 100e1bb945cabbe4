import { expect, test } from 'vitest';

import { counterQuote, fillsOf, type Owed } from './counter-quote.ts';
import { centavos } from './money.ts';

const owed = (...balances: number[]): Owed => ({
  instalments: balances.map((balance, index) => ({ number: index + 2, balanceCentavos: centavos(balance) })),
  feeCentavos: centavos(1_500),
  isDeposit: false,
});
const deposit: Owed = { ...owed(60_000), isDeposit: true };

test('what comes next is the rest of the oldest unpaid instalment, all is the balance, each with its fee', () => {
  const inAnyOrder = owed(0, 45_025, 120_000);
  expect(counterQuote({ ...inAnyOrder, instalments: inAnyOrder.instalments.toReversed() })).toEqual({
    next: { amountCentavos: 46_525, fills: [{ number: 3, amountCentavos: 45_025 }] },
    all: {
      amountCentavos: 166_525,
      fills: [
        { number: 3, amountCentavos: 45_025 },
        { number: 4, amountCentavos: 120_000 },
      ],
    },
    minimumCentavos: 1_501,
  });
});

test('a deposit is taken whole or not at all', () => {
  expect(counterQuote(deposit)).toMatchObject({
    next: { amountCentavos: 61_500 },
    all: { amountCentavos: 61_500 },
    minimumCentavos: 61_500,
  });
  expect([61_499, 61_500, 61_501].map((amount) => fillsOf(deposit, centavos(amount)))).toEqual([
    undefined,
    [{ number: 2, amountCentavos: 60_000 }],
    undefined,
  ]);
});

test('any sum fills the oldest first, more than the fee and no more than is owed', () => {
  const two = owed(45_025, 120_000);
  expect(fillsOf(two, centavos(51_525))).toEqual([
    { number: 2, amountCentavos: 45_025 },
    { number: 3, amountCentavos: 5_000 },
  ]);
  expect([1_500, 166_526].map((amount) => fillsOf(two, centavos(amount)))).toEqual([undefined, undefined]);
});

test('what is paid off asks for nothing', () => {
  expect(counterQuote(owed(0, 0))).toBeUndefined();
});
