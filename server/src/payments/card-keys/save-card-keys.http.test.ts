import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fault, MINUTE, panel } from '../../../test/card-acts.ts';
import { makeBuyer, makeMerchant } from '../../../test/make.ts';
import { CARDS, MERCHANT_KEYS, openShop, type Shop } from '../../../test/shop.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { listWaiting } from '../../back-office/operations/waiting.read-model.ts';
import { readKeyRing, seal } from '../../platform/secrets.ts';
import { CARD_SECRET } from './credential.ts';
import { checkCardKeys, resealCardKeys, setCardKeys } from './save-card-keys.ts';
import { listCredentials } from './read-model.ts';

/** Another account in the provider's sandbox: what one pair charged is unknown to the other. */
const NEXT_KEYS = { publicKey: 'a0000000-0000-4000-8000-000000000002', secret: 'demo-secret-2' };

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const rotate = (keys = NEXT_KEYS) =>
  transaction(shop.db, (tx) =>
    setCardKeys({ keyRing: shop.settings.keyRing, allowTestKeys: true }, tx, shop.merchantId, keys),
  );

describe('a key pair that was lost', () => {
  test('is replaced during a payment, which is found and applied with the pair that it began with', async () => {
    const intentId = randomUUID();
    const reference = await shop.reference();
    await shop.pay(reference, CARDS.replyLost, { intentId });
    expect(await rotate()).toEqual({ retired: MERCHANT_KEYS.publicKey });

    await shop.poll(intentId, 2);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'applied' });

    // A card typed into the old pair's frame is not charged; the same buyer's next try is, with the new pair.
    const other = await makeBuyer(shop.db);
    const theirs = await shop.reference({ token: other.token });
    const late = await shop.pay(theirs, CARDS.approved, { token: other.token });
    expect(late.body.data).toMatchObject({ applied: false });
    expect(await shop.charges()).toHaveLength(1);
    const { id: cardToken } = await shop.control('POST /control/tokens', {
      number: CARDS.approved,
      apiKey: NEXT_KEYS.publicKey,
    });
    const paid = await shop.pay(theirs, CARDS.approved, { token: other.token, cardToken });
    expect(paid.body.data).toMatchObject({ applied: true });
  });

  test('is revoked at the provider during 3DS: raises an alert, and once another is set the payment is applied', async () => {
    const [intentId, secret] = [randomUUID(), 'its-next-secret'];
    await shop.pay(await shop.reference(), CARDS.threeDs, { intentId });
    await shop.control('POST /control/merchants', { apiKey: MERCHANT_KEYS.publicKey, secret });
    const { provider_payment_id: paymentId } = await shop.attempt(intentId);
    await panel(shop, paymentId, { move: 'approve' });
    await shop.poll(intentId);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'pending_3ds' });
    expect(await listWaiting(shop.db)).toMatchObject([
      { id: `merchant_key_refused:${shop.merchantId}`, detail: expect.stringMatching(/^40[13]/) },
    ]);

    await rotate({ ...MERCHANT_KEYS, secret });
    await shop.poll(intentId);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'applied' });
    expect(await shop.charges()).toHaveLength(1);
  });

  test('is replaced by one of another account, which does not see the charge: that is no proof that there is none', async () => {
    const intentId = randomUUID();
    await shop.pay(await shop.reference(), CARDS.replyLost, { intentId });
    await shop.control('POST /control/merchants', { apiKey: MERCHANT_KEYS.publicKey, secret: 'revoked' });
    await rotate();
    await shop.age(intentId, 20 * MINUTE);
    await shop.poll(intentId, 3);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'unknown' });
  });

  test('is one pair after two operators changed it at once', async () => {
    await Promise.all([rotate(), rotate({ publicKey: randomUUID(), secret: 'another-secret' })]);
    const pairs = await listCredentials(shop.db);
    expect(pairs).toHaveLength(3);
    expect(pairs.filter(({ retired_at }) => retired_at === null)).toHaveLength(1);
  });

  test('is not mistaken for one that the network keeps from working', async () => {
    const { db, settings, merchantId, jobs } = shop;
    const check = (given = {}) =>
      checkCardKeys(
        { db, card: jobs.card, keyRing: settings.keyRing, allowTestKeys: true, ...given },
        merchantId,
        new Date(),
      );
    expect(await check()).toEqual({ kind: 'works' });
    await fault(shop, { call: 'listPayments', kind: 'status', status: 503 });
    expect(await check()).toMatchObject({ kind: 'in_trouble' });
    await fault(shop, { call: 'listPayments', kind: 'unreachable' });
    expect(await check()).toMatchObject({ kind: 'unreachable' });
    await rotate({ ...NEXT_KEYS, secret: 'not-its-secret' });
    expect(await check()).toMatchObject({ kind: 'refused' });
    expect(await check({ keyRing: readKeyRing(`9:${Buffer.alloc(32, 'x').toString('base64')}`) })).toEqual({
      kind: 'opens_not',
    });
  });
});

