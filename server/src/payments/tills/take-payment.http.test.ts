import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import {
  type Bought,
  buy,
  mustBalance,
  openTill,
  standing,
  type Ticket,
  type Till,
} from '../../../test/store-acts.ts';

let shop: Shop;
let till: Till;
beforeAll(async () => {
  shop = await openShop();
  till = await openTill(shop);
});
afterEach(() => mustBalance(shop));
afterAll(() => shop.close());

async function errorOf(ticket: Ticket, by: Till = till): Promise<number> {
  const { status, body } = await by.pay(ticket);
  expect(status).toBe(200);
  if (body.error !== 0) expect(body.autorizacion).toBe('');
  return body.error;
}
const paid = async (bought: Bought) => (await standing(shop, bought.id)).parts;
const operations = () => shop.db.selectFrom('till_operations').select('id').execute();
const receipts = () => shop.db.selectFrom('receipts').select('id').execute();

describe('money for an instalment at a till', () => {
  test('exactly what is due fills it, and the ticket says which and what is left', async () => {
    const bought = await buy(shop);
    const { body } = await till.pay({ referencia: bought.numbers[2]!, importe: 1_200 });
    expect(body).toMatchObject({ error: 0, mensaje: 'Pago 2. Saldo $1,200.00.' });
    expect(await paid(bought)).toEqual([60_000, 120_000, 0]);
    const receipt = await shop.ask(`GET /v1/Receipts/GetAsync/${body.autorizacion}`, {
      token: bought.buyer.token,
    });
    expect(receipt.body.data).toMatchObject({
      amount: 1_200,
      fee: 0,
      method: 'till',
      parts: [{ number: 2, of: 3, amount: 1_200 }],
      balance: 1_200,
      refunded: 0,
    });
    const emails = await shop.db
      .selectFrom('outbox')
      .select(['topic', 'facts'])
      .where('buyer_id', '=', bought.buyer.id)
      .where('topic', '=', 'instalment_paid')
      .execute();
    expect(emails).toMatchObject([{ facts: { amountCentavos: 120_000, balanceCentavos: 120_000 } }]);
  });

  test('less fills a part of it, and the rest comes with the next payment', async () => {
    const bought = await buy(shop);
    expect(await errorOf({ referencia: bought.numbers[2]!, importe: 500.5 })).toBe(0);
    expect(await paid(bought)).toEqual([60_000, 50_050, 0]);
    const { body } = await till.pay({ referencia: bought.numbers[2]!, importe: 699.51 });
    expect(body.mensaje).toBe('Pagos 2, 3. Saldo $1,199.99.');
    expect(await paid(bought)).toEqual([60_000, 120_000, 1]);
  });

  test('all at once pays the purchase off', async () => {
    const bought = await buy(shop);
    const { body } = await till.pay({ referencia: bought.numbers[2]!, importe: 2_400 });
    expect(body).toMatchObject({ error: 0, mensaje: 'Pagos 2, 3. Compra liquidada.' });
    expect(await paid(bought)).toEqual([60_000, 120_000, 120_000]);
  });

  test('the oldest is filled first, whichever number is scanned', async () => {
    const bought = await buy(shop);
    expect(await errorOf({ referencia: bought.numbers[3]!, importe: 300 })).toBe(0);
    expect(await errorOf({ referencia: bought.numbers[1]!, importe: 1_000 })).toBe(0);
    expect(await paid(bought)).toEqual([60_000, 120_000, 10_000]);
  });

  test('a centavo more than the whole balance is error 4 and takes nothing', async () => {
    const bought = await buy(shop);
    expect(await errorOf({ referencia: bought.numbers[2]!, importe: 2_400.01 })).toBe(4);
    expect(await paid(bought)).toEqual([60_000, 0, 0]);
    expect(await errorOf({ referencia: bought.numbers[2]!, importe: 0.01 })).toBe(0);
    expect(await errorOf({ referencia: bought.numbers[2]!, importe: 2_400 })).toBe(4);
  });

  test('of a paid-off purchase: 3; of a cancelled one: 5', async () => {
    const paidOff = await buy(shop);
    expect(await errorOf({ referencia: paidOff.numbers[2]!, importe: 2_400 })).toBe(0);
    for (const referencia of paidOff.numbers.slice(1))
      expect(await errorOf({ referencia: referencia!, importe: 0.01 })).toBe(3);
    const cancelled = await buy(shop);
    const { status } = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${cancelled.id}`, {
      token: cancelled.buyer.token,
      body: {},
    });
    expect(status).toBe(200);
    expect(await errorOf({ referencia: cancelled.numbers[2]!, importe: 1_200 })).toBe(5);
    expect(await paid(cancelled)).toEqual([60_000, 0, 0]);
  });

  test('with the merchant’s till fee the fee is inside the amount, taken once per payment', async () => {
    const other = await openShop({ merchant: { feeMethods: ['till'] } });
    try {
      const its = await openTill(other);
      const bought = await buy(other);
      const referencia = bought.numbers[2]!;
      const errors = [];
      for (const importe of [15, 14.99, 2_415.01, 15.01, 2_414.99])
        errors.push(await errorOf({ referencia, importe }, its));
      expect(errors).toEqual([4, 4, 4, 0, 0]);
      expect((await standing(other, bought.id)).parts).toEqual([60_000, 120_000, 120_000]);
      const fees = await other.db
        .selectFrom('balances')
        .select('balance')
        .where('account', '=', 'service_fee')
        .execute();
      expect(fees.map(({ balance }) => Number(balance))).toEqual([1_500, 1_500]);
    } finally {
      await other.close();
    }
  });
});

describe('a number that is not the instalment’s pays nothing', () => {
  test('every wrong digit, swap of neighbours, and other prefix is unknown, error 1', async () => {
    const bought = await buy(shop);
    const good = bought.numbers[2]!;
    const digits = [...good];
    const wrong = new Set<string>([`1${good.slice(1)}`, `3${good.slice(1)}`, `2${good}`, good.slice(1)]);
    for (let at = 0; at < digits.length; at += 1) {
      for (const digit of '0123456789') wrong.add(digits.with(at, digit).join(''));
      const before = digits[at - 1];
      if (before !== undefined)
        wrong.add(
          digits
            .with(at - 1, digits[at]!)
            .with(at, before)
            .join(''),
        );
    }
    wrong.delete(good);
    for (const referencia of wrong)
      expect([referencia, await errorOf({ referencia, importe: 1_200 })]).toEqual([referencia, 1]);
    expect(await paid(bought)).toEqual([60_000, 0, 0]);
  });

  test('neither is the number of the layaway that it came from', async () => {
    const reference = await shop.reference();
    expect((await till.deposit({ referencia: reference.paymentReference, importe: 600 })).body.error).toBe(0);
    expect(await errorOf({ referencia: reference.paymentReference, importe: 600 })).toBe(1);
  });
});

describe('a till that asks twice', () => {
  test('gets the same answer, and the money is taken once', async () => {
    const bought = await buy(shop);
    const ticket = { referencia: bought.numbers[2]!, importe: 100, idtransaccion: randomUUID() };
    const first = await till.pay(ticket);
    expect(first.body.error).toBe(0);
    expect((await till.pay(ticket)).body).toEqual(first.body);
    expect(await paid(bought)).toEqual([60_000, 10_000, 0]);
  });

  test('with another amount, reference or operation under the same number gets error 6', async () => {
    const [bought, other] = [await buy(shop), await buy(shop)];
    const ticket = { referencia: bought.numbers[2]!, importe: 100, idtransaccion: randomUUID() };
    expect(await errorOf(ticket)).toBe(0);
    expect(await errorOf({ ...ticket, importe: 101 })).toBe(6);
    expect(await errorOf({ ...ticket, referencia: other.numbers[2]! })).toBe(6);
    expect((await till.deposit(ticket)).body.error).toBe(6);
    expect(await paid(other)).toEqual([60_000, 0, 0]);
    expect(await paid(bought)).toEqual([60_000, 10_000, 0]);
  });

  test('after a refusal is refused again, though it would now be good', async () => {
    const bought = await buy(shop);
    const ticket = { referencia: bought.numbers[2]!, importe: 2_400.01, idtransaccion: randomUUID() };
    const refused = await till.pay(ticket);
    expect(refused.body.error).toBe(4);
    expect((await till.pay(ticket)).body).toEqual(refused.body);
    expect(await errorOf({ ...ticket, importe: 2_400 })).toBe(6);
  });

  test('eight times at once takes it once and answers all the same', async () => {
    const bought = await buy(shop);
    const ticket = { referencia: bought.numbers[2]!, importe: 1_200, idtransaccion: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => till.pay(ticket)));
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    expect(answers[0]?.body.error).toBe(0);
    expect(await paid(bought)).toEqual([60_000, 120_000, 0]);
  });
});

describe('many tills at one purchase', () => {
  test('take no more than its balance between them', async () => {
    const bought = await buy(shop);
    const errors = await Promise.all(
      Array.from({ length: 12 }, () => errorOf({ referencia: bought.numbers[2]!, importe: 700 })),
    );
    expect(errors.toSorted()).toEqual([0, 0, 0, ...Array<number>(9).fill(4)]);
    expect(await paid(bought)).toEqual([60_000, 120_000, 90_000]);
  });

  test('one number for two purchases: one is taken, the other is error 6', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await buy(shop), await buy(shop)];
      const idtransaccion = randomUUID();
      const errors = await Promise.all(
        [one, other].map(({ numbers }) => errorOf({ referencia: numbers[2]!, importe: 100, idtransaccion })),
      );
      expect(errors.toSorted()).toEqual([0, 6]);
    }
  });
});

describe('who may not', () => {
  test('a till of another chain takes nothing, and an alert is raised', async () => {
    const bought = await buy(shop);
    const ticket = { referencia: bought.numbers[2]!, importe: 100, compañia: 'SORIANA' };
    expect(await errorOf(ticket)).toBe(13);
    expect((await till.query(ticket)).body).toMatchObject({ error: 13, estado: 'desconocida' });
    expect((await till.reverse(ticket)).body.error).toBe(13);
    const alerts = await shop.db.selectFrom('alerts').select(['kind', 'subject', 'times']).execute();
    expect(alerts).toEqual([{ kind: 'till_foreign_chain', subject: till.id, times: 3 }]);
    expect(await paid(bought)).toEqual([60_000, 0, 0]);
  });

  test('a till that does not collect for the merchant learns nothing of its purchases', async () => {
    const bought = await buy(shop);
    const stranger = await openTill(shop, 'OTRA', []);
    expect(await errorOf({ referencia: bought.numbers[2]!, importe: 100 }, stranger)).toBe(1);
    const raised = shop.db.selectFrom('alerts').select('detail').where('subject', '=', stranger.id);
    expect(await raised.execute()).toEqual([{ detail: { merchantId: shop.merchantId, branch: '7' } }]);
    expect(await paid(bought)).toEqual([60_000, 0, 0]);
  });

  test('a buyer’s token books no money, whatever the body says', async () => {
    const bought = await buy(shop);
    const card = (await shop.pay(await shop.reference(), CARDS.insufficientFunds)).body.data;
    const before = [await receipts(), await operations()];
    for (const idtransaccion of [randomUUID(), card.id, 'ticket-1']) {
      for (const importe of [0.01, 1_200, 2_400]) {
        const ticket = { referencia: bought.numbers[2]!, importe, idtransaccion, Estatus: 2, error: 0 };
        const { status, body } = await till.pay(ticket as Ticket, bought.buyer.token);
        expect([status, body.error]).toEqual([200, 9]);
      }
    }
    for (const path of ['query', 'reverse', 'SaleWithOutRef'])
      expect((await till.call(path, {}, bought.buyer.token)).status).toBe(403);
    expect([await receipts(), await operations()]).toEqual(before);
  });

  test('a sale without a reference is not offered: error 8', async () => {
    const { status, body } = await till.call('SaleWithOutRef', { importe: 100 });
    expect([status, body.error]).toEqual([200, 8]);
  });
});
