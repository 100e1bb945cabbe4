import { randomUUID } from 'node:crypto';
import { addDays, type DateOnly, mexicoCityDate } from '@aparta/domain/calendar';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { answer3ds } from '../../../test/card-acts.ts';
import { dice } from '../../../test/dice.ts';
import { addFiscalClient, emitInvoice } from '../../../test/invoice-acts.ts';
import { makeBuyer, makeMerchant, makeProduct, makeStaff, type MadeBuyer } from '../../../test/make.ts';
import { textOfPdf } from '../../../test/pdf-text.ts';
import { makePurchase, payPurchase } from '../../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { mustBalance, openTill, type Till } from '../../../test/store-acts.ts';
import { readStory } from '../../back-office/operations/payment-history.read-model.ts';
import { matchesByPurchase } from '../../back-office/operations/payment-search.read-model.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { reversePayment } from '../plans/reverse-payment.ts';

/** Its shop: six instalments of $400 after $600, every ten days; two changes of ten days at most. */
let shop: Shop;
let till: Till;
let past: Db;
const today = mexicoCityDate(new Date());
const day = (days: number): DateOnly => addDays(today, days);

beforeAll(async () => {
  shop = await openShop({ merchant: { frequencyDays: 10, movesAllowed: 2, moveDays: 10, invoices: true } });
  till = await openTill(shop);
  // What is reserved there is late by now.
  past = openDb({ url: shop.ownerUrl, role: 'none', max: 2, clockOffset: '-41 days' });
});
afterAll(async () => {
  await past.destroy();
  await shop.close();
});

interface Bought {
  readonly id: number;
  readonly buyer: MadeBuyer;
  readonly instalmentIds: readonly number[];
}
async function bought(given: { merchantId?: number; db?: Db; buyer?: MadeBuyer } = {}): Promise<Bought> {
  const merchantId = given.merchantId ?? shop.merchantId;
  const productId =
    merchantId === shop.merchantId ? shop.productId : await makeProduct(shop.db, { merchantId });
  const buyer = given.buyer ?? (await makeBuyer(shop.db));
  const made = await makePurchase(given.db ?? shop.db, { buyerId: buyer.id, merchantId, productId });
  return { ...made, buyer };
}

const MOVE = { changeNumber: 1, number: 2, amount: 400 };
const move = ({ id, buyer }: Bought, body: object) =>
  shop.ask(`PUT /v1/Sales/MoveInstalmentAsync/${id}`, {
    token: buyer.token,
    body: { ...MOVE, fromDay: day(10), ...body },
  });
const split = ({ id, buyer }: Bought, body: object) =>
  shop.ask(`PUT /v1/Sales/SplitInstalmentAsync/${id}`, {
    token: buyer.token,
    body: { ...MOVE, fromDay: day(10), firstPart: 150, ...body },
  });
