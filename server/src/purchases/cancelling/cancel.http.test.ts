import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createLog } from '../../platform/logging.ts';
import { makeBuyer } from '../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

/** A purchase whose deposit of 600.00 was paid by card, 615.00 with its fee. */
async function reserved(): Promise<number> {
  return (await shop.pay(await shop.reference(), CARDS.approved)).body.data.ventaId;
}

const quote = (id: number, token = shop.buyer.token) =>
  shop.ask(`GET /v1/Sales/CancelQuoteAsync/${id}`, { token });
const cancel = (id: number, body: object, token = shop.buyer.token) =>
  shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${id}`, { token, body });

/** Moves the penalty-free days of a purchase into the past. */
const afterTheFreeDays = (id: number) =>
  sql`update purchases set penalty_free_until = now() - interval '1 minute' where id = ${id}`.execute(
    shop.db,
  );

describe('cancelling', () => {
  test('in the first business days everything comes back to the card, the fee with it', async () => {
    const id = await reserved();
    const { body } = await quote(id);
    expect(body.data).toMatchObject({
      paid: 600,
      penalty: 0,
      feesReturned: 15,
      refund: 615,
      returns: [{ amount: 615, way: 'card' }],
    });

    const cancelled = await cancel(id, {
      id: 1,
      ammount: 1,
      saleStatusId: 1,
      cancelNotes: 'Ya no lo quiero',
      refundShown: 615,
    });
    expect(cancelled.status).toBe(200);
    const [refund] = cancelled.body.data.refunds;
    expect(refund).toMatchObject({ amount: 615, way: 'card', state: 'owed' });

    await shop.job.refund_card({ refundId: refund.id }, createLog('silent'));
    const seen = await shop.ask(`GET /v1/Sales/RefundsAsync/${id}`, { token: shop.buyer.token });
    expect(seen.body.data).toMatchObject([{ amount: 615, state: 'done' }]);
    expect((await shop.charges())[0]).toMatchObject({ amount_refunded: 615 });
    const sale = await shop.ask(`GET /v1/Sales/GetAsync/${id}`, { token: shop.buyer.token });
    expect(sale.body.data).toMatchObject({
      totalPagos: 600,
      cancelBill: { paid: 615, penalty: 0, feesReturned: 15, feesKept: 0, refund: 615 },
    });
  });

  test('later the penalty and the fee are kept, and the quote says so before', async () => {
    const id = await reserved();
    await afterTheFreeDays(id);
    expect((await quote(id)).body.data).toMatchObject({ penalty: 200, feesKept: 15, refund: 400 });
    const { body } = await cancel(id, { refundShown: 400 });
    expect(body.data.refunds).toMatchObject([{ amount: 400, way: 'card' }]);
    const sale = await shop.ask(`GET /v1/Sales/GetAsync/${id}`, { token: shop.buyer.token });
    expect(sale.body.data.cancelBill).toEqual({
      paid: 615,
      penalty: 200,
      feesReturned: 0,
      feesKept: 15,
      refund: 400,
    });
  });

  test('a refund that is another by now is refused with the new sum, and nothing is cancelled', async () => {
    const id = await reserved();
    await afterTheFreeDays(id);
    const { status, body } = await cancel(id, { refundShown: 615 });
    expect([status, body.code, body.facts.refund]).toEqual([409, 'QUOTE_CHANGED', 400]);
    expect((await quote(id)).status).toBe(200);
  });

  test('eight cancels at once cancel once and owe once', async () => {
    const id = await reserved();
    const answers = await Promise.all(Array.from({ length: 8 }, () => cancel(id, { refundShown: 615 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'PURCHASE_CANCELLED')).toHaveLength(7);
    expect(await shop.db.selectFrom('refunds').select('id').execute()).toHaveLength(1);
  });

  test('another buyer’s purchase cannot be seen or cancelled', async () => {
    const id = await reserved();
    const other = await makeBuyer(shop.db);
    expect((await quote(id, other.token)).status).toBe(404);
    expect((await cancel(id, { refundShown: 615 }, other.token)).status).toBe(404);
    expect((await shop.ask(`GET /v1/Sales/RefundsAsync/${id}`, { token: other.token })).status).toBe(404);
  });
});
