import { randomUUID } from 'node:crypto';

import { mexicoCityDate } from '@aparta/domain/calendar';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { panel } from '../../../test/card-acts.ts';
import {
  makeBranch,
  makeBuyer,
  makeDevice,
  makeMerchant,
  makeProduct,
  makeReference,
  makeStaff,
  type MadeStaff,
  signInOn,
} from '../../../test/make.ts';
import { textOfPdf } from '../../../test/pdf-text.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { buy, meet, mustBalance, storeNumber } from '../../../test/store-acts.ts';
import { readExternalRefund } from '../../back-office/operations/book-external-refund.ts';
import { listWaiting } from '../../back-office/operations/waiting.read-model.ts';
import { readShopNews } from '../../back-office/shop-mails/shop-mails.read-model.ts';
import { isAlertOpen, raiseAlert, resolveAlert } from '../../platform/alerts.ts';
import type { EmailTopic } from '../../platform/db/tables.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { createLog } from '../../platform/logging.ts';
import {
  markRefundBounced,
  markRefundOnTerminal,
  markRefundPaid,
  payRefundInCash,
} from '../refunds/decide-refund.ts';
import { readGivenBack } from '../refunds/read-given-back.ts';

let shop: Shop;
let branchId: number;
let manager: MadeStaff;
beforeAll(async () => {
  shop = await openShop({ merchant: { feeMethods: [] } });
  branchId = await makeBranch(shop.db, shop.merchantId, 'Centro');
  manager = await makeStaff(shop.db, {
    merchantId: shop.merchantId,
    role: 'manager',
    branchIds: [branchId],
    name: 'Rosa Luna',
  });
});
afterEach(() => mustBalance(shop));
afterAll(() => shop.close()); // and proves the books

const IN_CASH = { method: 'cash' };
const BY_TERMINAL = { method: 'terminal', last4: '4242', authorisation: '048215' };

/** A purchase whose deposit of $600 a manager took and closed in a cut. */
async function bought(how: object = IN_CASH) {
  const { db, merchantId } = shop;
  const { id: buyerId, token } = await makeBuyer(db);
  const productId = await makeProduct(db, { merchantId });
  const reference = `1${await makeReference(db, { buyerId, merchantId, productId })}`;
  const body = { id: randomUUID(), branchId, reference, amount: 600, ...how };
  const taken = await shop.ask('POST /v1/counter/payments', { token: manager.token, body });
  expect(taken.status).toBe(200);
  await close();
  const { id: purchaseId } = await db
    .selectFrom('purchases')
    .select('id')
    .where('buyer_id', '=', buyerId)
    .executeTakeFirstOrThrow();
  return { purchaseId, buyerId, token, folio: taken.body.data.folio as string };
}

/** The same, which its buyer cancelled. */
async function owed(how: object = IN_CASH) {
  const { token, ...of } = await bought(how);
  const refund = await cancel(of.purchaseId, token);
  expect(refund).toMatchObject({ way: 'cash', state: 'owed', amount: 600 });
  return { refundId: refund.id as number, token, ...of };
}

