import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeBuyer } from '../../../test/make.ts';
import { openShop, type Shop } from '../../../test/shop.ts';
import {
  asOwner,
  type Bought,
  buy,
  mustBalance,
  openTill,
  standing,
  storeNumber,
  type Till,
  meet,
} from '../../../test/store-acts.ts';

let shop: Shop;
let till: Till;
beforeAll(async () => {
  shop = await openShop();
  till = await openTill(shop);
});
afterEach(() => mustBalance(shop));
afterAll(() => shop.close());

interface Taken {
  readonly referencia: string;
  readonly importe: number;
  readonly idtransaccion: string;
  readonly folio: string;
}

async function pay(bought: Bought, importe: number): Promise<Taken> {
  const ticket = { referencia: bought.numbers[2]!, importe, idtransaccion: randomUUID() };
  const { body } = await till.pay(ticket);
  expect(body.error).toBe(0);
  return { ...ticket, folio: body.autorizacion };
}

/** A deposit paid at this till, and what it bought. */
async function reserve(): Promise<{ ticket: Taken; bought: Bought }> {
  const buyer = await makeBuyer(shop.db);
  const reference = await shop.reference({ token: buyer.token });
  const ticket = { referencia: reference.paymentReference, importe: 600, idtransaccion: randomUUID() };
  const { body } = await till.deposit(ticket);
  expect(body.error).toBe(0);
  const after = await shop.ask(`GET /v1/PullApartReference/${reference.id}`, { token: buyer.token });
  const id: number = after.body.data.ventaId;
  const instalmentIds = (
    await shop.db
      .selectFrom('instalments')
      .select('id')
      .where('purchase_id', '=', id)
      .orderBy('number')
      .execute()
  ).map((each) => each.id);
  const numbers = [undefined, ...instalmentIds.map((each, at) => `${at + 1}${each}`)];
  return {
    ticket: { ...ticket, folio: body.autorizacion },
    bought: { id, buyer, instalmentIds, numbers },
  };
}

