import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

describe('a deposit by card', () => {
  test('an approved card makes one purchase with its whole plan, once in the books', async () => {
    const reference = await shop.reference();
    const { status, body } = await shop.pay(reference, CARDS.approved);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      status: 'approved',
      status_detail: { code: 'AP-PAI01' },
      applied: true,
      amount: 615,
      state: 'applied',
    });

    const after = await shop.ask(`GET /v1/PullApartReference/${reference.id}`, { token: shop.buyer.token });
    expect(after.body.data).toMatchObject({ Estatus: 2, ventaId: body.data.ventaId });
    const instalments = await shop.db.selectFrom('instalments').selectAll().orderBy('number').execute();
    expect(instalments.map((row) => [row.number, row.amount_centavos, row.paid_centavos])).toEqual([
      [1, 60_000, 60_000],
      [2, 120_000, 0],
      [3, 120_000, 0],
    ]);
    const [charge] = (await shop.control('GET /control/log')).payments;
    const receipt = await shop.db.selectFrom('receipts').select('paid_at').executeTakeFirstOrThrow();
    expect(receipt.paid_at?.toISOString()).toBe(charge.approved_at);
    expect(await shop.charges()).toHaveLength(1);
  });

  test('an address as long as a profile takes it keeps nobody from paying', async () => {
    const { id, token } = shop.buyer;
    const reference = await shop.reference();
    const longest = {
      phone: '5'.repeat(30),
      numberAddress: '5'.repeat(30),
      postalCodeAddress: '7'.repeat(10),
    };
    const profile = { ...longest, streetAddress: 'Calle '.padEnd(200, 'a') };
    const saved = await shop.ask(`PUT /v1/SecurityBuyer/Update2Async/${id}`, { token, body: profile });
    expect(saved.body.data).toMatchObject(profile);
    const { phone, numberAddress: number, postalCodeAddress, streetAddress: street } = saved.body.data;
    const paid = await shop.ask('POST /v1/Clib/CreatePaymentsAsync', {
      token,
      body: {
        amount: 615,
        currency: 'MXN',
        payment_method: { token: await shop.cardToken(CARDS.approved) },
        customer: { phone, address: { number, postal_code: postalCodeAddress, street } },
        apartaBusinnessId: reference.businessId,
        referencia: reference.paymentReference,
      },
    });
    expect(paid.body.data).toMatchObject({ status: 'approved', applied: true });
  });

  test('the answer that says applied carries all that the receipt shows', async () => {
    const reference = await shop.reference();
    const { body } = await shop.pay(reference, CARDS.approved);
    const [, second] = await shop.db.selectFrom('instalments').select('due_on').orderBy('number').execute();
    expect(body.data).toMatchObject({
      applied: true,
      amount: 615,
      folio: expect.stringMatching(/^\w{10}$/),
      paidAt: expect.any(String),
      ventaId: expect.any(Number),
      card: { last4: expect.stringMatching(/^\d{4}$/) },
      plan: { count: 3, paid: 1, left: 2400, nextDueOn: second?.due_on },
    });
  });

  test('a rejected card costs nothing and says what to do', async () => {
    const { body } = await shop.pay(await shop.reference(), CARDS.insufficientFunds);
    expect(body.data).toMatchObject({
      status: 'rejected',
      state: 'rejected',
      applied: false,
      advice: 'other_card',
      plan: null,
    });
    expect(await shop.db.selectFrom('purchases').select('id').execute()).toEqual([]);
  });

  test('another sum than today’s is refused before anything is sent', async () => {
    const { status, body } = await shop.pay(await shop.reference(), CARDS.approved, { amount: 614 });
    expect([status, body.code, body.facts.amount]).toEqual([409, 'AMOUNT_CHANGED', 615]);
    expect(await shop.charges()).toEqual([]);
  });

  test('eight identical taps at once are one charge and one answer', async () => {
    const reference = await shop.reference();
    const intentId = randomUUID();
    const cardToken = await shop.cardToken(CARDS.approved);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => shop.pay(reference, '', { intentId, cardToken })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
    expect(await shop.charges()).toHaveLength(1);
    expect((await shop.pay(reference, '', { intentId, cardToken })).body.data).toMatchObject({
      applied: true,
    });
  });

  test('eight tabs paying at once are one charge: the others read that one is open, or that it is paid', async () => {
    const reference = await shop.reference();
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.pay(reference, CARDS.approved)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, ['ATTEMPT_OPEN', 'REFERENCE_PAID'].includes(body.code)]).toEqual([409, true]);
    }
    expect(await shop.charges()).toHaveLength(1);
  });

  test('a lost reply is unknown until the job finds the charge, and then it is applied', async () => {
    const intentId = randomUUID();
    const { body } = await shop.pay(await shop.reference(), CARDS.replyLost, { intentId });
    expect(body.data).toMatchObject({ state: 'unknown', status: 'pending', applied: false });
    await shop.poll(intentId);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'applied' });
    expect(await shop.charges()).toHaveLength(1);
  });

  test('3DS that the buyer approves is applied when anybody asks again', async () => {
    const intentId = randomUUID();
    const { body } = await shop.pay(await shop.reference(), CARDS.threeDs, { intentId });
    expect(body.data).toMatchObject({ state: 'pending_3ds', status_detail: { code: 'PE-3DS01' } });
    await fetch(body.data.pending_action.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: shop.sandbox.threeDsOrigin },
      body: JSON.stringify({ answer: 'approve' }),
    });
    const seen = await shop.ask(`GET /v1/Clib/GetAttemptAsync/${intentId}`, { token: shop.buyer.token });
    expect(seen.body.data).toMatchObject({ state: 'applied', applied: true });
  });
});