async function cancel(purchaseId: number, token: string) {
  const body = { refundShown: 600 };
  const cancelled = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${purchaseId}`, { token, body });
  return cancelled.body.data.refunds[0];
}

const press = (more: object = {}) => ({ id: randomUUID(), branchId, amount: 600, ...more });
const pay = (refundId: number, body: object, token = manager.token) =>
  shop.ask(`POST /v1/counter/refunds/${refundId}/pay`, { token, body });
const drawer = async () =>
  (await shop.ask(`GET /v1/counter/shifts?branchId=${branchId}`, manager)).body.data[0];

/** Cuts the manager's drawer, counted as it should be. */
async function close() {
  const { movements, cashTaken, cashReturned } = await drawer();
  const float = Math.max(0, cashReturned - cashTaken);
  const counted = float + cashTaken - cashReturned;
  const reason = 'Hoy empecé con otro fondo';
  const body = { id: randomUUID(), branchId, movements, cashTaken, cashReturned, float, counted, reason };
  const closed = await shop.ask('POST /v1/counter/cuts', { token: manager.token, body });
  expect(closed.status).toBe(200);
  return closed.body.data;
}

const emailsTo = (buyerId: number, topic: EmailTopic = 'refund_paid_in_cash') =>
  sql<{
    key: string;
  }>`select dedupe_key as key from outbox where buyer_id = ${buyerId} and topic = ${topic}
    order by id`.execute(shop.db);

test('a manager hands a refund over once, out of their drawer: its buyer is told, and the cut counts it', async () => {
  const { refundId, purchaseId, buyerId, folio } = await owed();
  await raiseAlert(shop.db, 'refund_moved_to_cash', String(refundId), {});
  const pressed = press();
  const [one, two] = await Promise.all([pay(refundId, pressed), pay(refundId, pressed)]);
  expect(one.body.data).toMatchObject({ id: refundId, amount: 600, method: 'cash', state: 'done', folio });
  expect(one.body.data.doneAt).not.toBeNull();
  expect(two.body.data).toEqual(one.body.data);
  // The reply was lost, and the phone sends it again.
  expect((await pay(refundId, pressed)).body.data).toEqual(one.body.data);
  const { rows: refunds } = await sql`select paid_by, evidence from refunds where id = ${refundId}`.execute(
    shop.db,
  );
  expect(refunds).toEqual([{ paid_by: 'merchant', evidence: 'Entregada en Centro por Rosa Luna' }]);
  expect((await emailsTo(buyerId)).rows).toEqual([{ key: `refund:${refundId}:0` }]);
  const { rows: alerts } = await sql`select 1 from alerts where kind = 'refund_moved_to_cash'
    and subject = ${String(refundId)} and resolved_at is null`.execute(shop.db);
  expect(alerts).toEqual([]);
  const acts = await shop.db
    .selectFrom('staff_acts')
    .select(['act', 'branch_id', 'position_id'])
    .where('act', '=', 'pay_refund')
    .where('subject_id', '=', String(refundId))
    .execute();
  expect(acts).toEqual([{ act: 'pay_refund', branch_id: branchId, position_id: manager.positionId }]);

  const story = await shop.ask(`GET /v1/counter/purchases/${purchaseId}`, manager);
  expect(story.body.data.refunds).toEqual([one.body.data]);
  expect(await drawer()).toMatchObject({
    cashTaken: 0,
    cashReturned: 600,
    movements: 1,
    list: [{ kind: 'returned', method: 'cash', amount: 600, folio, refundId, reversed: false }],
  });
  const cut = await close();
  expect(cut).toMatchObject({ cashReturned: 600, float: 600, counted: 0, movements: 1 });
  expect(cut.list).toMatchObject([{ kind: 'returned', refundId }]);
  expect((await drawer()).movements).toBe(0);
});

test('what the shop’s terminal took goes back on it: everybody is told so, and no drawer is short of it', async () => {
  const { purchaseId, buyerId, token, folio } = await bought(BY_TERMINAL);
  const how = { way: 'cash', last4: '4242', amount: 600 };
  const owner = await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' });
  const quotes = [
    await shop.ask(`GET /v1/Sales/CancelQuoteAsync/${purchaseId}`, { token }),
    await shop.ask(`GET /v1/counter/purchases/${purchaseId}/end-quote`, owner),
  ];
  for (const { body } of quotes) expect(body.data.returns).toMatchObject([how]);
  const { id: refundId } = await cancel(purchaseId, token);
  const refundsOfBuyer = async () =>
    (await shop.ask(`GET /v1/Sales/RefundsAsync/${purchaseId}`, { token })).body.data;
  expect(await refundsOfBuyer()).toMatchObject([{ ...how, state: 'owed' }]);
  const { rows } = await sql`select facts -> 'terminalCentavos' as sum from outbox
    where buyer_id = ${buyerId} and topic = 'purchase_cancelled'`.execute(shop.db);
  expect(rows).toEqual([{ sum: 60_000 }]);
  const { positionId } = owner;
  const news = { positionId, merchantId: shop.merchantId, kind: 'refund_owed', subjectId: refundId } as const;
  expect(await readShopNews(shop.db, news)).toMatchObject({ last4: '4242', amountCentavos: 60_000 });
  const list = await shop.ask('GET /v1/counter/refunds', manager);
  expect(list.body.data.find(({ id }: any) => id === refundId)).toMatchObject({ last4: '4242' });

  const pressed = press({ method: 'terminal' });
  const paid = await pay(refundId, pressed);
  expect(paid.body.data).toMatchObject({ id: refundId, method: 'cash', last4: '4242', state: 'done', folio });
  expect((await pay(refundId, pressed)).body.data).toEqual(paid.body.data);
  expect((await pay(refundId, { ...pressed, method: 'cash' })).body.code).toBe('INTENT_CONFLICT');
  expect(await drawer()).toMatchObject({
    cashReturned: 0,
    terminalReturned: 600,
    movements: 1,
    list: [{ kind: 'returned', method: 'terminal', amount: 600, folio, refundId }],
  });
  expect(await refundsOfBuyer()).toMatchObject([{ ...how, state: 'done' }]);
  expect((await emailsTo(buyerId)).rows).toEqual([]);
  expect((await emailsTo(buyerId, 'refund_done')).rows).toEqual([{ key: `refund:${refundId}:0` }]);
  const { rows: refunds } = await sql`select evidence from refunds where id = ${refundId}`.execute(shop.db);
  expect(refunds).toEqual([
    { evidence: 'Devuelta en la terminal a la tarjeta 4242, en Centro por Rosa Luna' },
  ]);
  const today = mexicoCityDate(new Date());
  const account = await shop.ask(`GET /v1/Statements/GetAsync?from=${today}&to=${today}`, { token });
  expect(account.body.data.lines.at(-1)).toMatchObject({
    kind: 'refunded',
    method: 'counter_terminal',
    last4: '4242',
  });
  const evidence = await shop.ask(`POST /v1/counter/purchases/${purchaseId}/evidence`, owner);
  const page = textOfPdf(Buffer.from(evidence.body.data.contentByteArray, 'base64'));
  expect(page.replaceAll(/\s+/g, ' ')).toContain('en la terminal de la tienda, a la tarjeta 4242');
  const activity = await shop.ask('GET /v1/SecurityBuyer/ActivityAsync', { token });
  expect(activity.body.data.find(({ activityKind }: any) => activityKind === 'refunded')).toMatchObject({
    method: 'counter_terminal',
    last4: '4242',
  });
  expect(await close()).toMatchObject({ cashReturned: 0, terminalReturned: 600, float: 0, counted: 0 });
});

test('what the terminal took and a screen of the version before hands over is cash, and its buyer is told so', async () => {
  const { refundId, purchaseId, buyerId, token } = await owed(BY_TERMINAL);
  expect((await pay(refundId, press())).body.data).toMatchObject({ state: 'done', last4: null });
  expect(await drawer()).toMatchObject({ cashReturned: 600, terminalReturned: 0 });
  const { body } = await shop.ask(`GET /v1/Sales/RefundsAsync/${purchaseId}`, { token });
  expect(body.data).toMatchObject([{ way: 'cash', last4: null, state: 'done' }]);
  expect((await emailsTo(buyerId)).rows).toEqual([{ key: `refund:${refundId}:0` }]);
  await close();
});

test('what was paid in part on the terminal and in part in cash goes back payment by payment', async () => {
  const { purchaseId, token, folio } = await bought(BY_TERMINAL);
  const found = await shop.ask(`GET /v1/counter/references/${folio}`, manager);
  const { reference } = found.body.data;
  const body = { id: randomUUID(), branchId, reference, amount: 250, method: 'cash' };
  await shop.ask('POST /v1/counter/payments', { token: manager.token, body });
  await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${purchaseId}`, { token, body: {} });
  const { data } = (await shop.ask(`GET /v1/Sales/RefundsAsync/${purchaseId}`, { token })).body;
  expect(data.map(({ amount, last4 }: any) => [amount, last4])).toEqual([
    [250, null],
    [600, '4242'],
  ]);
  const [inCash, onTerminal] = data;
  // No card of theirs was charged for it.
  const wrong = await pay(inCash.id, press({ amount: 250, method: 'terminal' }));
  expect(wrong.body).toMatchObject({ code: 'INVALID_INPUT', fields: { method: 'not taken so' } });
  await pay(inCash.id, press({ amount: 250, method: 'cash' }));
  await pay(onTerminal.id, press({ method: 'terminal' }));
  expect(await drawer()).toMatchObject({ cashTaken: 250, cashReturned: 250, terminalReturned: 600 });
  await close();
});

