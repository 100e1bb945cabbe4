import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { fault, HOUR, openRecordedShop, purchases } from '../../../test/card-acts.ts';
import { makeBuyer, makeServiceAccount, makeMerchant, makeProduct } from '../../../test/make.ts';
import { CARDS, MERCHANT_KEYS, openShop, type Shop } from '../../../test/shop.ts';

let shop: Shop;
afterEach(() => shop.close());

/** The body of a payment, as the screen sends it. */
const bodyOf = async (reference: any, change: Record<string, unknown> = {}) => ({
  amount: reference.cardTotal,
  currency: 'MXN',
  payment_method: { token: await shop.cardToken(CARDS.approved) },
  apartaBusinnessId: reference.businessId,
  referencia: reference.paymentReference,
  intentoId: randomUUID(),
  ...change,
});
const send = (body: unknown, token = shop.buyer.token) =>
  shop.ask('POST /v1/Clib/CreatePaymentsAsync', { token, body });
/** Every call that reached the provider to charge, answered or not. */
const chargeCalls = async () => (await shop.control('GET /control/log')).attempts.length;

describe('the sum', () => {
  test.each([
    ['-1', 422],
    ['0', 422],
    ['0.001', 422],
    ['600.004', 422],
    ['615.001', 422],
    ['"615"', 422],
    ['1e309', 422],
    ['null', 422],
    ['[615]', 422],
    ['{}', 422],
    ['true', 422],
    ['614.99', 409],
    ['615.01', 409],
    ['600', 409],
    ['0.01', 409],
    ['999999999.99', 409],
  ])('%s is refused before the provider hears of it', async (amount, status) => {
    shop = await openShop();
    const body = JSON.stringify(await bodyOf(await shop.reference(), { amount: 'AMOUNT' }));
    const answer = await send(body.replace('"AMOUNT"', amount));
    expect(answer.status).toBe(status);
    if (status === 409) expect(answer.body).toMatchObject({ code: 'AMOUNT_CHANGED', facts: { amount: 615 } });
    expect(await chargeCalls()).toBe(0);
    expect(await shop.db.selectFrom('card_attempts').select('id').execute()).toEqual([]);
  });

  test('NaN, two bodies in one and dollars are refused too', async () => {
    shop = await openShop();
    const body = await bodyOf(await shop.reference());
    const text = JSON.stringify(body);
    const answers = [
      await send(text.replace('"amount":615', '"amount":NaN')),
      await send(text.replace('"amount":615', '"amount":1,"amount":2')),
      await send({ ...body, currency: 'USD' }),
    ];
    for (const { status } of answers) expect([400, 409, 422]).toContain(status);
    expect(await chargeCalls()).toBe(0);
  });

  test('the merchant changing its fee or price does not change what a buyer was shown', async () => {
    shop = await openShop();
    const reference = await shop.reference();
    await shop.db
      .updateTable('merchants')
      .set({ service_fee_centavos: 9_900 as never })
      .execute();
    await shop.db
      .updateTable('products')
      .set({ sale_price_centavos: 1 as never })
      .execute();
    expect((await send(await bodyOf(reference))).body.data).toMatchObject({ state: 'applied', amount: 615 });
  });
});

