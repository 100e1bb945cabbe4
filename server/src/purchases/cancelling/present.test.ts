import { centavos, zero } from '@aparta/domain/money';
import { expect, test } from 'vitest';

import { presentQuote, presentRefund } from './present.ts';
import type { HeldPayment, RefundRow } from './read-model.ts';

const AT = new Date('2026-11-22T18:00:00.000Z');

const refund = (change: Partial<RefundRow>): RefundRow => ({
  id: 7,
  amountCentavos: centavos(61_500),
  method: 'card',
  state: 'owed',
  last4: '4242',
  payerName: null,
  folio: 'AP-1',
  createdAt: AT,
  doneAt: null,
  ...change,
});

test.each([
  ['owed', 'owed'],
  ['sending', 'confirming'],
  ['unknown', 'confirming'],
  ['blocked', 'in_review'],
  ['done', 'done'],
  ['moved_to_cash', 'owed'],
] as const)('of a refund that is %s its buyer reads: %s', (state, read) => {
  expect(presentRefund(refund({ state }))).toMatchObject({ state: read, doneAt: null });
});

test('a refund names its card while it goes back to it, and the moment that it was done', () => {
  expect(presentRefund(refund({ state: 'done', doneAt: AT }))).toEqual({
    id: 7,
    amount: 615,
    way: 'card',
    state: 'done',
    last4: '4242',
    payerName: null,
    folio: 'AP-1',
    createdAt: AT.toISOString(),
    doneAt: AT.toISOString(),
  });
});

test('a quote lists each payment of which something goes back, and whether an invoice stands', () => {
  const payment = (receiptId: number): HeldPayment => ({
    receiptId,
    folio: `AP-${receiptId}`,
    channel: 'card',
    sourceId: 'a',
    paidAt: AT,
    appliedCentavos: centavos(20_000),
    feeCentavos: zero,
    attemptId: 'a',
    last4: '4242',
    payerName: null,
    payerEmail: null,
  });
  const back = (id: string, refundCentavos: number) => ({
    id,
    method: 'card' as const,
    penaltyCentavos: centavos(20_000 - refundCentavos),
    principalCentavos: centavos(refundCentavos),
    feeCentavos: zero,
    refundCentavos: centavos(refundCentavos),
  });
  const quote = {
    paidCentavos: centavos(40_000),
    penaltyCentavos: centavos(25_000),
    feeReturnedCentavos: centavos(100),
    feeKeptCentavos: centavos(200),
    refundCentavos: centavos(15_000),
    returns: [back('1', 0), back('2', 15_000)],
  };
  const shown = { quote, payments: [payment(1), payment(2)], penaltyFreeUntil: AT, isInvoiced: true };
  expect(presentQuote(shown)).toEqual({
    paid: 400,
    penalty: 250,
    penaltyFreeUntil: AT.toISOString(),
    feesReturned: 1,
    feesKept: 2,
    refund: 150,
    returns: [
      { folio: 'AP-2', amount: 150, way: 'card', last4: '4242', payerName: null, paidAt: AT.toISOString() },
    ],
    invoiced: true,
  });
});
