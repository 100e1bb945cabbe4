import { centavos } from '@aparta/domain/money';
import { describe, expect, test } from 'vitest';
import type { ProviderPayment } from '../card-provider/port.ts';
import { capturedOf, type Expected, gaveBackOf, isUndone, leftOf, observe } from './observe.ts';

const attemptId = '11111111-1111-4111-8111-111111111111';
const expected: Expected = {
  attemptId,
  totalCentavos: centavos(61_500),
  refundsExplained: centavos(0),
  threeDsOrigins: ['https://3ds.example'],
};
const paid: ProviderPayment = {
  id: '22222222-2222-4222-8222-222222222222',
  status: 'approved',
  detailCode: 'AP-PAI01',
  amountCentavos: centavos(61_500),
  currency: 'MXN',
  externalReference: attemptId,
  refundedCentavos: centavos(0),
  threeDsUrl: undefined,
  cardType: 'credit_card',
  cardBrand: 'visa',
  cardLast4: '7669',
  cardFingerprint: undefined,
  receipt: '1',
  approvedAt: undefined,
};
const seen = (change: Partial<ProviderPayment>, more: Partial<Expected> = {}) =>
  observe({ ...expected, ...more }, { ...paid, ...change });
const waiting = {
  status: 'pending',
  detailCode: 'PE-3DS01',
  threeDsUrl: 'https://3ds.example/challenge/1',
} as const;

describe('a payment counts as ours and paid only when all of it fits', () => {
  test('approved, paid, our sum, our currency, our reference', () => {
    expect(seen({})).toEqual({ kind: 'approved', payment: paid });
  });

  test.each([
    ['a centavo less', { amountCentavos: centavos(61_499) }],
    ['a peso more', { amountCentavos: centavos(61_600) }],
    ['dollars', { currency: 'USD' }],
    ['no currency', { currency: '' }],
    ['a detail nobody knows', { detailCode: 'AP-XXX99' }],
    ['no detail', { detailCode: '' }],
    ['only authorised', { status: 'authorized', detailCode: 'AU-CAP01' }],
    ['authorised with the detail of a paid one', { status: 'authorized' }],
  ] as const)('%s is a mismatch', (_what, change) => {
    expect(seen(change).kind).toBe('mismatch');
  });

  test.each([
    ['another attempt', '33333333-3333-4333-8333-333333333333'],
    ['no attempt', undefined],
    ['ours with a space', `${attemptId} `],
    ['ours in capitals', attemptId.toUpperCase().replaceAll('1', 'A')],
  ])('an approved payment that names %s tells nothing, and raises an alert', (_what, externalReference) => {
    expect(seen({ externalReference })).toMatchObject({ kind: 'unusable' });
  });

  test('another payment’s refund or refusal says nothing either', () => {
    expect(seen({ externalReference: 'x', status: 'refunded' }).kind).toBe('unusable');
    expect(seen({ externalReference: 'x', status: 'rejected' }).kind).toBe('unusable');
  });
});

describe('3DS', () => {
  test('waits for the buyer when its page is on a listed origin', () => {
    expect(seen(waiting)).toMatchObject({ kind: 'requires_action', threeDsUrl: waiting.threeDsUrl });
  });

  test.each([
    'https://evil.example/challenge/1',
    'http://3ds.example/challenge/1',
    'https://3ds.example:8443/challenge/1',
    'https://3ds.example.evil.example/',
    'https://3ds.example@evil.example/',
    'javascript:alert(1)//https://3ds.example',
    'data:text/html,x',
    '//3ds.example/challenge/1',
    '',
  ])('a page at %s is not shown: the payment is only slow', (threeDsUrl) => {
    expect(seen({ ...waiting, threeDsUrl }).kind).toBe('processing');
  });

  test('without a page, or pending for another reason, it is slow', () => {
    expect(seen({ ...waiting, threeDsUrl: undefined }).kind).toBe('processing');
    expect(seen({ ...waiting, detailCode: 'PE-PRO01' }).kind).toBe('processing');
  });
});

describe('refusals, and unknown answers', () => {
  test.each(['rejected', 'cancelled'] as const)('%s is a no', (status) => {
    expect(seen({ status, detailCode: 'RE-ISS01' }).kind).toBe('declined');
  });

  test('an unknown status is processing: asked for again, never guessed', () => {
    expect(seen({ status: 'other', detailCode: 'ZZ-NEW01' }).kind).toBe('processing');
  });
});