/** Number, day and sum of each instalment, and what is paid of it. */
async function planOf({ id, buyer }: Bought): Promise<unknown[]> {
  const { body } = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${id}`, { token: buyer.token });
  return body.data.map((each: any) => [each.identificador, each.fechaVencimiento, each.valor, each.pagos]);
}
const saleOf = async ({ id, buyer }: Bought) =>
  (await shop.ask(`GET /v1/Sales/GetAsync/${id}`, { token: buyer.token })).body.data;
const emailsOf = ({ buyer }: Bought) =>
  shop.db
    .selectFrom('outbox')
    .select('facts')
    .where('buyer_id', '=', buyer.id)
    .where('topic', '=', 'plan_changed')
    .orderBy('id')
    .execute();

const PLAN = [
  [1, day(0), 600, 600],
  [2, day(10), 400, 0],
  [3, day(20), 400, 0],
  [4, day(30), 400, 0],
  [5, day(40), 400, 0],
  [6, day(50), 400, 0],
  [7, day(60), 400, 0],
];

test('a buyer moves a date within the rule once, however often they press, and reads what was', async () => {
  const purchase = await bought();
  expect((await saleOf(purchase)).moving).toMatchObject({
    movesAllowed: 2,
    movesLeft: 2,
    moveDays: 10,
    planChanges: [],
    movable: [2, 3, 4, 5, 6].map((number) => ({
      number,
      earliest: day(number * 10 - 9),
      latest: day(number * 10 - 1),
      firstParts: { least: 50, most: 350 },
    })),
  });
  const first = await move(purchase, { toDay: day(14) });
  expect(first.status).toBe(200);
  expect(first.body.data).toMatchObject({
    movesLeft: 1,
    planChanges: [
      {
        changeNumber: 1,
        changeKind: 'moved',
        number: 2,
        fromDay: day(10),
        toDay: day(14),
        amount: 400,
        firstPart: null,
      },
    ],
  });
  expect((await move(purchase, { toDay: day(14) })).body.data).toEqual(first.body.data);
  expect(await planOf(purchase)).toEqual(PLAN.map((each) => (each[0] === 2 ? [2, day(14), 400, 0] : each)));
  expect(await emailsOf(purchase)).toMatchObject([
    { facts: { number: 2, dueOn: day(10), toDay: day(14), amountCentavos: 40_000 } },
  ]);
  // Another change in the place of the first; and one whose day is not what was shown.
  for (const body of [
    { toDay: day(15) },
    { toDay: day(15), changeNumber: 3, fromDay: day(14) },
    { toDay: day(15), changeNumber: 2 },
    { toDay: day(15), changeNumber: 2, fromDay: day(14), amount: 399 },
  ])
    for (const change of [move, split])
      expect(await change(purchase, body)).toMatchObject({ status: 409, body: { code: 'PLAN_CHANGED' } });
  expect((await move(purchase, { toDay: day(19), changeNumber: 2, fromDay: day(14) })).status).toBe(200);
  expect(
    await move(purchase, { toDay: day(25), changeNumber: 3, number: 3, fromDay: day(20) }),
  ).toMatchObject({
    status: 409,
    body: { code: 'NOT_MOVABLE', facts: { problem: 'no_changes_left' } },
  });
  expect((await saleOf(purchase)).moving).toMatchObject({ movesLeft: 0, movable: [] });
  await mustBalance(shop);
});

describe('a date is not changed', () => {
  const refused = async (answer: ReturnType<typeof move>, code: string, problem?: string) =>
    expect(await answer).toMatchObject({
      status: code === 'NOT_FOUND' ? 404 : 409,
      body: { code, ...(problem !== undefined && { facts: { problem } }) },
    });

  test('of another buyer’s purchase', async () => {
    const purchase = await bought();
    const other = { ...purchase, buyer: await makeBuyer(shop.db) };
    await refused(move(other, { toDay: day(14) }), 'NOT_FOUND');
    await refused(split(other, { toDay: day(14) }), 'NOT_FOUND');
    expect(await planOf(purchase)).toEqual(PLAN);
  });

  test('against the rule', async () => {
    const purchase = await bought();
    const { buyer } = purchase;
    for (const [body, problem] of [
      [{ toDay: day(10) }, 'not_later'],
      [{ toDay: day(20) }, 'not_before_next'],
      [{ toDay: day(21) }, 'too_late'],
      [{ number: 1, fromDay: day(0), amount: 600, toDay: day(5) }, 'deposit'],
      [{ number: 7, fromDay: day(60), toDay: day(65) }, 'last'],
      [{ number: 8, toDay: day(14) }, 'unknown'],
    ] as const) {
      await refused(move(purchase, body), 'NOT_MOVABLE', problem);
      await refused(split(purchase, body), 'NOT_MOVABLE', problem);
    }
    await refused(split(purchase, { toDay: day(14), firstPart: 49.99 }), 'NOT_MOVABLE', 'part_too_small');
    await refused(split(purchase, { toDay: day(14), firstPart: 350.01 }), 'NOT_MOVABLE', 'part_too_small');
    await payPurchase(shop.db, purchase.id, 100);
    await refused(move(purchase, { toDay: day(14) }), 'NOT_MOVABLE', 'paid');
    const elsewhere = await bought({ merchantId: await makeMerchant(shop.db, { frequencyDays: 10 }), buyer });
    expect((await saleOf(elsewhere)).moving).toBeNull();
    await refused(move(elsewhere, { toDay: day(14) }), 'NOT_MOVABLE', 'not_offered');
  });

  test('to a day that is over, nor once the next one is due', async () => {
    const late = await bought({ db: past });
    const dates = (await planOf(late)).map((each: any) => each[1] as DateOnly);
    expect(dates[5]).toBe(day(9));
    // Late for 31, 21, 11 and one day: only the last of them has a day that is free.
    await refused(
      move(late, { number: 4, fromDay: dates[3], toDay: addDays(dates[3]!, 1) }),
      'NOT_MOVABLE',
      'no_free_day',
    );
    await refused(move(late, { number: 5, fromDay: dates[4], toDay: dates[4] }), 'NOT_MOVABLE', 'not_later');
    expect((await move(late, { number: 5, fromDay: dates[4], toDay: today })).status).toBe(200);
    expect((await saleOf(late)).moving.movable.map(({ number }: any) => number)).toEqual([5, 6]);
  });

  test('once the purchase is cancelled or settled', async () => {
    const cancelled = await bought();
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${cancelled.id}`, {
      token: cancelled.buyer.token,
      body: {},
    });
    await refused(move(cancelled, { toDay: day(14) }), 'PURCHASE_CANCELLED');
    await refused(split(cancelled, { toDay: day(14) }), 'PURCHASE_CANCELLED');
    const settled = await bought();
    await payPurchase(shop.db, settled.id, 240_000);
    await refused(move(settled, { toDay: day(14) }), 'PURCHASE_SETTLED');
    await refused(split(settled, { toDay: day(14) }), 'PURCHASE_SETTLED');
    expect((await saleOf(settled)).moving.movable).toEqual([]);
  });

  test('while a card payment is under way that was shown what it fills', async () => {
    const purchase = await bought();
    const intentId = randomUUID();
    const { body } = await shop.ask(`GET /v1/Cxc/ByIdWithBalance/${purchase.instalmentIds[1]}`, {
      token: purchase.buyer.token,
    });
    await shop.pay(body.data, CARDS.threeDs, { token: purchase.buyer.token, intentId });
    await refused(move(purchase, { toDay: day(14) }), 'ATTEMPT_OPEN');
    await refused(split(purchase, { toDay: day(14) }), 'ATTEMPT_OPEN');
    await answer3ds(shop, intentId, 'reject');
    await shop.ask(`GET /v1/Clib/GetAttemptAsync/${intentId}`, { token: purchase.buyer.token });
    expect((await move(purchase, { toDay: day(14) })).status).toBe(200);
  });

  test('while one of several purchases is under way, this one among them', async () => {
    const other = await bought({ db: past });
    const { buyer } = other;
    const purchase = await bought({ db: past, buyer });
    const { data } = (await shop.ask(`GET /v1/Cxc/GetLateWithAsync/${other.id}`, { token: buyer.token }))
      .body;
    const parts: { monto: number }[] = data.flatMap(({ abonos }: any) => abonos);
    const intentId = randomUUID();
    const begun = await shop.ask('POST /v1/Clib/CreatePaymentsAsync', {
      token: buyer.token,
      body: {
        amount: parts.reduce((all, { monto }) => all + monto, data[0].cardFee),
        currency: 'MXN',
        payment_method: { token: await shop.cardToken(CARDS.threeDs) },
        apartaBusinnessId: shop.merchantId,
        intentoId: intentId,
        compras: data.map(({ referencia, abonos }: any) => ({ referencia, abonos })),
      },
    });
    expect(begun.status).toBe(200);
    const asked = { number: 6, fromDay: day(9), toDay: day(12) };
    await refused(move(purchase, asked), 'ATTEMPT_OPEN');
    await refused(split(purchase, asked), 'ATTEMPT_OPEN');
    await answer3ds(shop, intentId, 'reject');
    await shop.ask(`GET /v1/Clib/GetAttemptAsync/${intentId}`, { token: buyer.token });
    expect((await move(purchase, asked)).status).toBe(200);
  });
});