test('what moved from the buyer’s card to cash is cash: no terminal took it, and no card is named', async () => {
  const { body } = await shop.pay(await shop.reference(), CARDS.approved);
  const { id } = await cancel(body.data.ventaId, shop.buyer.token);
  const givenBack = await readGivenBack(shop.jobs, id);
  const { cashRefundId } = await transaction(shop.db, (tx) =>
    payRefundInCash(tx, id, { givenBack, isSeenUnpaid: false }),
  );
  const { data } = (await shop.ask(`GET /v1/Sales/RefundsAsync/${body.data.ventaId}`, shop.buyer)).body;
  expect(data).toMatchObject([{ id: cashRefundId, way: 'cash', last4: null }]);
  const { fields } = (await pay(cashRefundId, press({ method: 'terminal' }))).body;
  expect(fields).toEqual({ method: 'not taken so' });
});

describe('a refund that moved to cash, of a card payment that the bank gave back since', () => {
  /** Its purchase was cancelled; `goBack` is the bank's doing, `poll` makes us see it. */
  async function movedToCash() {
    const { token } = await makeBuyer(shop.db);
    const intentId = randomUUID();
    const { body } = await shop.pay(await shop.reference({ token }), CARDS.approved, { token, intentId });
    const { id: attemptId, provider_payment_id: paymentId } = await shop.attempt(intentId);
    const { id } = await cancel(body.data.ventaId, token);
    const givenBack = await readGivenBack(shop.jobs, id);
    const { cashRefundId } = await transaction(shop.db, (tx) =>
      payRefundInCash(tx, id, { givenBack, isSeenUnpaid: false }),
    );
    return {
      attemptId: attemptId as string,
      refundId: cashRefundId,
      goBack: () => panel(shop, paymentId, { move: 'refund', amount: 600 }),
      poll: () => shop.job.resolve_attempt({ attemptId }, createLog('silent')),
    };
  }
  const paidBack = async (attemptId: string) =>
    (await shop.charges()).find((charge) => charge.external_reference === attemptId)?.amount_refunded;

  test('is handed over by nobody until that is booked, and then is owed no more', async () => {
    const { attemptId, refundId, goBack, poll } = await movedToCash();
    await goBack();
    await poll();
    expect((await pay(refundId, press())).body).toMatchObject({ code: 'REFUND_TAKEN_BACK' });
    const byOperator = transaction(shop.db, (tx) =>
      markRefundPaid(tx, refundId, { paidBy: 'operator', evidence: 'Vale 1' }),
    );
    await expect(byOperator).rejects.toThrow('refund_taken_back');
    const { data } = (await shop.ask('GET /v1/counter/refunds', manager)).body;
    expect(data.find(({ id }: any) => id === refundId)).toMatchObject({ storeReversed: true });
    const external = { isLoss: false, isNotDelivered: false, providerRefundId: undefined };
    await transaction(shop.db, await readExternalRefund(shop.jobs, attemptId, external));
    expect((await pay(refundId, press())).body.code).toBe('REFUND_DONE');
    expect(await paidBack(attemptId)).toBe(600);
  });

  test('is handed over again once the operator has seen to it, and nothing went back', async () => {
    const { attemptId, refundId } = await movedToCash();
    await raiseAlert(shop.db, 'attempt_mismatch', attemptId, { state: 'returned', observed: 'mismatch' });
    expect((await pay(refundId, press())).body.code).toBe('REFUND_TAKEN_BACK');
    await transaction(shop.db, (tx) => resolveAlert(tx, 'attempt_mismatch', attemptId));
    // Nor does a provider that does not find a payment say that its money left.
    await raiseAlert(shop.db, 'attempt_mismatch', attemptId, { state: 'returned', observed: 'unusable' });
    expect((await pay(refundId, press())).body.data).toMatchObject({ state: 'done' });
  });

  test('at the same time leaves once, or a person is told', async () => {
    const ends: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const { attemptId, refundId, goBack, poll } = await movedToCash();
      await goBack();
      const [paid] = await meet(round, () => pay(refundId, press()), poll);
      expect([200, 409]).toContain(paid.status);
      expect(await isAlertOpen(shop.db, 'attempt_mismatch', attemptId)).toBe(true);
      ends.push(paid.status);
    }
    expect(ends.slice(0, 2)).toEqual([200, 409]);
  });
});

