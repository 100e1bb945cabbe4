import { randomUUID } from 'node:crypto';
import { addDays, mexicoCityDate, referenceExpiry } from '@aparta/domain/calendar';
import { centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { helpAtStore, makeLink } from '../../../test/help-acts.ts';
import { makeBuyer } from '../../../test/make.ts';
import { openShop, type Shop } from '../../../test/shop.ts';
import { findPurchase } from '../../purchases/overview/read-model.ts';
import { findRequested, findValid } from '../../purchases/cash-references/store.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { findStoreHelp } from './help.read-model.ts';
import {
  type Bought,
  buy,
  letEndIn,
  mustBalance,
  openTill,
  storeNumber,
  type Till,
} from '../../../test/store-acts.ts';

const PATIENCE = { timeout: 20_000 };

let shop: Shop;
let till: Till;
beforeAll(async () => {
  shop = await openShop();
  till = await openTill(shop);
});
afterEach(async () => {
  await mustBalance(shop);
  await shop.control('POST /control/release');
});
afterAll(() => shop.close());

const valueOf = (answer: { body: any }): string => answer.body.data.references[0].value;
const rows = (bought: Bought) =>
  shop.db
    .selectFrom('cash_references')
    .select(['id', 'state', 'amount_centavos as amount', 'provider_reference as value'])
    .where('purchase_id', '=', bought.id)
    .orderBy('created_at')
    .execute();
/** What Tapi made for a purchase. */
const made = async (bought: Bought) => {
  const { references } = await shop.control('GET /control/cash');
  return references.filter((one: { identifier: string }) => bought.numbers.includes(one.identifier));
};
const fault = (kind: string, more: object = {}) =>
  shop.control('POST /control/faults', { call: 'createReference', kind, ...more });
const pay = async (bought: Bought, importe: number) =>
  expect((await till.pay({ referencia: bought.numbers[2]!, importe })).body.error).toBe(0);

test('buyers who ask while Tapi signs us in stand in nobody’s path, and all get their numbers', async () => {
  // More than the server has places.
  const all = await Promise.all(Array.from({ length: 5 }, () => buy(shop)));
  await shop.control('POST /control/faults', { call: 'signIn', kind: 'hold' });
  const asked = Promise.all(all.map((bought) => storeNumber(shop, bought)));
  const requested = async () => (await Promise.all(all.map(rows))).flat().length;
  await expect.poll(requested, PATIENCE).toBe(all.length);
  await shop.control('POST /control/release');
  expect((await asked).map(({ status }) => status)).toEqual(all.map(() => 200));
  expect((await shop.control('GET /control/cash')).signIns).toBe(1);
});

describe('the number that stores take cash for', () => {
  test('is asked of Tapi once, for the balance, and shown again while it is good', async () => {
    const bought = await buy(shop);
    const first = await storeNumber(shop, bought);
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({
      amount: 1_200,
      fee: 0,
      ventaId: bought.id,
      cxcId: bought.instalmentIds[1],
      identificador: 2,
      numCxc: 3,
      barcode: valueOf(first),
    });
    await fault('unreachable');
    expect((await storeNumber(shop, bought)).body).toEqual(first.body);
    await shop.control('DELETE /control/faults');
    const [reference, ...others] = await made(bought);
    expect(others).toEqual([]);
    // The day of its last moment in Mexico City; in UTC that is the next one.
    const expiresOn = mexicoCityDate(new Date(first.body.data.expiresAt));
    expect(reference).toMatchObject({ id: valueOf(first), amountCentavos: 120_000, expiresOn });
    const lifeMs = new Date(first.body.data.expiresAt).getTime() - Date.now();
    expect(lifeMs).toBeGreaterThan(2 * 86_400_000 - 60_000);
    expect(lifeMs).toBeLessThan(3 * 86_400_000);
  });

  test('carries the fee of cash where the merchant charges one', async () => {
    const other = await openShop({ merchant: { feeMethods: ['cash'] } });
    try {
      const { body } = await storeNumber(other, await buy(other));
      expect(body.data).toMatchObject({ amount: 1_215, fee: 15 });
    } finally {
      await other.close();
    }
  });

  test('is of the sum that the buyer chose, and stays it until another is asked for', async () => {
    const bought = await buy(shop);
    const plain = valueOf(await storeNumber(shop, bought));
    const chosen = await storeNumber(shop, bought, 2, 1_340.2);
    expect(chosen.body.data).toMatchObject({ amount: 1_340.2, chosen: true });
    expect(valueOf(chosen)).not.toBe(plain);
    expect((await storeNumber(shop, bought)).body).toEqual(chosen.body);
    await pay(bought, 500);
    expect((await storeNumber(shop, bought)).body).toEqual(chosen.body);
    await pay(bought, 600);
    // More than is left of the plan, it stands no more.
    const rest = await storeNumber(shop, bought);
    expect(rest.body.data).toMatchObject({ amount: 100, chosen: false });
    expect((await storeNumber(shop, bought, 2, 100)).body).toEqual(rest.body);
    expect((await rows(bought)).map(({ state }) => state)).toEqual(['closed', 'closed', 'issued']);
  });

  test('of a sum that the plan does not take is refused, and both bounds are told', async () => {
    const bought = await buy(shop);
    for (const sum of [49.99, 2_400.01]) {
      const { status, body } = await storeNumber(shop, bought, 2, sum);
      expect([status, body.code, body.facts]).toEqual([409, 'AMOUNT_CHANGED', { amount: 1_200, all: 2_400 }]);
    }
    expect(await rows(bought)).toEqual([]);
  });

  test('is another one when the balance is another', async () => {
    const bought = await buy(shop);
    const first = valueOf(await storeNumber(shop, bought));
    await pay(bought, 500);
    const second = await storeNumber(shop, bought);
    expect(second.body.data.amount).toBe(700);
    expect(valueOf(second)).not.toBe(first);
    expect(await rows(bought)).toMatchObject([
      { state: 'closed', value: first, amount: 120_000 },
      { state: 'issued', value: valueOf(second), amount: 70_000 },
    ]);
  });

  test('is good until the last day before its late plan may end, and is not given on that day', async () => {
    for (const [days, lives] of [
      [5, 2],
      [2, 1],
      [1, 0],
    ] as const) {
      const bought = await buy(shop);
      const undo = await letEndIn(shop, bought.id, days);
      const { body } = await storeNumber(shop, bought);
      expect(body.data.expiresAt).toBe(referenceExpiry(new Date(), lives).toISOString());
      expect((await made(bought))[0].expiresOn).toBe(addDays(mexicoCityDate(new Date()), lives));
      await undo();
    }
    const bought = await buy(shop);
    const undo = await letEndIn(shop, bought.id, 0);
    const { status, body } = await storeNumber(shop, bought);
    expect([status, body.code]).toEqual([409, 'TOO_LATE_FOR_STORES']);
    expect(await made(bought)).toEqual([]);
    await undo();
  });

  test('is another one when it expired', async () => {
    const bought = await buy(shop);
    const first = valueOf(await storeNumber(shop, bought));
    await sql`update cash_references set valid = tstzrange(now() - interval '3 days', now() - interval '1 minute'),
      created_at = now() - interval '3 days' where purchase_id = ${bought.id}`.execute(shop.db);
    expect(valueOf(await storeNumber(shop, bought))).not.toBe(first);
    expect(valueOf(await storeNumber(shop, bought))).not.toBe(first);
    expect(await made(bought)).toHaveLength(2);
  });

  test('is closed when a till is paid that instalment: stores take nothing for it', async () => {
    const bought = await buy(shop);
    await storeNumber(shop, bought);
    await pay(bought, 1_199);
    expect(await rows(bought)).toMatchObject([{ state: 'issued' }]);
    await pay(bought, 1);
    expect(await rows(bought)).toMatchObject([{ state: 'closed' }]);
  });

  test('is each instalment’s own', async () => {
    const bought = await buy(shop);
    const [second, third] = [await storeNumber(shop, bought, 2), await storeNumber(shop, bought, 3)];
    expect(valueOf(second)).not.toBe(valueOf(third));
    expect(valueOf(await storeNumber(shop, bought, 2))).toBe(valueOf(second));
  });
});

describe('two tabs', () => {
  test('that ask at once get the same one', async () => {
    const bought = await buy(shop);
    const answers = await Promise.all(Array.from({ length: 6 }, () => storeNumber(shop, bought)));
    expect(answers.map(({ status, body }) => [status, body.code ?? null])).toEqual(
      answers.map(() => [200, null]),
    );
    expect(new Set(answers.map(valueOf)).size).toBe(1);
    expect(await made(bought)).toHaveLength(1);
    expect(await rows(bought)).toHaveLength(1);
  });

  test('of which one began before the other had its number asked for, and comes to its purchase after it, get the same one', async () => {
    const bought = await buy(shop);
    const payableId = bought.instalmentIds[1]!;
    const wanted = { payableId, amountCentavos: centavos(120_000), isChosen: false };
    await transaction(shop.db, async (early) => {
      await sql`select app_now()`.execute(early);
      await fault('hold');
      const other = storeNumber(shop, bought);
      await expect.poll(() => made(bought), PATIENCE).toHaveLength(1);
      const asked = await findRequested(early, wanted);
      await shop.control('POST /control/release');
      const number = valueOf(await other);
      expect(asked?.id).toBeDefined();
      expect(await findValid(early, payableId)).toMatchObject({ id: asked?.id, providerReference: number });
    });
  });

  test('of which one reads since before the other had a number given shows that number, a helper’s too', async () => {
    const bought = await buy(shop);
    const { helpCode } = await makeLink(shop, bought.id, {}, bought.buyer.token);
    await transaction(shop.db, async (early) => {
      await sql`select app_now()`.execute(early);
      expect((await storeNumber(shop, bought)).status).toBe(200);
      const intentId = randomUUID();
      expect((await helpAtStore(shop, helpCode, { amount: 500, intentId })).status).toBe(200);
      const shown = await findPurchase(early, bought.buyer.id, bought.id);
      const until = shown?.instalments.map(({ cashUntil }) => cashUntil !== null);
      expect(until).toEqual([false, true, false]);
      expect(await findStoreHelp(early, intentId)).toMatchObject({ stands: true });
    });
  });

  test('the number of a balance that changed while Tapi was asked is not the one that is shown', async () => {
    const bought = await buy(shop);
    await fault('hold');
    const slow = storeNumber(shop, bought);
    await expect.poll(() => made(bought), PATIENCE).toHaveLength(1);
    await pay(bought, 500);
    await shop.control('POST /control/release');
    const shown = await slow;
    expect(shown.body.data.amount).toBe(700);
    expect(valueOf(await storeNumber(shop, bought))).toBe(valueOf(shown));
    const [stale, good] = await rows(bought);
    expect(stale).toMatchObject({ state: 'closed', amount: 120_000, value: expect.any(String) });
    expect(good).toMatchObject({ state: 'issued', amount: 70_000, value: valueOf(shown) });
  });

  test('whose balance changes each time that Tapi answers are told to wait', async () => {
    const bought = await buy(shop);
    await fault('hold', { times: 3 });
    const slow = storeNumber(shop, bought);
    for (let round = 1; round <= 3; round += 1) {
      await expect.poll(() => made(bought), PATIENCE).toHaveLength(round);
      await pay(bought, 100);
      await shop.control('POST /control/release');
    }
    const { status, body, headers } = await slow;
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'PROVIDER_DOWN', '5']);
    expect(await made(bought)).toHaveLength(3);
  });

  test('an answer that comes after a newer one does not take its place', async () => {
    const bought = await buy(shop);
    await fault('hold');
    const slow = storeNumber(shop, bought);
    await expect.poll(() => made(bought), PATIENCE).toHaveLength(1);
    await pay(bought, 500);
    const fast = await storeNumber(shop, bought);
    await shop.control('POST /control/release');
    expect(valueOf(await slow)).toBe(valueOf(fast));
    expect(fast.body.data.amount).toBe(700);
  });

  test('nor does a number stay whose sum has grown since: two tills gave money back', async () => {
    const bought = await buy(shop);
    const ticket = () => ({ referencia: bought.numbers[2]!, importe: 100, idtransaccion: randomUUID() });
    const [first, second] = [ticket(), ticket()];
    expect((await till.pay(first)).body.error).toBe(0);
    await fault('hold');
    const slow = storeNumber(shop, bought);
    await expect.poll(() => made(bought), PATIENCE).toHaveLength(1);
    expect((await till.pay(second)).body.error).toBe(0);
    expect((await storeNumber(shop, bought)).body.data.amount).toBe(1_000);
    for (const taken of [second, first]) expect((await till.reverse(taken)).body.error).toBe(0);
    await shop.control('POST /control/release');
    expect((await slow).body.data.amount).toBe(1_200);
  });

  test('an instalment that is paid while Tapi is asked has nothing to pay any more', async () => {
    const bought = await buy(shop);
    await fault('hold');
    const slow = storeNumber(shop, bought);
    await expect.poll(() => made(bought), PATIENCE).toHaveLength(1);
    await pay(bought, 1_200);
    await shop.control('POST /control/release');
    const { status, body } = await slow;
    expect([status, body.code]).toEqual([409, 'REFERENCE_PAID']);
    // A store may still take money for it: its number is known.
    expect(await rows(bought)).toMatchObject([{ state: 'closed', value: expect.any(String) }]);
  });

  test('of a purchase that is cancelled meanwhile, none is shown', async () => {
    const bought = await buy(shop);
    await fault('hold');
    const slow = storeNumber(shop, bought);
    await expect.poll(() => made(bought), PATIENCE).toHaveLength(1);
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${bought.id}`, {
      token: bought.buyer.token,
      body: {},
    });
    await shop.control('POST /control/release');
    const { status, body } = await slow;
    expect([status, body.code]).toEqual([409, 'REFERENCE_CANCELLED']);
  });
});

describe('a network in trouble', () => {
  test.each(['unreachable', 'lost', 'malformed'])(
    'whose answer is %s is asked again for the same one',
    async (kind) => {
      const bought = await buy(shop);
      await fault(kind);
      const { status, body, headers } = await storeNumber(shop, bought);
      expect([status, body.code]).toEqual([503, 'PROVIDER_DOWN']);
      expect(headers['retry-after']).toBe('60');
      expect((await storeNumber(shop, bought)).status).toBe(200);
      expect(await made(bought)).toHaveLength(1);
      expect(await rows(bought)).toMatchObject([{ state: 'issued' }]);
    },
  );

  test('that refuses says so, and may be asked again', async () => {
    const bought = await buy(shop);
    await pay(bought, 1_180);
    const refused = await storeNumber(shop, bought); // 20.00 is less than stores take
    expect([refused.status, refused.body.code]).toEqual([409, 'CASH_REFERENCE_REFUSED']);
    expect(await rows(bought)).toMatchObject([{ state: 'failed', value: null }]);
    expect((await storeNumber(shop, bought, 3)).status).toBe(200);
  });

  test('that gives out another instalment’s number is not believed: that cash would go astray', async () => {
    const [one, other] = [await buy(shop), await buy(shop)];
    const value = valueOf(await storeNumber(shop, one));
    await fault('status', { status: 200, body: { references: [{ value }] } });
    const { status, body } = await storeNumber(shop, other);
    expect([status, body.code]).toEqual([409, 'CASH_REFERENCE_REFUSED']);
    expect(await rows(other)).toMatchObject([{ state: 'failed', value: null }]);
    expect((await storeNumber(shop, other)).status).toBe(200);
  });

  test('is not asked more than thirty times an hour by one buyer', async () => {
    const bought = await buy(shop);
    await sql`insert into cash_references (instalment_id, purchase_id, merchant_id, amount_centavos, state, valid)
      select ${bought.instalmentIds[1]}, ${bought.id}, ${shop.merchantId}, ${centavos(100)}, 'failed',
        tstzrange(now(), now() + interval '2 days') from generate_series(1, 30)`.execute(shop.db);
    const { status, body, headers } = await storeNumber(shop, bought);
    expect([status, body.code, headers['retry-after']]).toEqual([429, 'TOO_MANY', '3600']);
    expect(await made(bought)).toEqual([]);
  });
});

describe('who gets no number', () => {
  test('another buyer’s number and an unknown one get the same 404', async () => {
    const bought = await buy(shop);
    const stranger = await makeBuyer(shop.db);
    const reference = await shop.reference({ token: bought.buyer.token });
    const answers = [await storeNumber(shop, { ...bought, buyer: stranger })];
    for (const identifierValue of [
      `3${bought.numbers[2]!.slice(1)}`,
      '21000000009',
      reference.paymentReference,
    ]) {
      answers.push(
        await shop.ask('POST /v1/Tapi/GenerateReference', {
          token: stranger.token,
          body: { generationData: [{ identifierValue }] },
        }),
      );
    }
    for (const { status, body } of answers) expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await rows(bought)).toEqual([]);
  });

  test('a paid instalment, and a cancelled purchase', async () => {
    const bought = await buy(shop);
    const paid = await storeNumber(shop, bought, 1);
    expect([paid.status, paid.body.code, paid.body.facts.ventaId]).toEqual([
      409,
      'REFERENCE_PAID',
      bought.id,
    ]);
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${bought.id}`, {
      token: bought.buyer.token,
      body: {},
    });
    const cancelled = await storeNumber(shop, bought);
    expect([cancelled.status, cancelled.body.code]).toEqual([409, 'REFERENCE_CANCELLED']);
  });

  test('what the browser says of amount, company and ids is not read', async () => {
    const bought = await buy(shop);
    const { body } = await shop.ask('POST /v1/Tapi/GenerateReference', {
      token: bought.buyer.token,
      body: {
        generationData: [{ identifierValue: bought.numbers[2], modalityId: 'x', identifierName: 'y' }],
        amount: 1,
        externalRequestId: 'z',
        externalClientId: '1',
        companyCode: 'MX-S-99999',
        amountType: 'FIXED',
        currency: 'USD',
      },
    });
    expect(body.data.amount).toBe(1_200);
    const [{ request }] = await made(bought);
    expect(request).toMatchObject({
      amount: 1_200,
      companyCode: 'MX-S-00001',
      amountType: 'OPEN',
      currency: 'MXN',
    });
    expect(request.externalClientId).toBe(String(bought.buyer.id));
  });
});
