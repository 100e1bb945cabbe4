import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { answer3ds, HOUR, MINUTE, runRefunds } from '../../../test/card-acts.ts';
import { mailsTo } from '../../../test/mailbox.ts';
import { payPurchase } from '../../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { decideHeld } from './decide-held.ts';

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

  test.each([
    [
      'one peso more than agreed',
      CARDS.oneMore,
      'Tu banco cobró $1,216.00 MXN en lugar de los $1,215.00 MXN acordados, por eso no lo aplicamos.',
    ],
    ['an odd answer', CARDS.oddDetail, 'Tu banco aprobó este pago, pero no se pudo aplicar.'],
  ])(
    'held for %s and returned, its buyer reads the true reason, and that it is still to be paid',
    async (_what, card, why) => {
      const intentId = randomUUID();
      await shop.pay(await instalment(2), card, { intentId });
      const { id } = await shop.attempt(intentId);
      await transaction(shop.db, (tx) => decideHeld(tx, id, 'return'));
      const [review, returned] = (await mailsTo(shop, shop.buyer.email)).slice(-2);
      expect(returned.text).toContain(why);
      expect(returned.text).toContain('Tu pago sigue pendiente: puedes hacerlo otra vez.');
      for (const { text } of [review, returned]) expect(text).toContain(`/saleCxcList/${purchaseId}`);
      const { attempt } = await instalment(2);
      expect(attempt).toMatchObject({ state: 'returned', returnReason: null });
      expect(attempt.refund.otherSum).toBe(card === CARDS.oneMore ? true : undefined);
    },
  );

  test('held for another sum and paid at the till meanwhile, its buyer is not told to pay again', async () => {
    const intentId = randomUUID();
    const due = await instalment(2);
    await shop.pay(due, CARDS.oneMore, { intentId });
    await payPurchase(shop.db, purchaseId, 120_000);
    await shop.age(intentId, 72 * HOUR);
    await shop.poll(intentId);
    const { text } = (await mailsTo(shop, shop.buyer.email)).at(-1);
    expect(text).toContain('Tu banco cobró $1,216.00 MXN');
    expect(text).not.toContain('sigue pendiente');
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
    const [late] = (await mailsTo(shop, shop.buyer.email)).filter(({ subject }) =>
      subject.startsWith('Te devolvemos'),
    );
    expect(late.text).toContain('cuando ya no se podía aplicar a tu apartado');
    expect(late.text).not.toContain('sigue pendiente');
    // Once it is back, as the deposit's, the email leads to the purchase.
    await runRefunds(shop);
    const done = await shop.db
      .selectFrom('outbox')
      .select('facts')
      .where('topic', '=', 'refund_done')
      .execute();
    expect(done).toMatchObject([{ facts: { purchaseId } }, { facts: { purchaseId } }]);
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

  test('a sum of the buyer’s own fills what they were shown, with one fee', async () => {
    const due = await instalment(2);
    const fills = [
      { number: 2, pesos: 1200 },
      { number: 3, pesos: 140.2 },
    ];
    const { body } = await shop.pay(due, CARDS.approved, { amount: 1355.2, fills });
    expect(body.data).toMatchObject({ applied: true, amount: 1355.2, plan: { paid: 2, left: 1059.8 } });
    expect((await plan()).map((each: { saldo: number }) => each.saldo)).toEqual([0, 0, 1059.8]);
    const all = { amount: 1074.8, fills: [{ number: 3, pesos: 1059.8 }] };
    const { body: last } = await shop.pay(await instalment(3), CARDS.approved, all);
    expect(last.data.plan).toMatchObject({ left: 0 });
  });

  test('a sum that fills something else by now, too little or too much, is not charged, and both bounds are told', async () => {
    const due = await instalment(2);
    for (const [amount, fills] of [
      [1355.2, [{ number: 2, pesos: 1340.2 }]],
      [1355.2, [{ number: 2, pesos: 1200 }]],
      [64.99, [{ number: 2, pesos: 49.99 }]],
      [0.01, [{ number: 2, pesos: 0.01 }]],
      [
        2415.01,
        [
          { number: 2, pesos: 1200 },
          { number: 3, pesos: 1200.01 },
        ],
      ],
    ] as const) {
      const { status, body } = await shop.pay(due, CARDS.approved, { amount, fills });
      expect([status, body.code, body.facts]).toEqual([409, 'AMOUNT_CHANGED', { amount: 1215, all: 2415 }]);
    }
    // Without what it fills, a sum is what is left of the instalment.
    expect((await shop.pay(due, CARDS.approved, { amount: 1355.2 })).body.code).toBe('AMOUNT_CHANGED');
    expect(await shop.charges()).toHaveLength(1);
  });

  test('while one payment of the purchase is open, no other instalment of it can be paid', async () => {
    const due = await instalment(2);
    const intentId = randomUUID();
    await shop.pay(due, CARDS.replyLost, { intentId });
    const { id } = await shop.attempt(intentId);
    // A till pays what the open one named, so that the next is due.
    const next = await instalment(3);
    const open = await shop.pay(next, CARDS.approved);
    expect([open.status, open.body.code, open.body.facts.intentoId]).toEqual([409, 'ATTEMPT_OPEN', intentId]);
    expect(next.attempt).toMatchObject({ intentoId: intentId });
    const copied = shop.db
      .insertInto('card_attempts')
      .columns([
        'buyer_id',
        'merchant_id',
        'credential_id',
        'reference_id',
        'intent_id',
        'state',
        'principal_centavos',
        'fee_centavos',
      ])
      .expression((eb) =>
        eb
          .selectFrom('card_attempts')
          .where('id', '=', id)
          .select([
            'buyer_id',
            'merchant_id',
            'credential_id',
            eb.val(next.id).as('reference_id'),
            eb.val(randomUUID()).as('intent_id'),
            'state',
            'principal_centavos',
            'fee_centavos',
          ]),
      )
      .execute();
    await expect(copied).rejects.toThrow('card_attempts_one_own_open_per_purchase');
    await shop.poll(intentId, 2);
  });

  test.each([
    ['the second is applied, the first one’s approval', 'late'],
    ['the first is approved after all, the second one’s approval', 'early'],
  ])('a part of it tried again after it was given up: %s goes back', async (_what, first) => {
    const due = await instalment(2);
    const [one, another] = [randomUUID(), randomUUID()];
    const part = { amount: 515, fills: [{ number: 2, pesos: 500 }] };
    await shop.pay(due, CARDS.threeDs, { ...part, intentId: one });
    await shop.age(one, 31 * MINUTE);
    await shop.poll(one);
    expect((await shop.attempt(one)).state).toBe('abandoned');
    await shop.pay(due, CARDS.threeDs, { ...part, intentId: another });
    const [kept, late] = first === 'late' ? [another, one] : [one, another];
    for (const intentId of [kept, late]) {
      await answer3ds(shop, intentId, 'approve');
      await shop.poll(intentId);
    }
    expect([(await shop.attempt(kept)).state, (await shop.attempt(late)).state]).toEqual([
      'applied',
      'returned',
    ]);
    expect(await instalment(2)).toMatchObject({ saldo: 700 });
    // What the buyer begins after that is another payment.
    const { body } = await shop.pay(await instalment(2), CARDS.approved, part);
    expect(body.data).toMatchObject({ applied: true });
  });

  test('3DS and a lost reply end as for a deposit: applied once', async () => {
    const intentId = randomUUID();
    await shop.pay(await instalment(2), CARDS.replyLost, { intentId });
    await shop.poll(intentId, 2);
    expect(await instalment(2)).toMatchObject({ saldo: 0, attempt: { state: 'applied' } });
  });
});