test('whoever looks up a cancelled purchase, or a receipt of it, is told what is owed back of it, until it is handed over', async () => {
  const { refundId, purchaseId, folio } = await owed();
  const seen = async () => {
    const ask = async (call: string) => (await shop.ask(call, manager)).body.data;
    const { state, owedBack, purchaseId: of } = await ask(`GET /v1/counter/references/${folio}`);
    const { cancelled, refund } = await ask(`GET /v1/counter/receipts/${folio}`);
    return { found: [state, owedBack, of], cancelled, refund };
  };
  const cancelled = { found: ['cancelled', 600, purchaseId], cancelled: true };
  expect(await seen()).toEqual({ ...cancelled, refund: { amount: 600, doneAt: null } });
  const done = await pay(refundId, press());
  expect(await seen()).toEqual({
    found: ['cancelled', 0, purchaseId],
    cancelled: true,
    refund: { amount: 600, doneAt: done.body.data.doneAt },
  });
});

test('cash that came when nothing was to be paid is in the list with what it was for, and is handed over by its line', async () => {
  const payAtStore = async (number: string, amount: number) => {
    const asked = { reference: number, amount, notice: { drop: true } };
    const { operationId } = await shop.control('POST /control/cash/pay', asked);
    await shop.job.check_cash_operation({ operationId }, createLog('silent'));
  };
  const lineOf = async (sum: number) =>
    (await shop.ask('GET /v1/counter/refunds', manager)).body.data.find(({ amount }: any) => amount === sum);
  const bought = await buy(shop);
  const { body } = await storeNumber(shop, bought);
  await cancel(bought.id, bought.buyer.token);
  await payAtStore(body.data.references[0].value, 71);
  expect(await lineOf(71)).toMatchObject({ purchaseId: bought.id, productName: expect.stringMatching(/./) });

  const { token } = shop.buyer;
  const { paymentReference } = await shop.reference({ token });
  const asked = { token, body: { generationData: [{ identifierValue: paymentReference }] } };
  const number = await shop.ask('POST /v1/Tapi/GenerateReference', asked);
  // Too little for the deposit: there is no purchase.
  await payAtStore(number.body.data.references[0].value, 72);
  const line = await lineOf(72);
  expect(line).toMatchObject({ purchaseId: null, productName: expect.stringMatching(/./) });
  expect((await pay(line.id, press({ amount: 72 }))).body.data).toMatchObject({ state: 'done' });
  expect(await lineOf(72)).toBeUndefined();
});

