import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  alerts,
  balance,
  chargeElsewhere,
  fault,
  givenBack,
  MINUTE,
  panel,
  purchases,
  refunds,
  runRefunds,
} from '../../../test/card-acts.ts';
import { makeMerchant } from '../../../test/make.ts';
import { CARDS, MERCHANT_KEYS, openShop, type Shop } from '../../../test/shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const sweep = () => shop.job.sweep_card_payments(undefined, shop.jobs.log);
/** A list of one payment that nobody knows, `copies` times, and what it says of its pages. */
function list(pages: { total: number; total_results: number }, copies = 1) {
  const payment = { id: randomUUID(), amount: 615, currency: 'MXN', status: 'approved' };
  const result = { ...payment, status_detail: { code: 'AP-PAI01' }, external_reference: randomUUID() };
  const results = Array.from({ length: copies }, () => result);
  return { kind: 'status', status: 200, body: { pages: { size: 50, number: 1, ...pages }, results } };
}
const attempts = () => shop.db.selectFrom('card_attempts').selectAll().orderBy('created_at').execute();

test('a payment with an unknown reference is in the books, held for a person, once', async () => {
  await chargeElsewhere(shop, randomUUID(), CARDS.approved);
  // Though the provider does not say what time it is.
  await fault(shop, { call: 'listPayments', kind: 'undated', times: 99 });
  await sweep();
  await sweep();
  expect(await attempts()).toMatchObject([{ state: 'held', buyer_id: null, captured_centavos: 61_500 }]);
  expect(await balance(shop, 'suspense')).toBe(61_500);
  expect(await alerts(shop)).toEqual(['unknown_payment']);
  expect(shop.logged()).not.toContain('could not be swept');
});

test('money of which the panel refunded a part is in the books too: an unknown or a second payment', async () => {
  const intentId = randomUUID();
  await shop.pay(await shop.reference(), CARDS.approved, { intentId });
  await chargeElsewhere(shop, (await shop.attempt(intentId)).id, CARDS.approved);
  await chargeElsewhere(shop, randomUUID(), CARDS.approved);
  await chargeElsewhere(shop, randomUUID(), CARDS.approved);
  const [, second, unknown, gone] = await shop.charges();
  for (const payment of [second, unknown])
    await panel(shop, payment?.id ?? '', { move: 'refund', amount: 1 });
  await panel(shop, gone?.id ?? '', { move: 'refund', amount: 615 });
  await sweep();
  await runRefunds(shop);
  expect((await attempts()).map((row) => row.state).toSorted()).toEqual(['applied', 'held', 'returned']);
  expect((await refunds(shop)).map((row) => row.state)).toEqual(['blocked']);
  expect(await alerts(shop)).toEqual(['refund_blocked', 'second_payment', 'unknown_payment']);
});

test('a merchant’s own sales, which name no attempt, are none of our business', async () => {
  await chargeElsewhere(shop, undefined, CARDS.approved);
  await chargeElsewhere(shop, 'pedido-77', CARDS.approved);
  await sweep();
  expect(await attempts()).toEqual([]);
  expect(await balance(shop, 'suspense')).toBe(0);
  expect(shop.logged()).not.toContain('could not be swept');
});

test('a late approval without a notice is applied', async () => {
  const intentId = randomUUID();
  await shop.pay(await shop.reference(), CARDS.replyLost, { intentId });
  await shop.control('POST /control/list', { lagMs: 3_600_000 });
  await shop.age(intentId, 18 * MINUTE);
  await shop.poll(intentId, 2);
  expect((await shop.attempt(intentId)).state).toBe('not_charged');
  await shop.control('POST /control/list', { lagMs: 0 });
  await sweep();
  expect((await shop.attempt(intentId)).state).toBe('applied');
  expect(await purchases(shop)).toHaveLength(1);
});

test('a second payment with the reference of an applied one goes back to the end, and is found once', async () => {
  const intentId = randomUUID();
  await shop.pay(await shop.reference(), CARDS.approved, { intentId });
  await chargeElsewhere(shop, (await shop.attempt(intentId)).id, CARDS.approved);
  await sweep();
  await sweep();
  expect((await attempts()).map((row) => row.state)).toEqual(['applied', 'returned']);
  expect(await refunds(shop)).toHaveLength(1);
  await runRefunds(shop);
  await sweep();
  await runRefunds(shop);
  expect(await givenBack(shop)).toBe(615);
  expect(await balance(shop, 'card_clearing')).toBe(61_500);
  expect(shop.logged()).not.toContain('could not be swept');
});

test('what is resolved already is left alone', async () => {
  await shop.pay(await shop.reference(), CARDS.approved);
  const before = await attempts();
  await sweep();
  expect(await attempts()).toEqual(before);
  expect(await alerts(shop)).toEqual([]);
});

test('a refund by hand of a paid deposit raises an alert', async () => {
  const intentId = randomUUID();
  await shop.pay(await shop.reference(), CARDS.approved, { intentId });
  await panel(shop, (await shop.attempt(intentId)).provider_payment_id, { move: 'refund', amount: 615 });
  await sweep();
  expect(await alerts(shop)).toEqual(['attempt_mismatch']);
});

