import { centavos } from '@aparta/domain/money';
import { describe, expect, it } from 'vitest';
import type { Merchant, Product } from '../data/merchants.ts';
import { changesBetween } from './changes-between.ts';
import { figuresOf, offerOf } from './offer.ts';

const merchant: Merchant = {
  id: 1,
  name: 'Electro Hogar',
  companyId: 1,
  depositPercent: 20,
  frequencyDays: 30,
  durationDays: 60,
  cardFee: centavos(1500),
  tillFee: centavos(0),
  penalty: centavos(20_000),
  deliveryDays: 15,
  endDaysLate: null,
  acceptsCards: true,
  address: '',
  phone: '',
  hours: '',
};
const product: Product = {
  id: 1,
  merchantId: 1,
  name: 'Lavadora',
  price: centavos(300_000),
  pictures: null,
  soldOut: false,
};
const today = '2026-11-20';

function offer(changes: Partial<Merchant> = {}) {
  const made = offerOf({ ...merchant, ...changes }, product, today);
  if (!made) throw new Error('no offer');
  return made;
}

describe('what step 2 says a layaway costs', () => {
  it('asks today for the deposit with the card fee inside, and at the till for the deposit alone', () => {
    expect(offer()).toMatchObject({ depositCentavos: 60_000, todayTotal: 61_500, tillTotal: 60_000 });
  });

  it('never charges a card fee where the merchant takes no cards', () => {
    expect(offer({ acceptsCards: false })).toMatchObject({ todayFee: 0, todayTotal: 60_000 });
  });

  it('dates the instalments from today', () => {
    expect(offer()).toMatchObject({ laterInstalments: 2, firstDueOn: '2026-12-20', lastDueOn: '2027-01-19' });
  });

  it('takes a percentage with decimals to the basis point', () => {
    expect(offer({ depositPercent: 33.33 }).depositCentavos).toBe(99_990);
  });

  it('is no offer when the plan cannot be, or the product is another merchant’s', () => {
    expect(offerOf({ ...merchant, frequencyDays: 0 }, product, today)).toBeUndefined();
    expect(offerOf(merchant, { ...product, merchantId: 2 }, today)).toBeUndefined();
  });
});

describe('terms that froze otherwise than they were shown', () => {
  it('are listed one by one', () => {
    const shown = figuresOf(offer());
    expect(
      changesBetween(shown, {
        ...shown,
        deposit: centavos(64_000),
        later: 3,
        deliveryDays: 20,
        endDaysLate: 60,
      }),
    ).toEqual([
      { of: 'deposit', from: 60_000, to: 64_000 },
      { of: 'later', from: 2, to: 3 },
      { of: 'deliveryDays', from: 15, to: 20 },
      { of: 'endDaysLate', from: null, to: 60 },
    ]);
  });

  it('are not listed when nothing changed', () => {
    expect(changesBetween(figuresOf(offer()), figuresOf(offer()))).toEqual([]);
  });
});
