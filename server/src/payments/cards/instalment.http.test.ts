import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { CARDS, openShop, type Shop } from '../../../test/shop.ts';

let shop: Shop;
let purchaseId: number;
beforeEach(async () => {
  shop = await openShop();
  purchaseId = (await shop.pay(await shop.reference(), CARDS.approved)).body.data.ventaId;
});
afterEach(() => shop.close());

const plan = async () =>
  (await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${purchaseId}`, { token: shop.buyer.token })).body
    .data;

/** One instalment as its card screen reads it. */
async function instalment(number: number) {
  const { id } = (await plan()).find((each: { identificador: number }) => each.identificador === number);
  return (await shop.ask(`GET /v1/Cxc/ByIdWithBalance/${id}`, { token: shop.buyer.token })).body.data;
}

describe('an instalment by card', () => {
  test('each is paid with its fee on top, until the purchase is paid off', async () => {
    for (const number of [2, 3]) {
      const due = await instalment(number);
      expect(due).toMatchObject({ saldo: 1200, cardTotal: 1215, visibleAlPago: true });
      const { body } = await shop.pay(due, CARDS.approved);
      expect(body.data).toMatchObject({ applied: true, amount: 1215, ventaId: purchaseId });
    }
    expect((await plan()).map((each: { saldo: number }) => each.saldo)).toEqual([0, 0, 0]);
    const purchase = await shop.db.selectFrom('purchases').selectAll().executeTakeFirstOrThrow();
    expect(purchase).toMatchObject({ state: 'active', paid_centavos: 300_000 });
  });

  test('paid already, it is not charged again', async () => {
    const due = await instalment(2);
    await shop.pay(due, CARDS.approved);
    const { status, body } = await shop.pay(due, CARDS.approved);
    expect([status, body.code]).toEqual([409, 'REFERENCE_PAID']);
    expect(await shop.charges()).toHaveLength(2);
  });

  test('of a purchase that was cancelled meanwhile, an approval that comes late goes back whole', async () => {
    const intentId = randomUUID();
    await shop.pay(await instalment(2), CARDS.replyLost, { intentId });
    const { body } = await shop.ask(`GET /v1/Sales/CancelQuoteAsync/${purchaseId}`, {
      token: shop.buyer.token,
    });
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${purchaseId}`, {
      token: shop.buyer.token,
      body: { refundShown: body.data.refund },
    });
    await shop.poll(intentId);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'returned', captured_centavos: 121_500 });
  });

  test('the answer says what is left of the purchase, to the last instalment', async () => {
    const { body: second } = await shop.pay(await instalment(2), CARDS.approved);
    expect(second.data.plan).toEqual({
      count: 3,
      paid: 2,
      left: 1200,
      nextDueOn: (await instalment(3)).fechaVencimiento,
    });
    const { body: last } = await shop.pay(await instalment(3), CARDS.approved);
    expect(last.data.plan).toEqual({ count: 3, paid: 3, left: 0, nextDueOn: null });
  });

  test('two tabs paying it at once are one charge', async () => {
    const due = await instalment(2);
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.pay(due, CARDS.approved)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await shop.charges()).toHaveLength(2);
  });

  test('3DS and a lost reply end as for a deposit: applied once', async () => {
    const intentId = randomUUID();
    await shop.pay(await instalment(2), CARDS.replyLost, { intentId });
    await shop.poll(intentId, 2);
    expect(await instalment(2)).toMatchObject({ saldo: 0, attempt: { state: 'applied' } });
  });
});