describe('another buyer’s reference or payment', () => {
  test('reference, attempt and payment are not there, each with the same answer as one that never was', async () => {
    shop = await openShop();
    const other = await makeBuyer(shop.db);
    const reference = await shop.reference();
    const stolen = await send(await bodyOf(reference), other.token);
    const missing = await send(await bodyOf({ ...reference, paymentReference: '11000004821' }), other.token);
    expect([stolen.status, stolen.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(stolen.body).toEqual(missing.body);

    const intentId = randomUUID();
    const { body } = await shop.pay(reference, CARDS.threeDs, { intentId });
    for (const path of [
      `GetAttemptAsync/${intentId}`,
      `GetPaymentsAsync/${body.data.id}/${shop.merchantId}`,
      `GetPaymentsAsync/${body.data.id}/${shop.merchantId + 1}`,
    ]) {
      const answer = await shop.ask(`GET /v1/Clib/${path}`, { token: other.token });
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    }
    const integrator = await makeServiceAccount(shop.db, {
      kind: 'integrator',
      merchantId: await makeMerchant(shop.db),
    });
    const path = `GET /v1/Clib/GetPaymentsAsync/${body.data.id}/${shop.merchantId}`;
    expect((await shop.ask(path, { token: integrator.token })).status).toBe(404);
    const own = await makeServiceAccount(shop.db, { kind: 'integrator', merchantId: shop.merchantId });
    expect((await shop.ask(path, { token: own.token })).body.data).toMatchObject({ state: 'pending_3ds' });
    expect(await chargeCalls()).toBe(1);
  });

  test('a buyer’s token at the till’s address takes no money and says so', async () => {
    shop = await openShop();
    const reference = await shop.reference();
    for (const idtransaccion of [randomUUID(), 'x', 1]) {
      const { body } = await shop.ask('POST /PosOperations/OnLayaway', {
        token: shop.buyer.token,
        body: {
          referencia: reference.paymentReference,
          importe: 600,
          compañia: 'demo',
          sucursal: '1',
          idtransaccion,
        },
      });
      expect(body.error).toBe(9);
    }
    expect(await shop.db.selectFrom('receipts').select('id').execute()).toEqual([]);
  });

  test('a reference under another merchant’s id is not there', async () => {
    shop = await openShop();
    const reference = await shop.reference();
    const merchantId = await makeMerchant(shop.db, { cards: { keyRing: shop.settings.keyRing } });
    expect((await send(await bodyOf({ ...reference, businessId: merchantId }))).status).toBe(404);
    expect(await chargeCalls()).toBe(0);
  });
});

describe('the same intent', () => {
  test('with another token, sum, reference or merchant is a conflict; with the same body the same answer', async () => {
    shop = await openShop();
    const reference = await shop.reference();
    const body = await bodyOf(reference);
    const first = await send(body);
    expect(first.body.data).toMatchObject({ state: 'applied' });
    const otherReference = await shop.reference({
      productId: await makeProduct(shop.db, { merchantId: shop.merchantId }),
    });
    for (const change of [
      { payment_method: { token: await shop.cardToken(CARDS.approved) } },
      { amount: 614 },
      { referencia: otherReference.paymentReference },
    ]) {
      const answer = await send({ ...body, ...change });
      expect([answer.status, answer.body.code]).toEqual([409, 'INTENT_CONFLICT']);
    }
    expect((await send(body)).body).toEqual(first.body);
    expect(await chargeCalls()).toBe(1);
  });

  test('sent again without its reference after it was paid, it is still the same answer', async () => {
    shop = await openShop();
    const { referencia: _left, ...body } = await bodyOf(await shop.reference());
    const first = await send(body);
    expect(first.body.data).toMatchObject({ state: 'applied' });
    expect((await send(body)).body).toEqual(first.body);
    expect(await chargeCalls()).toBe(1);
  });

  test('of another buyer behaves as new', async () => {
    shop = await openShop();
    const other = await makeBuyer(shop.db);
    const intentId = randomUUID();
    await shop.pay(await shop.reference(), CARDS.approved, { intentId });
    const reference = await shop.reference({ token: other.token });
    const { body } = await shop.pay(reference, CARDS.approved, { intentId, token: other.token });
    expect(body.data).toMatchObject({ state: 'applied' });
    expect(await purchases(shop)).toHaveLength(2);
  });

  test('at once for two references is one charge and one conflict', async () => {
    shop = await openShop();
    const one = await shop.reference();
    const two = await shop.reference({
      productId: await makeProduct(shop.db, { merchantId: shop.merchantId }),
    });
    const intentId = randomUUID();
    const answers = await Promise.all(
      [one, two].map((reference) => shop.pay(reference, CARDS.approved, { intentId })),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
    expect(await chargeCalls()).toBe(1);
  });
});

describe('a client that knows only the spec', () => {
  const plain = async (reference: any) => {
    const { referencia: _r, intentoId: _i, ...body } = await bodyOf(reference);
    return body;
  };

  test('pays the one live reference of that merchant and sum', async () => {
    shop = await openShop();
    const { body } = await send(await plain(await shop.reference()));
    expect(body.data).toMatchObject({ state: 'applied' });
  });

  test.each(['none', 'two', 'one of another sum'])('with %s is asked for the reference', async (how) => {
    shop = await openShop();
    let reference: any = { cardTotal: 615, businessId: shop.merchantId };
    if (how !== 'none') reference = await shop.reference();
    if (how === 'two') {
      await shop.reference({ productId: await makeProduct(shop.db, { merchantId: shop.merchantId }) });
    }
    if (how === 'one of another sum') reference = { ...reference, cardTotal: 600 };
    const answer = await send(await plain(reference));
    expect([answer.status, answer.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(JSON.stringify(answer.body)).toContain('referencia');
    expect(await chargeCalls()).toBe(0);
  });
});

describe('card testing', () => {
  test('five rejections in an hour pause the buyer, who reads for how long', async () => {
    shop = await openShop();
    const reference = await shop.reference();
    const intents = Array.from({ length: 5 }, () => randomUUID());
    for (const intentId of intents) {
      const { body } = await shop.pay(reference, CARDS.insufficientFunds, { intentId });
      expect(body.data.state).toBe('rejected');
    }
    for (const again of [
      reference,
      await shop.reference({ productId: await makeProduct(shop.db, { merchantId: shop.merchantId }) }),
    ]) {
      const { status, body, headers } = await shop.pay(again, CARDS.approved);
      expect([status, body.code]).toEqual([429, 'TOO_MANY_REJECTIONS']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(3_500);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3_600);
    }
    expect(await chargeCalls()).toBe(5);

    await shop.age(intents[0] ?? '', HOUR);
    // Let through, with 3DS.
    const { body } = await shop.pay(reference, CARDS.approved);
    expect(body.data).toMatchObject({ state: 'pending_3ds' });
  });

  test('five rejections of one reference pause it alone', async () => {
    shop = await openShop({ clocks: { rejectionsPerBuyer: 99, rejectionsPerCard: 99 } });
    const reference = await shop.reference();
    for (let n = 0; n < 5; n += 1) await shop.pay(reference, CARDS.insufficientFunds);
    expect((await shop.pay(reference, CARDS.approved)).body.code).toBe('TOO_MANY_REJECTIONS');
    const productId = await makeProduct(shop.db, { merchantId: shop.merchantId });
    const other = await shop.pay(await shop.reference({ productId }), CARDS.approved);
    expect(other.body.data).toMatchObject({ state: 'pending_3ds' });
  });

  test('many references at once try no more cards than one after the other', async () => {
    shop = await openShop();
    const references = [];
    for (let n = 0; n < 12; n += 1)
      references.push(
        await shop.reference({ productId: await makeProduct(shop.db, { merchantId: shop.merchantId }) }),
      );
    await fault(shop, { call: 'createPayment', kind: 'slowWork', delayMs: 500, times: 12 });
    const answers = [];
    // A little apart, as a bot over the network is; each is under way while the next one asks.
    for (const reference of references) {
      answers.push(shop.pay(reference, CARDS.insufficientFunds));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    const codes = (await Promise.all(answers)).map(({ body }) => body.code ?? body.data.state);
    expect(codes.filter((code) => code === 'rejected').length).toBeLessThanOrEqual(6);
    expect(codes).toContain('TOO_MANY_REJECTIONS');
  });

  test('fresh accounts on one merchant stop at the merchant’s own limit', async () => {
    shop = await openShop({ clocks: { rejectionsPerMerchant: 6 } });
    const codes: string[] = [];
    for (let n = 0; n < 9; n += 1) {
      const { token } = await makeBuyer(shop.db);
      const { body } = await shop.pay(await shop.reference({ token }), CARDS.insufficientFunds, { token });
      codes.push(body.code ?? body.data.state);
    }
    expect(codes).toEqual([...Array(6).fill('rejected'), ...Array(3).fill('TOO_MANY')]);
    expect(await chargeCalls()).toBe(6);
  });

  test('one address stops at its limit whatever accounts it uses', async () => {
    shop = await openShop({ clocks: { attemptsPerAddress: 3 } });
    const codes: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const { token } = await makeBuyer(shop.db);
      const { status, body, headers } = await shop.pay(await shop.reference({ token }), CARDS.approved, {
        token,
      });
      codes.push(body.code ?? body.data.state);
      if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(codes).toEqual(['applied', 'applied', 'applied', 'TOO_MANY']);
  });

  test('a card that is rejected for several buyers pauses them, and nobody else', async () => {
    shop = await openShop({ clocks: { rejectionsPerCard: 3 } });
    for (const { token } of [shop.buyer, await makeBuyer(shop.db), await makeBuyer(shop.db)])
      await shop.pay(await shop.reference({ token }), CARDS.insufficientFunds, { token });
    const again = await shop.pay(await shop.reference(), CARDS.approved);
    expect([again.status, again.body.code]).toEqual([429, 'TOO_MANY_REJECTIONS']);
    const { token } = await makeBuyer(shop.db);
    const honest = await shop.pay(await shop.reference({ token }), CARDS.approved, {
      token,
      address: '192.0.2.1',
    });
    expect(honest.body.data.state).toBe('applied');
    const kept = await shop.db.selectFrom('card_attempts').select('card_fingerprint').execute();
    expect(kept.filter(({ card_fingerprint }) => card_fingerprint?.length === 32)).toHaveLength(4);
    expect(new Set(kept.map(({ card_fingerprint }) => card_fingerprint?.toString('hex'))).size).toBe(2);
  });

  test('a buyer who goes from card to card is stopped, rejected or not', async () => {
    shop = await openShop({ clocks: { cardsPerBuyer: 2 } });
    const codes: string[] = [];
    for (const card of [CARDS.approved, CARDS.approved, CARDS.threeDs, CARDS.approved]) {
      const productId = await makeProduct(shop.db, { merchantId: shop.merchantId });
      const { body } = await shop.pay(await shop.reference({ productId }), card);
      codes.push(body.code ?? body.data.state);
    }
    expect(codes).toEqual(['applied', 'applied', 'pending_3ds', 'TOO_MANY']);
  });

  test('many cards rejected from one IP prefix make the bank identify its buyers, then stop it', async () => {
    shop = await openShop({ clocks: { rejectedCardsUntil3ds: 2, rejectedCardsPerAddress: 3 } });
    const codes: string[] = [];
    const rejected = [
      '4555126387272952',
      '5177134282349839',
      CARDS.approved,
      '4746464772355300',
      CARDS.approved,
    ];
    for (const [n, card] of rejected.entries()) {
      const { token } = await makeBuyer(shop.db);
      const address = `2001:db8:7:7::${n + 1}`;
      const { body } = await shop.pay(await shop.reference({ token }), card, { token, address });
      codes.push(body.code ?? body.data.state);
    }
    expect(codes).toEqual(['rejected', 'rejected', 'pending_3ds', 'rejected', 'TOO_MANY']);
  });

  test('a card tester does not learn the risk rules’ reasons', async () => {
    shop = await openShop();
    const { body } = await shop.pay(await shop.reference(), '4000005002000009');
    expect(JSON.stringify(body)).not.toContain('ERI03');
    expect(body.data).toMatchObject({ state: 'rejected', advice: 'retry' });
  });
});

describe('a provider or a merchant that cannot take money', () => {
  test('five charges without an answer stop the sixth before it is sent, then let it through again', async () => {
    shop = await openShop({ clocks: { breakerPauseMs: 4_000, rejectionsPerBuyer: 99 } });
    for (let n = 0; n < 5; n += 1) {
      const productId = await makeProduct(shop.db, { merchantId: shop.merchantId });
      const { body } = await shop.pay(await shop.reference({ productId }), CARDS.nothingHappened);
      expect(body.data.state).toBe('unknown');
    }
    const reference = await shop.reference();
    const { status, body, headers } = await shop.pay(reference, CARDS.approved);
    expect([status, body.code]).toEqual([503, 'PROVIDER_DOWN']);
    expect(['1', '2', '3', '4']).toContain(headers['retry-after']);
    expect(await chargeCalls()).toBe(5);
    await new Promise((resolve) => setTimeout(resolve, 4_050));
    expect((await shop.pay(reference, CARDS.approved)).body.data).toMatchObject({ state: 'applied' });
  });

  test('a merchant without a card key takes no cards', async () => {
    shop = await openShop();
    const merchantId = await makeMerchant(shop.db);
    const productId = await makeProduct(shop.db, { merchantId });
    const answer = await shop.ask('POST /v1/PullApartReference', {
      token: shop.buyer.token,
      body: { Referencia: `1|${merchantId}|${productId}|0||||0`, repeat: true },
    });
    const { status, body } = await shop.pay(answer.body.data, CARDS.approved);
    expect([status, body.code]).toEqual([409, 'CARDS_NOT_ACCEPTED']);
  });

  test('a key that was swapped for another merchant’s opens nothing, and nothing is sent', async () => {
    shop = await openShop();
    await makeMerchant(shop.db, {
      cards: { keyRing: shop.settings.keyRing, publicKey: MERCHANT_KEYS.publicKey.replace(/1$/, '2') },
    });
    const rows = await shop.db.selectFrom('provider_credentials').selectAll().execute();
    const own = rows.find((row) => row.merchant_id === shop.merchantId);
    const theirs = rows.find((row) => row.merchant_id !== shop.merchantId);
    await shop.db
      .updateTable('provider_credentials')
      .set({ secret_ciphertext: theirs?.secret_ciphertext as Buffer })
      .where('id', '=', own?.id ?? '')
      .execute();
    const { status, body } = await shop.pay(await shop.reference(), CARDS.approved);
    expect([status, body.code]).toEqual([409, 'MERCHANT_MISCONFIGURED']);
    expect(await chargeCalls()).toBe(0);
  });

  test('before the email address is confirmed the bank is always asked to identify the buyer, and three tries a day are all', async () => {
    const recorded = await openRecordedShop();
    shop = recorded;
    const { id, token } = await makeBuyer(shop.db, { isConfirmed: false });
    const reference = await shop.reference({ token });
    const pay = (card: string) => shop.pay(reference, card, { token });
    await pay(CARDS.insufficientFunds);
    await pay(CARDS.insufficientFunds);
    await pay(CARDS.insufficientFunds);
    const { status, body } = await pay(CARDS.approved);
    expect([status, body.code]).toEqual([409, 'CONFIRM_EMAIL_FIRST']);
    const asked = recorded.calls.map((call) => call.body?.prevention_data?.request_3ds ?? false);
    expect(asked).toEqual([true, true, true]);
    await shop.db
      .updateTable('buyers')
      .set({ email_confirmed_at: new Date() })
      .where('id', '=', id)
      .execute();
    expect((await pay(CARDS.approved)).body.data.state).toBe('pending_3ds');
  });

  test('after a rejection the bank is asked to identify the buyer, before it is not', async () => {
    const recorded = await openRecordedShop();
    shop = recorded;
    const reference = await shop.reference();
    await shop.pay(reference, CARDS.insufficientFunds);
    await shop.pay(reference, CARDS.approved);
    const asked = recorded.calls.map((call) => call.body?.prevention_data?.request_3ds ?? false);
    expect(asked).toEqual([false, true]);
  });
});