const errorOf = async (ticket: Partial<Taken>) => {
  const { folio: _folio, ...wire } = ticket;
  const { status, body } = await till.reverse(wire);
  expect([status, body.autorizacion]).toEqual([200, '']);
  return body.error as number;
};
const key = ({ idtransaccion }: Taken) => ({ idtransaccion });
const cancel = (bought: Bought) =>
  shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${bought.id}`, { token: bought.buyer.token, body: {} });
/** Moves an operation to a moment of Mexico City's today, or to just before today began. */
const moveTo = (ticket: Taken, moment: string) =>
  asOwner(
    shop,
    `update till_operations set created_at =
       date_trunc('day', now() at time zone 'America/Mexico_City') at time zone 'America/Mexico_City' + $2::interval
     where transaction_id = $1`,
    [ticket.idtransaccion, moment],
  );

describe('a payment taken back the same day', () => {
  test('leaves the purchase as it was, and the buyer gets an email', async () => {
    const bought = await buy(shop);
    const ticket = await pay(bought, 1_700);
    expect(await errorOf(ticket)).toBe(0);
    expect(await standing(shop, bought.id)).toEqual({ state: 'active', paid: 60_000, parts: [60_000, 0, 0] });
    const receipt = await shop.ask(`GET /v1/Receipts/GetAsync/${ticket.folio}`, {
      token: bought.buyer.token,
    });
    expect(receipt.body.data).toMatchObject({ amount: 1_700, refunded: 1_700 });
    const emails = await shop.db
      .selectFrom('outbox')
      .select('topic')
      .where('buyer_id', '=', bought.buyer.id)
      .orderBy('id')
      .execute();
    expect(emails.map(({ topic }) => topic)).toEqual(['layaway_paid', 'instalment_paid', 'till_reversed']);
  });

  test('by its number alone, and again, answers 0 and takes nothing more', async () => {
    const bought = await buy(shop);
    const [one, other] = [await pay(bought, 100), await pay(bought, 200)];
    for (let times = 0; times < 3; times += 1) expect(await errorOf(key(one))).toBe(0);
    expect((await standing(shop, bought.id)).parts).toEqual([60_000, 20_000, 0]);
    expect(await errorOf(key(other))).toBe(0);
    expect((await standing(shop, bought.id)).paid).toBe(60_000);
  });

  test('of a paid-off purchase opens it again, and it can be paid again', async () => {
    const bought = await buy(shop);
    const ticket = await pay(bought, 2_400);
    expect(await errorOf(ticket)).toBe(0);
    await pay(bought, 2_400);
    expect((await standing(shop, bought.id)).paid).toBe(300_000);
  });

  test('from under a later payment leaves a hole that the next money fills first', async () => {
    const bought = await buy(shop);
    const first = await pay(bought, 1_200);
    await pay(bought, 300);
    expect(await errorOf(first)).toBe(0);
    expect((await standing(shop, bought.id)).parts).toEqual([60_000, 0, 30_000]);
    await pay(bought, 1_300);
    expect((await standing(shop, bought.id)).parts).toEqual([60_000, 120_000, 40_000]);
  });

  test('is not authorised any more when its payment is sent once again: 7, and nothing is taken', async () => {
    const bought = await buy(shop);
    const { folio: _folio, ...ticket } = await pay(bought, 100);
    await errorOf(ticket);
    expect((await till.pay(ticket)).body).toMatchObject({ error: 7, autorizacion: '' });
    expect((await standing(shop, bought.id)).paid).toBe(60_000);
  });
});

describe('what is not taken back', () => {
  test('yesterday’s: 7; from the first moment of today it is', async () => {
    const bought = await buy(shop);
    const ticket = await pay(bought, 100);
    await moveTo(ticket, '-1 millisecond');
    expect(await errorOf(ticket)).toBe(7);
    expect((await standing(shop, bought.id)).paid).toBe(70_000);
    await moveTo(ticket, '0');
    expect(await errorOf(ticket)).toBe(0);
  });

  test('another reference or amount than it had: 6, also once it was taken back or refused', async () => {
    const [bought, other] = [await buy(shop), await buy(shop)];
    const ticket = await pay(bought, 100);
    const wrongs = [
      { importe: 100.01 },
      { referencia: other.numbers[2]! },
      { referencia: bought.numbers[3]! },
    ];
    for (const wrong of wrongs) expect(await errorOf({ ...ticket, ...wrong })).toBe(6);
    expect((await standing(shop, bought.id)).paid).toBe(70_000);
    const printed = ticket.referencia.replace(/(.{4})/g, '$1 ');
    expect(await errorOf({ ...ticket, referencia: printed })).toBe(0);
    for (const wrong of wrongs) expect(await errorOf({ ...ticket, ...wrong })).toBe(6);
    const refused = { ...ticket, importe: 9_999, idtransaccion: randomUUID() };
    expect((await till.pay({ ...refused })).body.error).toBe(4);
    expect(await errorOf({ ...refused, importe: 100 })).toBe(6);
    expect(await errorOf(refused)).toBe(0);
  });

  test('one of a cancelled purchase: 7, its money is on its way back already', async () => {
    const bought = await buy(shop);
    const ticket = await pay(bought, 100);
    expect((await cancel(bought)).status).toBe(200);
    expect(await errorOf(ticket)).toBe(7);
    const refunds = await shop.db
      .selectFrom('refunds as f')
      .innerJoin('receipts as r', 'r.id', 'f.receipt_id')
      .where('r.buyer_id', '=', bought.buyer.id)
      .select('f.amount_centavos')
      .execute();
    expect(refunds.map((each) => each.amount_centavos).toSorted()).toEqual([10_000, 60_000]);
  });
});

describe('a reversal that arrives before its charge', () => {
  test('blocks it: the late charge answers 7 and takes nothing, however often', async () => {
    const bought = await buy(shop);
    const ticket = { referencia: bought.numbers[2]!, importe: 100, idtransaccion: randomUUID() };
    expect(await errorOf(ticket)).toBe(0);
    expect(await errorOf({ idtransaccion: ticket.idtransaccion })).toBe(0);
    for (let times = 0; times < 2; times += 1) expect((await till.pay(ticket)).body.error).toBe(7);
    expect((await till.deposit(ticket)).body.error).toBe(7);
    expect((await standing(shop, bought.id)).paid).toBe(60_000);
  });

  test('at the same moment: taken and taken back, or never taken', async () => {
    const bought = await buy(shop);
    for (let round = 0; round < 30; round += 1) {
      const ticket = { referencia: bought.numbers[2]!, importe: 100, idtransaccion: randomUUID() };
      const calls = [() => till.pay(ticket), () => till.reverse(ticket)];
      if (round % 2 === 1) calls.reverse();
      const errors = (await Promise.all(calls.map((call) => call()))).map(({ body }) => body.error);
      if (round % 2 === 1) errors.reverse();
      expect([
        [0, 0],
        [7, 0],
      ]).toContainEqual(errors);
      expect((await standing(shop, bought.id)).paid).toBe(60_000);
    }
  });
});

describe('a deposit taken back', () => {
  test('ends its purchase, closes its store references, and nothing is owed', async () => {
    const { ticket, bought } = await reserve();
    expect((await storeNumber(shop, bought)).status).toBe(200);
    expect(await errorOf(ticket)).toBe(0);
    expect(await standing(shop, bought.id)).toEqual({ state: 'cancelled', paid: 0, parts: [0, 0, 0] });
    const references = await shop.db
      .selectFrom('cash_references')
      .select('state')
      .where('purchase_id', '=', bought.id)
      .execute();
    expect(references).toEqual([{ state: 'closed' }]);
    const seen = await shop.ask(`GET /v1/Sales/RefundsAsync/${bought.id}`, { token: bought.buyer.token });
    expect(seen.body.data).toEqual([]);
    // What the till gives back is no refund: the purchase says how much, and by which payment.
    const sale = await shop.ask(`GET /v1/Sales/GetAsync/${bought.id}`, { token: bought.buyer.token });
    expect(sale.body.data).toMatchObject({
      endedBy: 'reversal',
      cancelBill: null,
      takenBack: [{ folio: ticket.folio, monto: 600, method: 'till', last4: null, payerName: null }],
    });
    expect((await till.pay({ referencia: bought.numbers[2]!, importe: 100 })).body.error).toBe(5);
    expect(await errorOf(ticket)).toBe(0);
    expect((await till.deposit({ referencia: ticket.referencia, importe: 600 })).body.error).toBe(5);
  });

  test('stays while other money is in it: 7; when that is out again, it goes', async () => {
    const { ticket, bought } = await reserve();
    const more = await pay(bought, 0.01);
    expect(await errorOf(ticket)).toBe(7);
    expect(await standing(shop, bought.id)).toMatchObject({ state: 'active', paid: 60_001 });
    expect(await errorOf(more)).toBe(0);
    expect(await errorOf(ticket)).toBe(0);
    expect(await standing(shop, bought.id)).toMatchObject({ state: 'cancelled', paid: 0 });
  });

  test('and the next payment at the same moment: one of them, never both', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 30; round += 1) {
      const { ticket, bought } = await reserve();
      const answers = await meet(
        round,
        () => till.reverse(key(ticket)),
        () => till.pay({ referencia: bought.numbers[2]!, importe: 100 }),
      );
      const errors = answers.map(({ body }) => body.error);
      seen.add(errors.join());
      const { state, paid } = await standing(shop, bought.id);
      expect([
        [0, 5, 'cancelled', 0],
        [7, 0, 'active', 70_000],
      ]).toContainEqual([...errors, state, paid]);
    }
    expect([...seen].toSorted()).toEqual(['0,5', '7,0']);
  }, 60_000);
});

test('a reversal and a cancellation at the same moment: the money goes back only once', async () => {
  const seen = new Set<string>();
  for (let round = 0; round < 30; round += 1) {
    const bought = await buy(shop);
    const ticket = await pay(bought, 500);
    const [reversal, cancelled] = await meet(
      round,
      () => till.reverse(key(ticket)),
      () => cancel(bought),
    );
    expect(cancelled?.status).toBe(200);
    const owed = cancelled?.body.data.refunds.map(({ amount }: { amount: number }) => amount).toSorted();
    expect([
      [0, [600]],
      [7, [500, 600]],
    ]).toContainEqual([reversal?.body.error, owed]);
    seen.add(String(reversal?.body.error));
  }
  expect([...seen].toSorted()).toEqual(['0', '7']);
}, 60_000);

test('eight times at once takes back once', async () => {
  const bought = await buy(shop);
  const ticket = await pay(bought, 500);
  const answers = await Promise.all(Array.from({ length: 8 }, () => till.reverse(key(ticket))));
  expect(answers.map(({ body }) => body.error)).toEqual(Array(8).fill(0));
  expect((await standing(shop, bought.id)).paid).toBe(60_000);
});