test('a press whose branch closed while its reply was lost still answers what it paid, and another pays nothing', async () => {
  const { db, merchantId } = shop;
  const [{ refundId }, { refundId: second }] = [await owed(), await owed()];
  const closing = await makeBranch(db, merchantId, 'Sur');
  const { token } = await makeStaff(db, { merchantId, role: 'manager', branchIds: [branchId, closing] });
  const pressed = press({ branchId: closing });
  const { data } = (await pay(refundId, pressed, token)).body;
  expect(data).toMatchObject({ state: 'done' });
  await sql`update branches set closed_at = app_now() where id = ${closing}`.execute(db);
  expect((await pay(refundId, pressed, token)).body.data).toEqual(data);
  expect((await pay(second, press({ branchId: closing }), token)).body.code).toBe('NOT_FOUND');
});

test('a press without an answer of somebody whose role changed meanwhile still answers what it paid', async () => {
  const { db, merchantId } = shop;
  const { refundId } = await owed();
  const before = await makeStaff(db, { merchantId, role: 'manager', branchIds: [branchId] });
  const pressed = press();
  const { data } = (await pay(refundId, pressed, before.token)).body;
  await sql`update staff_positions set revoked_at = app_now() where id = ${before.positionId}`.execute(db);
  const { token } = await makeStaff(db, { merchantId, role: 'owner', email: before.email });
  expect((await pay(refundId, pressed, token)).body.data).toEqual(data);
  expect((await pay(refundId, pressed)).body.code).toBe('INTENT_CONFLICT');
});

test('whoever pressed is told what it handed over, in any later role, and nobody else is', async () => {
  const { refundId, folio } = await owed();
  const { merchantId, db } = shop;
  const staff = () => makeStaff(db, { merchantId, role: 'manager', branchIds: [branchId] });
  const [ana, eva] = [await staff(), await staff()];
  const pressed = press();
  const asked = async (by: MadeStaff, id = pressed.id) =>
    (await shop.ask(`GET /v1/counter/refunds/paid/${id}`, by)).body.data;
  expect(await asked(ana)).toBeNull();
  await pay(refundId, pressed, ana.token);
  expect(await asked(ana)).toMatchObject({ id: refundId, state: 'done', folio });
  expect([await asked(eva), await asked(ana, randomUUID())]).toEqual([null, null]);
});