describe('refunded money', () => {
  test('a refund of ours explains itself', () => {
    const whole = { status: 'refunded', detailCode: 'RE-REF01', refundedCentavos: centavos(61_500) } as const;
    expect(seen(whole, { refundsExplained: centavos(61_500) }).kind).toBe('processing');
    const part = { detailCode: 'AP-REF01', refundedCentavos: centavos(1_500) };
    expect(seen(part, { refundsExplained: centavos(1_500) }).kind).toBe('processing');
  });

  test.each([
    [
      'in full, by hand',
      { status: 'refunded', detailCode: 'RE-REF01', refundedCentavos: centavos(61_500) },
      0,
    ],
    ['in part, by hand', { detailCode: 'AP-REF01', refundedCentavos: centavos(1) }, 0],
    ['a centavo more than ours', { detailCode: 'AP-REF01', refundedCentavos: centavos(1_501) }, 1_500],
    [
      'by cancelling a paid one',
      { status: 'cancelled', detailCode: 'CA-MER01', refundedCentavos: centavos(61_500) },
      0,
    ],
    ['in full, without a sum', { status: 'refunded', detailCode: 'RE-REF01' }, 0],
    ['in full, without sum or detail', { status: 'refunded', detailCode: '' }, 0],
    ['in part, without a sum', { detailCode: 'AP-REF01' }, 0],
    ['in full, without a sum, where ours was a part', { status: 'refunded', detailCode: 'RE-REF01' }, 1_500],
  ] as const)('%s, it is back', (_what, change, explained) => {
    expect(seen(change, { refundsExplained: centavos(explained) }).kind).toBe('reversed');
  });

  test.each([
    ['more than was paid', { refundedCentavos: centavos(61_501) }],
    ['a part, although all went back', { status: 'refunded', refundedCentavos: centavos(1_500) }],
  ] as const)('%s cannot be: a person looks, and nothing is taken for returned', (_what, change) => {
    const payment = { ...paid, ...change };
    expect(seen(change)).toEqual({ kind: 'mismatch', payment });
    expect(leftOf(payment)).toBe(61_500);
  });
});

test('the provider holds all of an approved payment and nothing of an authorised one', () => {
  expect(capturedOf(paid)).toBe(61_500);
  expect(capturedOf({ ...paid, status: 'authorized' })).toBe(0);
  expect(capturedOf({ ...paid, status: 'rejected' })).toBe(0);
  expect(capturedOf({ ...paid, status: 'refunded' })).toBe(61_500);
});

test('what is left of a payment is what it captured less what went back', () => {
  expect(leftOf(paid)).toBe(61_500);
  expect(leftOf({ ...paid, refundedCentavos: centavos(1_500) })).toBe(60_000);
  expect(leftOf({ ...paid, refundedCentavos: centavos(61_500) })).toBe(0);
  expect(leftOf({ ...paid, status: 'refunded' })).toBe(0);
  expect(leftOf({ ...paid, status: 'refunded', refundedCentavos: centavos(61_500) })).toBe(0);
  expect(leftOf({ ...paid, status: 'authorized' })).toBe(0);
  expect(leftOf({ ...paid, status: 'cancelled', refundedCentavos: centavos(1_500) })).toBe(0);
});

test.each([
  ['approved', 0, 0],
  ['approved', 1_500, 1_500],
  ['pending', 0, 0],
  ['refunded', 0, 61_500],
  ['refunded', 61_500, 61_500],
  ['cancelled', 0, 61_500],
  ['cancelled', 1_500, 1_500],
] as const)(
  'of a payment that we had captured, %s with a sum of %i, so much went back: %i',
  (status, sum, back) => {
    expect(gaveBackOf({ ...paid, status, refundedCentavos: centavos(sum) })).toBe(back);
  },
);

test.each([
  ['nothing went back', {}, true],
  ['less went back', { detailCode: 'AP-REF01', refundedCentavos: centavos(1_499) }, true],
  ['as much went back', { detailCode: 'AP-REF01', refundedCentavos: centavos(1_500) }, false],
  ['something went back, of which no sum is told', { detailCode: 'AP-REF01' }, false],
  ['what is told to be back cannot be', { refundedCentavos: centavos(61_501) }, false],
] as const)('a refund of $15.00 came back to the provider when %s: %j is %s', (_what, change, isBack) => {
  expect(isUndone({ ...paid, ...change }, centavos(1_500))).toBe(isBack);
});
