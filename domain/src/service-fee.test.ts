import { expect, it } from 'vitest';
import { centavos } from './money.ts';
import { DEFAULT_FEE_POLICY, feeFor, feeOfSeveral, parseFeePolicy, totalFor } from './service-fee.ts';

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

it('reads a merchant’s fee as the operator writes it', () => {
  expect(parseFeePolicy('none')).toEqual({ amountCentavos: 0, methods: [] });
  expect(parseFeePolicy('card:15.00')).toEqual({ amountCentavos: 1_500, methods: ['card'] });
  expect(parseFeePolicy('till,card:12.5')).toEqual({ amountCentavos: 1_250, methods: ['card', 'till'] });
  expect(parseFeePolicy('all:1')).toEqual({ amountCentavos: 100, methods: ['card', 'till', 'cash'] });
});

it('refuses a fee that cannot be read rather than charging another', () => {
  for (const text of [
    '',
    'card',
    'card:',
    'card:x',
    'card:-1',
    'visa:15',
    'card,visa:15',
    'card,card:15',
    ':15',
  ])
    expect(parseFeePolicy(text)).toBeUndefined();
});

it('one payment of several purchases carries one fee: the highest of those that charge its method', () => {
  const policies = [parse('card:15.00'), parse('all:12.50'), parse('none')];
  expect(feeOfSeveral(policies, 'card')).toBe(1_500);
  expect(feeOfSeveral(policies, 'till')).toBe(1_250);
  expect(feeOfSeveral([parse('none')], 'card')).toBe(0);
});

const parse = (text: string) => parseFeePolicy(text)!;