test('a press that handed nothing over writes nothing any more, however late it comes; one that did stays', async () => {
  const outcomes: (string | undefined)[] = [];
  for (let round = 0; round < 4; round += 1) {
    const { refundId } = await owed();
    const pressed = press();
    const drop = () =>
      shop.ask(`POST /v1/counter/refunds/${refundId}/pay/drop`, {
        token: manager.token,
        body: { id: pressed.id },
      });
    const [dropped, paid] = await meet(round, drop, () => pay(refundId, pressed));
    const { code, data } = paid.body;
    expect(code === undefined ? dropped.body.data : [code, dropped.body.data]).toEqual(
      code === undefined ? data : ['PRESS_DROPPED', null],
    );
    const again = [await pay(refundId, pressed), await drop()];
    expect([again[0]!.body.code, again[1]!.body.data]).toEqual([code, code === undefined ? data : null]);
    expect((await pay(refundId, press())).body.code).toBe(code === undefined ? 'REFUND_DONE' : undefined);
    outcomes.push(code);
  }
  expect(outcomes.slice(0, 2)).toEqual(['PRESS_DROPPED', undefined]);
});

test('another press, another sum or another refund under the same press pays nothing', async () => {
  const { refundId } = await owed();
  const wrong = await pay(refundId, press({ amount: 599.99 }));
  expect(wrong.body).toMatchObject({ code: 'AMOUNT_CHANGED', facts: { amount: 600 } });
  const pressed = press();
  expect((await pay(refundId, pressed)).status).toBe(200);
  // Somebody else's screen, or a second look at this one: no more money leaves the drawer.
  expect((await pay(refundId, press())).body.code).toBe('REFUND_DONE');
  const { refundId: other } = await owed();
  expect((await pay(other, pressed)).body.code).toBe('INTENT_CONFLICT');
  expect((await pay(refundId, { ...pressed, amount: 600.01 })).body.code).toBe('INTENT_CONFLICT');
  const { rows } = await sql`select state from refunds where id = ${other}`.execute(shop.db);
  expect(rows).toEqual([{ state: 'owed' }]);
});

test('one press for two refunds at once pays one of them', async () => {
  const [{ refundId: one }, { refundId: two }] = [await owed(), await owed()];
  const pressed = press();
  const answers = await Promise.all([pay(one, pressed), pay(two, pressed)]);
  expect(answers.map(({ body }) => body.code ?? 'paid').toSorted()).toEqual(['INTENT_CONFLICT', 'paid']);
});

test('a refund that bounced is handed over again by another press, and the first handover stays in its cut', async () => {
  const { refundId, buyerId } = await owed();
  const pressed = press();
  await pay(refundId, pressed);
  const { id } = await close();
  await transaction(shop.db, (tx) => markRefundBounced(tx, refundId));
  expect((await emailsTo(buyerId, 'refund_bounced')).rows).toEqual([{ key: `refund:${refundId}:0` }]);
  // The old press, sent once more, says how it stands and pays nothing.
  expect((await pay(refundId, pressed)).body.data).toMatchObject({ state: 'owed', doneAt: null });
  expect((await drawer()).movements).toBe(0);
  expect((await pay(refundId, press())).body.data).toMatchObject({ state: 'done' });
  expect(await drawer()).toMatchObject({ cashReturned: 600, movements: 1 });
  const first = await shop.ask(`GET /v1/counter/cuts/${id}`, manager);
  expect(first.body.data).toMatchObject({ cashReturned: 600, list: [{ refundId }] });
  expect((await emailsTo(buyerId)).rows).toEqual([
    { key: `refund:${refundId}:0` },
    { key: `refund:${refundId}:1` },
  ]);
});

