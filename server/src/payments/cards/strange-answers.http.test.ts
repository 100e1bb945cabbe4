import { randomUUID } from 'node:crypto';
import { centavos } from '@aparta/domain/money';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answer3ds, fault } from '../../../test/card-acts.ts';
import { type MadeBuyer, makeBuyer } from '../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { resolveAttempt } from './resolve-attempt.ts';

/** The provider says what cannot be: money is held for a person or nothing moves; never an error page, never a wrong book. */
let shop: Shop;
let buyer: MadeBuyer;
beforeAll(async () => {
  shop = await openShop();
});
beforeEach(async () => {
  buyer = await makeBuyer(shop.db);
});
afterAll(() => shop.close());

const pay = async (card: string) => {
  const intentId = randomUUID();
  await shop.pay(await shop.reference({ token: buyer.token }), card, { token: buyer.token, intentId });
  return shop.attempt(intentId);
};
const now = (attempt: { intent_id: string }) => shop.attempt(attempt.intent_id);
const answering = (call: string, body: object) => fault(shop, { call, kind: 'status', status: 200, body });
const alertsAbout = async (subject: string) => {
  const rows = await shop.db.selectFrom('alerts').select('kind').where('subject', '=', subject).execute();
  return rows.map(({ kind }) => kind);
};
const paid = { amount: 615, currency: 'MXN', status: 'approved', status_detail: { code: 'AP-PAI01' } };
const listed = (...results: object[]) =>
  answering('listPayments', {
    pages: { size: 50, number: 1, total: 1, total_results: results.length },
    results,
  });

test('an answer with the id of another attempt’s payment is neither booked nor an error', async () => {
  const { provider_payment_id: taken } = await pay(CARDS.approved);
  const attempt = await pay(CARDS.nothingHappened);
  await listed({ ...paid, id: taken, external_reference: attempt.id });
  const { status, body } = await shop.ask(`GET /v1/Clib/GetAttemptAsync/${attempt.intent_id}`, {
    token: buyer.token,
  });
  expect([status, body.data.state]).toEqual([200, 'unknown']);
  expect(await alertsAbout(attempt.id)).toEqual(['attempt_mismatch']);
});

test.each([
  ['more than was paid', { amount_refunded: 99_999 }],
  ['more than was paid, in full', { amount_refunded: 99_999, status: 'refunded' }],
  ['a part, and all of it', { amount_refunded: 100, status: 'refunded' }],
])('a refund of %s is nonsense: the payment is held, and applied once it is put right', async (_how, odd) => {
  const attempt = await pay(CARDS.nothingHappened);
  const id = randomUUID();
  await listed({ ...paid, id, external_reference: attempt.id, ...odd });
  await shop.poll(attempt.intent_id);
  expect(await now(attempt)).toMatchObject({ state: 'held', captured_centavos: 61_500 });
  expect(await alertsAbout(attempt.id)).toEqual(['attempt_mismatch']);
  await answering('getPayment', { ...paid, id, external_reference: attempt.id });
  await shop.poll(attempt.intent_id);
  expect(await now(attempt)).toMatchObject({ state: 'applied', refunded_centavos: 0 });
});

test('a refund of more than was paid, of a payment that is applied, is told every time it is seen', async () => {
  const attempt = await pay(CARDS.approved);
  const [payment] = (await shop.charges()).filter(({ id }) => id === attempt.provider_payment_id);
  for (let times = 1; times <= 2; times += 1) {
    await shop.db
      .updateTable('card_attempts')
      .set({ recheck_at: new Date(0) })
      .where('id', '=', attempt.id)
      .execute();
    await answering('getPayment', { ...payment, amount_refunded: 99_999 });
    await shop.job.recheck_captured(undefined, shop.jobs.log);
  }
  const [alert] = await shop.db.selectFrom('alerts').selectAll().where('subject', '=', attempt.id).execute();
  expect(alert).toMatchObject({ kind: 'attempt_mismatch', times: 2 });
  expect(await now(attempt)).toMatchObject({ state: 'applied', refunded_centavos: 0 });
});

test('money that nobody knows is held although its refunds cannot be', async () => {
  const id = randomUUID();
  await listed({ ...paid, id, external_reference: randomUUID(), amount_refunded: 99_999 });
  await shop.job.sweep_card_payments(undefined, shop.jobs.log);
  const found = await shop.db
    .selectFrom('card_attempts')
    .select(['state', 'captured_centavos as captured'])
    .where('provider_payment_id', '=', id)
    .execute();
  expect(found).toEqual([{ state: 'held', captured: 61_500 }]);
});

test('asked about one payment, an answer about another says nothing', async () => {
  const attempt = await pay(CARDS.threeDs);
  await answering('getPayment', { ...paid, id: randomUUID(), external_reference: attempt.id });
  await shop.poll(attempt.intent_id);
  expect(await now(attempt)).toMatchObject({
    state: 'pending_3ds',
    provider_payment_id: attempt.provider_payment_id,
  });
});

test('a late reply about another payment than the one that is known changes nothing', async () => {
  const attempt = await pay(CARDS.threeDs);
  const payment = {
    id: randomUUID(),
    status: 'approved',
    detailCode: 'AP-PAI01',
    amountCentavos: centavos(61_500),
    currency: 'MXN',
    externalReference: attempt.id,
    refundedCentavos: centavos(0),
    threeDsUrl: undefined,
    cardType: undefined,
    cardBrand: undefined,
    cardLast4: undefined,
    cardFingerprint: undefined,
    receipt: undefined,
    approvedAt: undefined,
  } as const;
  const { log } = shop.jobs;
  await resolveAttempt(shop.jobs, attempt.id, {
    by: 'reply',
    log,
    observation: { kind: 'approved', payment },
  });
  expect(await now(attempt)).toMatchObject({
    state: 'pending_3ds',
    provider_payment_id: attempt.provider_payment_id,
  });
  expect(await alertsAbout(attempt.id)).toEqual(['attempt_mismatch']);
  await answer3ds(shop, attempt.intent_id, 'approve');
  await shop.poll(attempt.intent_id);
  expect(await now(attempt)).toMatchObject({ state: 'applied' });
});

test('an answer whose sums are no sums proves nothing and books nothing', async () => {
  const attempt = await pay(CARDS.nothingHappened);
  const [negative, thousandths, words, endless] = [-615, 615.001, '615.00', 1e300];
  for (const amount of [negative, thousandths, words, endless, null]) {
    await listed({ ...paid, id: randomUUID(), external_reference: attempt.id, amount });
    await shop.poll(attempt.intent_id);
  }
  await listed({ ...paid, id: randomUUID(), external_reference: attempt.id, amount_refunded: -1 });
  await shop.poll(attempt.intent_id);
  expect(await now(attempt)).toMatchObject({ state: 'unknown', captured_centavos: 0, not_found_count: 0 });
});

test('texts that no database can keep do not stop a payment', async () => {
  const attempt = await pay(CARDS.threeDs);
  const odd = {
    receipt_no: 'a\u0000b',
    payment_method: {
      id: 'vi\u0000sa',
      type: 'credit\u0000card',
      card: { bin: '4\u0000', last_digits: '76\u00009' },
    },
  };
  const id = attempt.provider_payment_id;
  await answering('getPayment', { ...paid, id, external_reference: attempt.id, ...odd });
  await shop.poll(attempt.intent_id);
  expect(await now(attempt)).toMatchObject({ state: 'applied', provider_receipt: 'ab', card_brand: 'visa' });
});