test('a pair that cannot work, and the one that is there, are refused before anything is retired', async () => {
  const { publicKey, secret } = MERCHANT_KEYS;
  for (const pair of [
    { publicKey, secret: '' },
    { publicKey: '', secret },
    { publicKey, secret: 'short' },
    { publicKey, secret: 'with a blank' },
    { publicKey, secret: 'a-line\n' },
    { publicKey: '\na0000000-0000-4000-8000-000000000002', secret },
    { publicKey, secret: 'x'.repeat(501) },
    { publicKey: 'test_0001', secret: 'short' },
  ])
    await expect(rotate(pair), JSON.stringify(pair)).rejects.toMatchObject({ code: 'key_missing' });
  await expect(rotate({ publicKey, secret })).rejects.toMatchObject({ code: 'nothing_to_change' });
  const inProduction = transaction(shop.db, (tx) =>
    setCardKeys({ keyRing: shop.settings.keyRing, allowTestKeys: false }, tx, shop.merchantId, {
      publicKey: 'test_0001',
      secret: '',
    }),
  );
  await expect(inProduction).rejects.toMatchObject({ code: 'key_is_a_test' });
  expect(await listCredentials(shop.db)).toHaveLength(1);
  const [deps, keys] = [{ keyRing: shop.settings.keyRing, allowTestKeys: true }, NEXT_KEYS];
  await expect(transaction(shop.db, (tx) => setCardKeys(deps, tx, 999_999, keys))).rejects.toMatchObject({
    code: 'merchant_unknown',
    facts: { id: 999_999 },
  });
  const withoutCards = await makeMerchant(shop.db);
  const first = await transaction(shop.db, (tx) => setCardKeys(deps, tx, withoutCards, keys));
  expect(first).toEqual({ retired: undefined });
  // Another account's may share its secret, and a test pair has none.
  expect(await rotate({ ...NEXT_KEYS, secret })).toEqual({ retired: publicKey });
  expect(await rotate({ publicKey: 'test_0001', secret: '' })).toEqual({ retired: NEXT_KEYS.publicKey });
});

test('a check says of a merchant without a pair, and of a test pair in production, just that', async () => {
  const { db, settings, jobs } = shop;
  const check = (merchantId: number, allowTestKeys: boolean) =>
    checkCardKeys({ db, card: jobs.card, keyRing: settings.keyRing, allowTestKeys }, merchantId, new Date());
  expect(await check(await makeMerchant(db), true)).toEqual({ kind: 'none' });
  expect(await check(shop.merchantId, false)).toEqual({ kind: 'works' });
  const read: number[] = [];
  const list: typeof jobs.card.list = (credential, from, to) => {
    read.push(to.getTime() - from.getTime());
    return jobs.card.list(credential, from, to);
  };
  const deps = { db, card: { ...jobs.card, list }, keyRing: settings.keyRing, allowTestKeys: true };
  await checkCardKeys(deps, shop.merchantId, new Date());
  expect(read).toEqual([60_000]);
  await rotate({ publicKey: 'test_0001', secret: '' });
  expect(await check(shop.merchantId, false)).toEqual({ kind: 'test' });
  expect((await check(shop.merchantId, true)).kind).not.toBe('test');
});

test('every stored secret moves to the new first key of the key ring, and the old key may go', async () => {
  await rotate();
  const { keyRing } = shop.settings;
  const [old] = [...keyRing.keys.values()];
  const fresh = Buffer.alloc(32, 'fresh');
  const both = {
    current: '2',
    keys: new Map([
      ['2', fresh],
      ['1', old!],
    ]),
  };
  const progress: number[][] = [];
  const resealed = transaction(shop.db, (tx) =>
    resealCardKeys(both, tx, (done, of) => progress.push([done, of])),
  );
  expect(await resealed).toEqual({ resealed: 2, kept: 0 });
  expect(progress).toEqual([
    [1, 2],
    [2, 2],
  ]);
  expect(await transaction(shop.db, (tx) => resealCardKeys(both, tx))).toEqual({ resealed: 0, kept: 2 });
  const alone = { current: '2', keys: new Map([['2', fresh]]) };
  const { card } = shop.jobs;
  expect(
    await checkCardKeys(
      { db: shop.db, card, keyRing: alone, allowTestKeys: true },
      shop.merchantId,
      new Date(),
    ),
  ).toEqual({ kind: 'works' });

  // One that no key opens stops all of it.
  const { ciphertext, keyId } = seal(both, 'x', { merchantId: 99, field: CARD_SECRET });
  await shop.db
    .updateTable('provider_credentials')
    .set({ secret_ciphertext: ciphertext, secret_key_id: keyId })
    .where('retired_at', 'is', null)
    .execute();
  const third = { current: '3', keys: new Map([['3', Buffer.alloc(32, 'third')], ...both.keys]) };
  await expect(transaction(shop.db, (tx) => resealCardKeys(third, tx))).rejects.toMatchObject({
    code: 'key_opens_not',
    facts: { id: shop.merchantId, key: '2' },
  });
  expect(new Set((await listCredentials(shop.db)).map((pair) => pair.secret_key_id))).toEqual(new Set(['2']));
});