test('two changes at once are one, and the other screen is told', async () => {
  const purchase = await bought();
  const both = await Promise.all([
    move(purchase, { toDay: day(14) }),
    split(purchase, { toDay: day(15) }),
    move(purchase, { toDay: day(16) }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect(both.flatMap(({ status, body }) => (status === 409 ? [body.code] : []))).toEqual([
    'PLAN_CHANGED',
    'PLAN_CHANGED',
  ]);
  expect((await saleOf(purchase)).moving.planChanges).toHaveLength(1);
  const pressedTwice = await Promise.all([
    move(purchase, { number: 5, fromDay: day(40), toDay: day(44), changeNumber: 2 }),
    move(purchase, { number: 5, fromDay: day(40), toDay: day(44), changeNumber: 2 }),
  ]);
  const statuses = pressedTwice.map(({ status }) => status);
  expect(statuses[0]).toBe(statuses[1]);
  expect(await emailsOf(purchase)).toHaveLength(statuses[0] === 200 ? 2 : 1);
  await mustBalance(shop);
});

test('a till that pays the instalment at the same moment is never undone', async () => {
  const came = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    const purchase = await bought();
    const [changed, paid] = await Promise.all([
      round % 2 ? move(purchase, { toDay: day(14) }) : split(purchase, { toDay: day(14) }),
      till.pay({ referencia: `7${purchase.instalmentIds[6]}`, importe: 400 }),
    ]);
    expect(paid.body).toMatchObject({ error: 0 });
    const plan = await planOf(purchase);
    if (changed.status === 200) {
      came.add('changed first');
      expect(plan.slice(1, 3)).toEqual(
        round % 2
          ? [
              [2, day(14), 400, 400],
              [3, day(20), 400, 0],
            ]
          : [
              [2, day(10), 150, 150],
              [3, day(14), 250, 250],
            ],
      );
    } else {
      came.add('paid first');
      expect(changed.body).toMatchObject({ code: 'NOT_MOVABLE', facts: { problem: 'paid' } });
      expect(plan.slice(1, 2)).toEqual([[2, day(10), 400, 400]]);
    }
  }
  expect(came.size).toBeGreaterThan(0);
  await mustBalance(shop);
});

test('a split instalment is paid, with all the others, by the number that was printed before, and each is invoiced', async () => {
  const purchase = await bought();
  const { buyer, id } = purchase;
  const printed = `7${purchase.instalmentIds[6]}`;
  const done = await split(purchase, { toDay: day(14) });
  expect(done.body.data).toMatchObject({
    movesLeft: 1,
    planChanges: [{ changeKind: 'split', number: 2, fromDay: day(10), toDay: day(14), firstPart: 150 }],
  });
  expect((await split(purchase, { toDay: day(14) })).body.data).toEqual(done.body.data);
  expect(await planOf(purchase)).toEqual([
    PLAN[0],
    [2, day(10), 150, 0],
    [3, day(14), 250, 0],
    [4, day(20), 400, 0],
    [5, day(30), 400, 0],
    [6, day(40), 400, 0],
    [7, day(50), 400, 0],
    [8, day(60), 400, 0],
  ]);
  expect((await saleOf(purchase)).limitDatePay).toBe(day(60));
  // The number of the eighth is new, the seven before it keep theirs.
  const { body } = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${id}`, { token: buyer.token });
  expect(body.data.slice(0, 7).map((each: any) => each.id)).toEqual(purchase.instalmentIds);
  expect(body.data[7].paymentReference).toBe(`8${body.data[7].id}`);
  expect((await till.pay({ referencia: printed, importe: 2_400 })).body).toMatchObject({ error: 0 });
  expect((await planOf(purchase)).every((each: any) => each[2] === each[3])).toBe(true);
  const clientSatId = await addFiscalClient(shop, buyer);
  for (const cxcId of [purchase.instalmentIds[1]!, body.data[7].id])
    expect((await emitInvoice(shop, buyer, { cxcId, clientSatId })).status).toBe(200);
  await mustBalance(shop);
});

test('an instalment that was paid back after its invoice stays as it was invoiced', async () => {
  const purchase = await bought();
  const sourceId = randomUUID();
  await payPurchase(shop.db, purchase.id, 40_000, { sourceId });
  const clientSatId = await addFiscalClient(shop, purchase.buyer);
  const cxcId = purchase.instalmentIds[1]!;
  expect((await emitInvoice(shop, purchase.buyer, { cxcId, clientSatId })).status).toBe(200);
  await transaction(shop.db, async (tx) => {
    await sql`select from purchases where id = ${purchase.id} for no key update`.execute(tx);
    expect(await reversePayment(tx, { channel: 'till', sourceId }, purchase.id)).toBe(true);
    await sql`update till_operations set state = 'reversed', reversed_at = app_now() where id = ${sourceId}`.execute(
      tx,
    );
  });
  expect(await move(purchase, { toDay: day(14) })).toMatchObject({
    body: { code: 'NOT_MOVABLE', facts: { problem: 'invoiced' } },
  });
  await mustBalance(shop);
});

test('the shop and the evidence of the purchase tell what its buyer changed', async () => {
  const purchase = await bought();
  await move(purchase, { toDay: day(14) });
  await split(purchase, { toDay: day(24), changeNumber: 2, number: 3, fromDay: day(20) });
  const { token } = await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' });
  const story = (await shop.ask(`GET /v1/counter/purchases/${purchase.id}`, { token })).body.data;
  expect(story.planChanges).toMatchObject([
    { changeKind: 'moved', number: 2, fromDay: day(10), toDay: day(14) },
    { changeKind: 'split', number: 3, fromDay: day(20), toDay: day(24), firstPart: 150 },
  ]);
  expect(story.emails.filter(({ topic }: any) => topic === 'plan_changed')).toHaveLength(2);
  const [match] = await matchesByPurchase(shop.db, purchase.id);
  expect((await readStory(shop.db, match!)).filter(({ kind }) => kind === 'plan_changed')).toMatchObject([
    { facts: { kind: 'moved', number: 2, from: day(10), to: day(14), amount: 40_000, first: null } },
    { facts: { kind: 'split', number: 3, from: day(20), to: day(24), amount: 40_000, first: 15_000 } },
  ]);
  const { contentByteArray } = (
    await shop.ask(`POST /v1/counter/purchases/${purchase.id}/evidence`, { token })
  ).body.data;
  const text = textOfPdf(Buffer.from(contentByteArray, 'base64'));
  expect(text).toContain('Cambios del plan que hizo el comprador');
  expect(text.replaceAll(/\s+/g, ' ')).toContain('$150.00 ese día y $250.00 el');
});

test('random buyers change and pay their plans: the sums stand, days rise, and what is paid stays', async () => {
  const roll = dice(15);
  let changed = 0;
  for (let run = 0; run < 6; run += 1) {
    const purchase = await bought({ db: roll(3) === 0 ? past : shop.db });
    for (let step = 0; step < 8; step += 1) {
      const before: any[] = await planOf(purchase);
      const { moving } = await saleOf(purchase);
      const number = 1 + roll(before.length);
      const [, fromDay, amount] = before[number - 1];
      const body = {
        changeNumber: moving.planChanges.length + 1,
        number,
        fromDay,
        amount,
        toDay: addDays(fromDay, 1 + roll(11)),
      };
      const act = roll(3);
      if (act === 0) await till.pay({ referencia: `2${purchase.instalmentIds[1]}`, importe: 50 + roll(300) });
      else {
        const { status, body: answer } = await (act === 1
          ? move(purchase, body)
          : split(purchase, { ...body, firstPart: 40 + roll(300) }));
        if (status === 200) changed += 1;
        else expect(answer.code).toBe('NOT_MOVABLE');
        // What is offered is what is taken.
        const offered = moving.movable.find((each: any) => each.number === number);
        const isOffered = offered && body.toDay >= offered.earliest && body.toDay <= offered.latest;
        if (act === 1) expect(status === 200).toBe(Boolean(isOffered));
      }
      const after: any[] = await planOf(purchase);
      expect(after.reduce((all, each) => all + each[2] * 100, 0)).toBe(300_000);
      expect(after.map((each) => each[1])).toEqual(after.map((each) => each[1]).toSorted());
      expect(new Set(after.map((each) => each[1])).size).toBe(after.length);
      expect(after.at(-1)?.[1]).toBe(before.at(-1)[1]);
      for (const each of before)
        if (each[3] > 0) expect(after[each[0] - 1].slice(0, 3)).toEqual(each.slice(0, 3));
    }
  }
  expect(changed).toBeGreaterThan(4);
  const { rows } = await sql<{ many: number }>`
    select max(changes)::int as many from (select count(*) as changes from plan_changes group by purchase_id) each`.execute(
    shop.db,
  );
  expect(rows[0]?.many).toBeLessThanOrEqual(2);
  await mustBalance(shop);
});
