import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { answer3ds, panel } from '../../../test/card-acts.ts';
import { help, helpAtStore, makeLink } from '../../../test/help-acts.ts';
import { makeBranch, makeBuyer, makeProduct, makeStaff } from '../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import {
  asOwner,
  booksAreFinal,
  type Bought,
  hearStores,
  mustBalance,
  openTill,
  standing,
  storeNumber,
  type Till,
} from '../../../test/store-acts.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { takeWebhooks } from '../webhooks/deliver.ts';
import { readExternalRefund } from './book-external-refund.ts';
import { bookStoreReversal } from './book-store-reversal.ts';

let shop: Shop;
let till: Till;
let branchId: number;
let owner: string;
beforeAll(async () => {
  shop = await openShop({ clocks: { attemptsPerAddress: 99_999 } });
  till = await openTill(shop);
  await hearStores(shop);
  branchId = await makeBranch(shop.db, shop.merchantId, 'Centro');
  owner = (await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' })).token;
});
afterEach(() => mustBalance(shop));
afterAll(() => shop.close());

/** A payment that was made, and how it is taken back. */
interface Paid {
  /** The email that its buyer gets of that. */
  readonly topic: string;
  takeBack(): Promise<void>;
}
type Channel = (amount: number, to: { readonly number: string; readonly bought: Bought }) => Promise<Paid>;

async function byCard(intentId: string): Promise<Paid> {
  const { id, provider_payment_id: paymentId, captured_centavos: captured } = await shop.attempt(intentId);
  return {
    topic: 'card_reversed',
    async takeBack() {
      await panel(shop, paymentId, { move: 'refund', amount: captured / 100 });
      const external = { isLoss: false, isNotDelivered: true, providerRefundId: `panel-${id}` };
      await transaction(shop.db, await readExternalRefund(shop.jobs, id, external));
    },
  };
}
async function heard(operationId: string): Promise<string> {
  await expect
    .poll(
      async () => {
        const { notices } = await shop.control('GET /control/cash');
        const mine = notices.filter((notice: any) => notice.operationId === operationId);
        return mine.length > 0 && mine.every((notice: any) => notice.state !== 'sending');
      },
      { timeout: 20_000 },
    )
    .toBe(true);
  return operationId;
}
async function byStore(reference: string): Promise<Paid> {
  const operationId = await heard((await shop.control('POST /control/cash/pay', { reference })).operationId);
  return {
    topic: 'store_reversed',
    async takeBack() {
      const reverse = { move: 'reverse' };
      const back = await shop.control(`POST /control/cash/operations/${operationId}`, reverse);
      const alert = await heard(back.operationId);
      // A deposit that is not the only money any more is for a person.
      const asks = await shop.db
        .selectFrom('alerts')
        .select('id')
        .where('kind', '=', 'cash_reversal_impossible')
        .where('subject', '=', alert)
        .execute();
      if (asks.length > 0) await transaction(shop.db, (tx) => bookStoreReversal(tx, alert));
    },
  };
}
async function atTill(call: 'pay' | 'deposit', referencia: string, importe: number): Promise<Paid> {
  const ticket = { referencia, importe, idtransaccion: randomUUID() };
  expect((await till[call](ticket)).body.error).toBe(0);
  return {
    topic: 'till_reversed',
    async takeBack() {
      expect((await till.reverse(ticket)).body.error).toBe(0);
    },
  };
}
const byCounter =
  (how: object): Channel =>
  async (amount, { number: reference }) => {
    const body = { id: randomUUID(), branchId, reference, amount, ...how };
    const taken = await shop.ask('POST /v1/counter/payments', { token: owner, body });
    if (taken.status !== 200) throw new Error(JSON.stringify(taken.body));
    return {
      topic: 'till_reversed',
      async takeBack() {
        const path = `POST /v1/counter/receipts/${taken.body.data.folio}/reverse`;
        const back = await shop.ask(path, { token: owner, body: { reason: 'Se arrepintió' } });
        expect(back.status).toBe(200);
      },
    };
  };

const CHANNELS = {
  async card(amount, { number, bought }) {
    const intentId = randomUUID();
    const { token } = bought.buyer;
    const plan = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${bought.id}`, { token });
    const fills = plan.body.data
      .filter(({ paymentReference }: any) => paymentReference === number)
      .map(({ identificador }: any) => ({ number: identificador, pesos: amount }));
    const reference = { paymentReference: number, productName: 'Sala', businessId: shop.merchantId };
    const paid = await shop.pay(reference, CARDS.approved, { token, intentId, amount: amount + 15, fills });
    if (paid.status !== 200) throw new Error(JSON.stringify(paid.body));
    return byCard(intentId);
  },
  async helperCard(amount, { bought }) {
    const [intentId, link] = [randomUUID(), await makeLink(shop, bought.id, {}, bought.buyer.token)];
    const paid = await help(shop, link.helpCode, CARDS.approved, { amount: amount + 15, intentId });
    if (paid.status !== 200) throw new Error(JSON.stringify(paid.body));
    await answer3ds(shop, intentId, 'approve');
    await shop.poll(intentId);
    return byCard(intentId);
  },
  async store(amount, { bought }) {
    const { body } = await storeNumber(shop, bought, 2, amount);
    return byStore(body.data.references[0].value);
  },
  async helperStore(amount, { bought }) {
    const link = await makeLink(shop, bought.id, {}, bought.buyer.token);
    const { body } = await helpAtStore(shop, link.helpCode, { amount });
    return byStore(body.data.reference);
  },
  till: (amount, { number }) => atTill('pay', number, amount),
  cash: byCounter({ method: 'cash' }),
  terminal: byCounter({ method: 'terminal', last4: '4242', authorisation: '048215' }),
} as const satisfies Record<string, Channel>;
type ChannelName = keyof typeof CHANNELS;

/** Reserves the only unit of a product, its deposit paid so. */
async function reserve(channel: 'card' | 'store' | 'till' | 'cash' | 'terminal') {
  const { db, merchantId } = shop;
  const productId = await makeProduct(db, { merchantId });
  const one = { branchId, free: 1, was: 0 };
  await shop.ask(`POST /v1/counter/products/${productId}/units`, { token: owner, body: one });
  const buyer = await makeBuyer(db);
  const reference = await shop.reference({ token: buyer.token, productId });
  const number: string = reference.paymentReference;
  let deposit: Paid;
  if (channel === 'card') {
    const intentId = randomUUID();
    await shop.pay(reference, CARDS.approved, { token: buyer.token, intentId });
    deposit = await byCard(intentId);
  } else if (channel === 'store') {
    const generationData = [{ identifierValue: number }];
    const body = { generationData };
    const issued = await shop.ask('POST /v1/Tapi/GenerateReference', { token: buyer.token, body });
    deposit = await byStore(issued.body.data.references[0].value);
  } else if (channel === 'till') deposit = await atTill('deposit', number, 600);
  else deposit = await CHANNELS[channel](600, { number, bought: undefined as never });
  const { id } = await db
    .selectFrom('purchases')
    .select('id')
    .where('buyer_id', '=', buyer.id)
    .executeTakeFirstOrThrow();
  const instalments = await db
    .selectFrom('instalments')
    .select('id')
    .where('purchase_id', '=', id)
    .orderBy('number')
    .execute();
  const instalmentIds = instalments.map((each) => each.id);
  const numbers = [undefined, ...instalmentIds.map((each, at) => `${at + 1}${each}`)];
  return { productId, deposit, bought: { id, buyer, instalmentIds, numbers } satisfies Bought };
}

const unitsOf = async (productId: number) =>
  (await shop.ask(`GET /v1/counter/products/${productId}`, { token: owner })).body.data.units;

/** An endpoint of the shop's system that nobody answers: what it is to hear of lies there. */
async function listen(): Promise<() => Promise<string[]>> {
  await asOwner(shop, 'update webhook_endpoints set off_at = now() where off_at is null');
  await booksAreFinal(shop);
  const body = { url: `http://127.0.0.1:9/${randomUUID()}` };
  const { id } = (await shop.ask('POST /v1/counter/webhooks', { token: owner, body })).body.data;
  return async () => {
    await booksAreFinal(shop);
    await (
      await takeWebhooks(shop.jobs)
    )?.();
    const path = `GET /v1/counter/webhooks/${id}/deliveries`;
    const deliveries = (await shop.ask(path, { token: owner })).body.data;
    return deliveries.map(({ type }: { type: string }) => type).toReversed();
  };
}

type Case = readonly [
  deposit: Parameters<typeof reserve>[0],
  instalments: readonly ChannelName[],
  order: readonly number[],
];
const ALL = Object.keys(CHANNELS) as ChannelName[];
/** Which goes back when: 0 is the deposit, then the instalments. What a till took for a deposit goes last, or it stays. */
const CASES: readonly Case[] = [
  ...(['card', 'store'] as const).flatMap((deposit) =>
    ALL.map((channel): Case => [deposit, [channel], [0, 1]]),
  ),
  ...ALL.map((channel): Case => ['card', [channel], [1, 0]]),
  ...(['till', 'cash', 'terminal'] as const).map((deposit): Case => [deposit, ['card'], [1, 0]]),
  ['card', ['store', 'till'], [0, 1, 2]],
  ['card', ['store', 'till'], [2, 0, 1]],
  ['store', ['helperStore', 'helperCard'], [0, 2, 1]],
  ['store', ['helperCard', 'helperStore'], [1, 0, 2]],
  ['store', ['terminal', 'cash', 'till'], [3, 0, 1, 2]],
];

test.each(CASES)(
  'a purchase whose deposit came by %s and the rest by %j ends when the last of it is taken back, in the order %j',
  { timeout: 60_000 },
  async (by, channels, order) => {
    const heardOf = await listen();
    const { productId, deposit, bought } = await reserve(by);
    const paid: Paid[] = [deposit];
    for (const channel of channels)
      paid.push(await CHANNELS[channel](500, { number: bought.numbers[2]!, bought }));
    const sum = 60_000 + 50_000 * channels.length;
    expect(await standing(shop, bought.id)).toMatchObject({ state: 'active', paid: sum });
    // A number for stores, which nobody shall pay any more.
    expect((await storeNumber(shop, bought, 3)).status).toBe(200);

    let left = sum;
    for (const [at, which] of order.entries()) {
      await paid[which]!.takeBack();
      left -= which === 0 ? 60_000 : 50_000;
      const isLast = at === order.length - 1;
      expect(await standing(shop, bought.id)).toMatchObject({
        state: isLast ? 'cancelled' : 'active',
        paid: left,
      });
      expect(await unitsOf(productId)).toMatchObject({ free: isLast ? 1 : 0 });
    }

    const { token, id: buyerId } = bought.buyer;
    const sale = (await shop.ask(`GET /v1/Sales/GetAsync/${bought.id}`, { token })).body.data;
    // What went back to a card is told as a refund.
    const byCards = paid.filter(({ topic }) => topic === 'card_reversed').length;
    expect(sale).toMatchObject({ endedBy: 'reversal', cancelBill: null, hasRefunds: byCards > 0 });
    expect(sale.takenBack).toHaveLength(paid.length - byCards);
    const emails = await shop.db
      .selectFrom('outbox')
      .select('topic')
      .where('buyer_id', '=', buyerId)
      .where('topic', 'in', ['card_reversed', 'store_reversed', 'till_reversed'])
      .orderBy('id')
      .execute();
    expect(emails.map(({ topic }) => topic)).toEqual(order.map((which) => paid[which]!.topic));
    const numbers = await shop.db
      .selectFrom('cash_references')
      .select('state')
      .where('purchase_id', '=', bought.id)
      .execute();
    expect(new Set(numbers.map(({ state }) => state))).toEqual(new Set(['closed']));
    expect(await heardOf()).toEqual([
      ...paid.map(() => 'payment.taken'),
      ...order.map(() => 'payment.reversed'),
      'purchase.cancelled',
    ]);
    // Its product is anybody's again.
    const next = await makeBuyer(shop.db);
    const { paymentReference } = await shop.reference({ token: next.token, productId });
    expect((await till.deposit({ referencia: paymentReference, importe: 600 })).body.error).toBe(0);
  },
);