test('two merchants that share an account at the provider each keep their own payments', async () => {
  const cards = { keyRing: shop.settings.keyRing, ...MERCHANT_KEYS };
  await makeMerchant(shop.db, { cards });
  const intentId = randomUUID();
  await shop.pay(await shop.reference(), CARDS.approved, { intentId });
  await sweep();
  expect(await attempts()).toMatchObject([{ state: 'applied', merchant_id: shop.merchantId }]);
  expect(await alerts(shop)).toEqual([]);
});

test('money in another merchant’s account is not taken for the payment whose number it carries', async () => {
  const keys = { publicKey: 'a0000000-0000-4000-8000-000000000002', secret: 'demo-secret-2' };
  await makeMerchant(shop.db, { cards: { keyRing: shop.settings.keyRing, ...keys } });
  const intentId = randomUUID();
  await shop.pay(await shop.reference(), CARDS.nothingHappened, { intentId });
  await chargeElsewhere(shop, (await shop.attempt(intentId)).id, CARDS.approved, { keys });
  await sweep();
  expect((await shop.attempt(intentId)).state).toBe('unknown');
  expect(await purchases(shop)).toEqual([]);
});

test('unclaimed money waits for a person, however long', async () => {
  await chargeElsewhere(shop, randomUUID(), CARDS.approved);
  await sweep();
  const [held] = await attempts();
  await shop.db
    .updateTable('card_attempts')
    .set({
      state_since: new Date(Date.now() - 100 * 60 * MINUTE),
      created_at: new Date(Date.now() - 100 * 60 * MINUTE),
    })
    .where('id', '=', held!.id)
    .execute();
  await shop.job.resolve_attempt({ attemptId: held!.id }, shop.jobs.log);
  expect(await attempts()).toMatchObject([{ state: 'held' }]);
});

test('a merchant that cannot be read does not stop the next one', async () => {
  const keys = { publicKey: 'a0000000-0000-4000-8000-000000000002', secret: 'demo-secret-2' };
  const merchantId = await makeMerchant(shop.db, { cards: { keyRing: shop.settings.keyRing, ...keys } });
  expect(merchantId).toBeGreaterThan(shop.merchantId);
  await shop.db
    .updateTable('provider_credentials')
    .set({ secret_key_id: 'lost' })
    .where('merchant_id', '=', shop.merchantId)
    .execute();
  await chargeElsewhere(shop, randomUUID(), CARDS.approved, { keys });
  await sweep();
  expect(await attempts()).toMatchObject([{ merchant_id: merchantId }]);
});

test('a payment that cannot be booked does not stop the ones after it', async () => {
  await chargeElsewhere(shop, randomUUID(), CARDS.approved);
  const [rejected, lost] = [randomUUID(), randomUUID()];
  const reference = await shop.reference();
  await shop.pay(reference, CARDS.insufficientFunds, { intentId: rejected });
  await shop.pay(reference, CARDS.replyLost, { intentId: lost });
  // The books already give the newest payment to another attempt: its own cannot have it.
  const newest = (await shop.charges()).at(-1)?.id ?? '';
  await shop.db
    .updateTable('card_attempts')
    .set({ provider_payment_id: newest })
    .where('intent_id', '=', rejected)
    .execute();
  await sweep();
  expect(shop.logged()).toContain('the payment of another attempt');
  expect(await balance(shop, 'suspense')).toBe(61_500);
});

test.each([
  ['half a reply', { kind: 'malformed' }],
  ['fewer payments than it counts', list({ total: 1, total_results: 2 })],
  ['a payment twice', list({ total: 1, total_results: 2 }, 2)],
  ['pages without end', list({ total: 1_000, total_results: 1 })],
])('a list that is not whole, %s, changes nothing', async (_how, answer) => {
  await chargeElsewhere(shop, randomUUID(), CARDS.approved);
  await fault(shop, { call: 'listPayments', times: 200, ...answer });
  await sweep();
  expect(await attempts()).toEqual([]);
  expect(await alerts(shop)).toEqual(['merchant_not_swept']);
  await shop.control('DELETE /control/faults');
  await sweep();
  expect(await attempts()).toHaveLength(1);
});

test('a list that grew while it was read changes nothing', async () => {
  const grown = list({ total: 2, total_results: 3 });
  const first = list({ total: 2, total_results: 2 });
  // Each of the four windows: one page of two, then a second that counts three.
  for (let window = 0; window < 4; window += 1)
    for (const answer of [first, grown]) await fault(shop, { call: 'listPayments', ...answer });
  await sweep();
  expect(await attempts()).toEqual([]);
  expect(await alerts(shop)).toEqual(['merchant_not_swept']);
});

test('two sweeps and a notice at once book late money once', async () => {
  const intentId = randomUUID();
  await shop.pay(await shop.reference(), CARDS.replyLost, { intentId });
  await Promise.all([sweep(), sweep(), shop.poll(intentId), shop.poll(intentId)]);
  expect((await shop.attempt(intentId)).state).toBe('applied');
  await chargeElsewhere(shop, randomUUID(), CARDS.approved);
  await Promise.allSettled([sweep(), sweep(), sweep()]);
  await sweep();
  expect(await attempts()).toHaveLength(2);
  expect(await balance(shop, 'suspense')).toBe(61_500);
});
