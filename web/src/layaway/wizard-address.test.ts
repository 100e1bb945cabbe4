import { centavos } from '@aparta/domain/money';
import { expect, it } from 'vitest';
import { carried, carry, wizardAddress, wizardStep } from './wizard-address.ts';

function stepAt(address: string) {
  return wizardStep(new URL(address, 'http://aparta.test').searchParams);
}

it('reads each step back from its address, so that a reload stays where the buyer was', () => {
  expect(stepAt(wizardAddress.reference)).toEqual({ step: 'reference' });
  expect(stepAt(wizardAddress.information)).toEqual({ step: 'information' });
  expect(stepAt(wizardAddress.payment(1000482101))).toEqual({ step: 'payment', id: 1000482101 });
});

it.each(['?paso=3', '?paso=3&id=', '?paso=3&id=01', '?paso=3&id=1e9', '?paso=3&id=-5', '?paso=4'])(
  'takes %s, which leads nowhere, as step 1',
  (search) => {
    expect(stepAt(`/apartado${search}`)).toEqual({ step: 'reference' });
  },
);

it('carries the figures that were shown, and believes nothing else that a history entry may hold', () => {
  const shown = {
    price: centavos(300_000),
    deposit: centavos(60_000),
    cardFee: centavos(1500),
    tillFee: centavos(0),
    later: 2,
    deliveryDays: 15,
    endDaysLate: null,
  };
  expect(carried(structuredClone(carry(shown)))).toEqual(shown);
  expect(carried(null)).toBeUndefined();
  expect(carried({ shown: { ...shown, deposit: -1 } })).toBeUndefined();
});