test('nobody pays what is not theirs to pay, not in cash, or paid by the operator', async () => {
  const { refundId } = await owed();
  const { db, merchantId } = shop;
  const place = { merchantId, branchIds: [branchId] };
  const cashier = await makeStaff(db, { ...place, role: 'cashier' });
  const accountant = await makeStaff(db, { merchantId, role: 'accountant' });
  for (const { token } of [cashier, accountant])
    expect((await pay(refundId, press(), token)).body.code).toBe('ROLE_NOT_ALLOWED');
  const elsewhere = await makeMerchant(db);
  const stranger = await makeStaff(db, { merchantId: elsewhere, role: 'owner' });
  const theirs = await makeBranch(db, elsewhere);
  expect((await pay(refundId, press({ branchId: theirs }), stranger.token)).body.code).toBe('NOT_FOUND');
  expect((await pay(refundId, press({ branchId: theirs }))).body.code).toBe('NOT_FOUND');
  expect((await pay(999_999, press())).body.code).toBe('NOT_FOUND');

  const device = await makeDevice(db, { merchantId, branchId });
  const byPin = await signInOn(db, device, manager.positionId);
  const paid = await shop.ask(`POST /v1/counter/refunds/${refundId}/pay`, { ...byPin, body: press() });
  expect(paid.body.data).toMatchObject({ state: 'done' });

  const { refundId: operators } = await owed();
  const evidence = { paidBy: 'operator', evidence: 'SPEI 118' } as const;
  await transaction(db, (tx) => markRefundPaid(tx, operators, evidence));
  expect((await pay(operators, press())).body.code).toBe('REFUND_DONE');

  const { body } = await shop.pay(await shop.reference(), CARDS.approved);
  const byCard = await cancel(body.data.ventaId, shop.buyer.token);
  expect(byCard).toMatchObject({ way: 'card', state: 'owed' });
  expect((await pay(byCard.id, press())).body.code).toBe('NOT_FOUND');
});

test('the operator says that the shop’s terminal gave back what it took, and of nothing else: the buyer reads the same as by the counter', async () => {
  const { refundId, purchaseId, buyerId, token } = await owed(BY_TERMINAL);
  expect(await waitingOf(refundId)).toBe('refund_on_terminal');
  const onTerminal = (id: number, paidBy: 'merchant' | 'operator' = 'merchant') =>
    transaction(shop.db, (tx) =>
      markRefundOnTerminal(tx, id, { paidBy, evidence: 'Vale de la terminal 0482' }),
    );
  await expect(onTerminal(refundId, 'operator')).rejects.toThrow('refund_not_by_terminal');
  expect(await onTerminal(refundId)).toEqual({ amountCentavos: 60_000, last4: '4242' });
  await expect(onTerminal(refundId)).rejects.toThrow('refund_done_already');
  const seen = async () =>
    (await shop.ask(`GET /v1/Sales/RefundsAsync/${purchaseId}`, { token })).body.data[0];
  expect(await seen()).toMatchObject({ state: 'done', last4: '4242' });
  const { rows } = await emailsTo(buyerId, 'refund_done');
  expect(rows).toEqual([{ key: `refund:${refundId}:0` }]);
  expect((await emailsTo(buyerId)).rows).toEqual([]);
  const today = mexicoCityDate(new Date());
  const owner = await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' });
  const byDay = await shop.ask(`GET /v1/counter/refunds/by-day?from=${today}&to=${today}`, owner);
  const line = byDay.body.data.refunds.find(({ id }: { id: number }) => id === refundId);
  expect(line).toMatchObject({ id: refundId, last4: '4242', paidBy: 'merchant' });
  // It left no drawer.
  expect(await drawer()).toMatchObject({ movements: 0, cashReturned: 0 });

  // The terminal's bank sent it back: then it is handed over in cash, which is told as cash.
  await transaction(shop.db, (tx) => markRefundBounced(tx, refundId));
  const inCash = { paidBy: 'merchant', evidence: 'Vale 118' } as const;
  await transaction(shop.db, (tx) => markRefundPaid(tx, refundId, inCash));
  expect(await seen()).toMatchObject({ state: 'done', last4: null });
  expect((await emailsTo(buyerId)).rows).toEqual([{ key: `refund:${refundId}:1` }]);

  const drawn = await owed();
  expect(await waitingOf(drawn.refundId)).toBe('refund_in_cash');
  await expect(onTerminal(drawn.refundId)).rejects.toThrow('refund_not_by_terminal');
  expect(await waitingOf(drawn.refundId)).toBe('refund_in_cash');
});

const waitingOf = async (refundId: number) =>
  (await listWaiting(shop.db)).find(({ id }) => id === String(refundId))?.kind;
