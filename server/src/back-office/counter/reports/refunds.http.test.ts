import { randomUUID } from 'node:crypto';

import { addDays } from '@aparta/domain/calendar';
import { parse } from 'csv-parse/sync';
import readExcelFile from 'read-excel-file/node';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { panel, runRefunds } from '../../../../test/card-acts.ts';
import {
  makeBranch,
  makeBuyer,
  makeMerchant,
  makeProduct,
  makeReference,
  makeStaff,
} from '../../../../test/make.ts';
import { makePurchase, payPurchase } from '../../../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../../../test/shop.ts';
import { buy, hearStores, storeNumber } from '../../../../test/store-acts.ts';
import {
  markRefundBounced,
  markRefundPaid,
  payRefundInCash,
} from '../../../payments/refunds/decide-refund.ts';
import { raiseAlert } from '../../../platform/alerts.ts';
import { type Db, openDb } from '../../../platform/db/db.ts';
import { transaction } from '../../../platform/db/transaction.ts';
import { createLog } from '../../../platform/logging.ts';
import { moveRefund } from '../../../ledger/refunds/store.ts';
import { reversePaymentWithRefund } from '../../../purchases/plans/reverse-payment.ts';
import { cancelPurchase } from '../../../purchases/cancelling/cancel.ts';
import { readGivenBack } from '../../../payments/refunds/read-given-back.ts';
import { readExternalRefund } from '../../operations/book-external-refund.ts';

let shop: Shop;
let day: string;
const tokens: Record<'owner' | 'accountant' | 'manager' | 'elsewhere', string> = {
  owner: '',
  accountant: '',
  manager: '',
  elsewhere: '',
};
let branchId: number;
beforeAll(async () => {
  shop = await openShop({ clocks: { attemptsPerAddress: 99_999 } });
  await hearStores(shop);
  const { db, merchantId } = shop;
  branchId = await makeBranch(db, merchantId, 'Centro');
  const staff = async (role: 'owner' | 'accountant' | 'manager', branchIds: number[] = []) =>
    (await makeStaff(db, { merchantId, role, branchIds, name: 'Rosa Luna' })).token;
  tokens.owner = await staff('owner');
  tokens.accountant = await staff('accountant');
  tokens.manager = await staff('manager', [branchId]);
  tokens.elsewhere = await staff('manager', [await makeBranch(db, merchantId)]);
  ({ day } = (await shop.ask('GET /v1/counter/today', { token: tokens.owner })).body.data);
});
afterAll(() => shop.close());

const ask = async (query = `from=${day}&to=${day}`, token = tokens.accountant) =>
  (await shop.ask(`GET /v1/counter/refunds/by-day?${query}`, { token })).body.data;

async function bought(db: Db = shop.db, merchantId = shop.merchantId) {
  const buyer = await makeBuyer(shop.db, { userName: 'Marisol Ramos' });
  const productId = await makeProduct(shop.db, { merchantId, name: 'Lavadora' });
  return { ...(await makePurchase(db, { buyerId: buyer.id, merchantId, productId })), buyer };
}
const cancel = (id: number, buyerId: number, db: Db = shop.db) =>
  cancelPurchase({ db }, buyerId, id, { notes: '', shownCentavos: undefined });

/** A deposit of 600.00 and a fee of 15.00 by card. */
async function byCard() {
  const buyer = await makeBuyer(shop.db);
  const reference = await shop.reference({ token: buyer.token });
  const intentId = randomUUID();
  const { body } = await shop.pay(reference, CARDS.approved, { token: buyer.token, intentId });
  const { id: attemptId, provider_payment_id: paymentId } = await shop.attempt(intentId);
  return { id: body.data.ventaId as number, buyer, attemptId: attemptId as string, paymentId };
}
const refundOf = async (attemptId: string) =>
  (
    await shop.db
      .selectFrom('refunds')
      .select('id')
      .where('attempt_id', '=', attemptId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  ).id;

test('an accountant lists what was given back, by card, in cash and externally, and what is still owed, each once, in the file too', async () => {
  const { db, merchantId } = shop;
  const [card, disputed, inCash, bounced, lost] = [
    await byCard(),
    await byCard(),
    await byCard(),
    await byCard(),
    await byCard(),
  ];
  await cancel(card.id, card.buyer.id);
  await runRefunds(shop);
  await panel(shop, disputed.paymentId, { move: 'refund', amount: 615 });
  await transaction(
    shop.db,
    await readExternalRefund(shop.jobs, disputed.attemptId, {
      isLoss: false,
      isNotDelivered: false,
      providerRefundId: 'panel-1',
    }),
  );
  for (const each of [inCash, bounced]) {
    await cancel(each.id, each.buyer.id);
    const refundId = await refundOf(each.attemptId);
    const givenBack = await readGivenBack(shop.jobs, refundId);
    await transaction(db, (tx) => payRefundInCash(tx, refundId, { givenBack, isSeenUnpaid: true }));
    const cashId = await refundOf(each.attemptId);
    await transaction(db, (tx) => markRefundPaid(tx, cashId, { paidBy: 'operator', evidence: 'Vale' }));
    if (each === bounced) await transaction(db, (tx) => markRefundBounced(tx, cashId));
  }
  await panel(shop, lost.paymentId, { move: 'refund', amount: 100 });
  await transaction(
    shop.db,
    await readExternalRefund(shop.jobs, lost.attemptId, {
      isLoss: true,
      isNotDelivered: false,
      providerRefundId: 'panel-2',
    }),
  );
  const stray = await buy(shop);
  const number = await storeNumber(shop, stray);
  await cancel(stray.id, stray.buyer.id);
  const paid = await shop.control('POST /control/cash/pay', {
    reference: number.body.data.references[0].value,
    amount: 71,
    notice: { drop: true },
  });
  await shop.job.check_cash_operation({ operationId: paid.operationId }, createLog('silent'));
  // Of another shop.
  const stranger = await bought(db, await makeMerchant(db));
  await cancel(stranger.id, stranger.buyer.id);

  const { refunds, next, sums } = await ask();
  expect(next).toBeNull();
  const { rows } = await sql<{ id: number; amount: number; isDone: boolean }>`
    select f.id, f.amount_centavos as amount, f.state = 'done' as "isDone" from refunds f join receipts r on r.id = f.receipt_id
    where r.merchant_id = ${merchantId} and f.state <> 'moved_to_cash'`.execute(db);
  const sorted = (ids: number[]) => ids.toSorted((one, other) => one - other);
  expect(sorted(refunds.map(({ id }: any) => id))).toEqual(sorted(rows.map(({ id }) => id)));
  const figure = (of: typeof rows) => ({
    amount: of.reduce((all, { amount }) => all + amount, 0) / 100,
    count: of.length,
  });
  expect(sums).toEqual({
    done: figure(rows.filter(({ isDone }) => isDone)),
    open: figure(rows.filter(({ isDone }) => !isDone)),
  });
  expect(refunds.map(({ at }: any) => at)).toEqual(
    refunds
      .map(({ at }: any) => at)
      .toSorted()
      .toReversed(),
  );
  const of = (purchaseId: number) =>
    refunds
      .filter((each: any) => each.purchaseId === purchaseId)
      .map(({ method, state, cause, endedBy, amount, paidBy }: any) => [
        method,
        state,
        cause,
        endedBy,
        amount,
        paidBy,
      ]);
  expect(of(card.id)).toEqual([['card', 'done', 'cancel', 'buyer', 615, null]]);
  expect(of(disputed.id)).toEqual([['card', 'done', 'external', null, 615, null]]);
  expect(of(inCash.id)).toEqual([['cash', 'done', 'cancel', 'buyer', 615, 'operator']]);
  expect(of(bounced.id)).toEqual([['cash', 'owed', 'cancel', 'buyer', 615, null]]);
  expect(of(lost.id)).toEqual([['card', 'done', 'external', null, 100, null]]);
  expect(of(stray.id)).toEqual([
    ['cash', 'owed', 'not_applicable', null, 71, null],
    ['cash', 'owed', 'cancel', 'buyer', 600, null],
  ]);

  const save = async (format: string) =>
    (
      await shop.ask('POST /v1/counter/files/refunds', {
        token: tokens.accountant,
        body: { format, from: day, to: day },
      })
    ).body.data;
  const csv = await save('csv');
  expect(csv).toMatchObject({ fileName: `devoluciones-${day}.csv`, isWhole: true });
  const lines: Record<string, string>[] = parse(Buffer.from(csv.contentByteArray, 'base64'), {
    bom: true,
    columns: true,
  });
  expect(lines.map((line) => [line['Folio'], Number(line['Importe'])])).toEqual(
    refunds.map(({ folio, amount }: any) => [folio, amount]),
  );
  expect(lines.find((line) => line['Compra'] === String(inCash.id))).toMatchObject({
    Estado: 'Entregada',
    Cómo: 'En efectivo',
    Motivo: 'La canceló su comprador',
    Entregó: 'El operador',
  });
  expect(lines.find((line) => line['Compra'] === String(disputed.id))).toMatchObject({
    Estado: 'Hecha',
    Motivo: 'Se devolvió por fuera',
  });
  const [sheet] = await readExcelFile(Buffer.from((await save('xlsx')).contentByteArray, 'base64'));
  expect(sheet!.data).toHaveLength(lines.length + 1);
});

test('cash that the store gave back itself is done from then on', async () => {
  const { db } = shop;
  const stray = await buy(shop);
  const number = await storeNumber(shop, stray);
  await cancel(stray.id, stray.buyer.id);
  const { operationId: sourceId } = await shop.control('POST /control/cash/pay', {
    reference: number.body.data.references[0].value,
    amount: 72,
    notice: { drop: true },
  });
  await shop.job.check_cash_operation({ operationId: sourceId }, createLog('silent'));
  const line = async () => (await ask()).refunds.find(({ amount }: any) => amount === 72);
  const { id, storeReversed } = await line();
  expect(storeReversed).toBe(false);
  // While a person is to see to it, nobody hands it over; once it is done, it is done.
  await raiseAlert(db, 'cash_reversal_impossible', `reversal-of-${sourceId}`, { reverses: sourceId });
  expect(await line()).toMatchObject({ id, state: 'owed', storeReversed: true });
  const file = await shop.ask('POST /v1/counter/files/refunds', {
    token: tokens.accountant,
    body: { format: 'csv', from: day, to: day },
  });
  const csv = Buffer.from(file.body.data.contentByteArray, 'base64').toString();
  expect(csv).toMatch(/En revisión.*72\.00/);
  await transaction(db, async (tx) => {
    await reversePaymentWithRefund(tx, { channel: 'cash', sourceId }, undefined, { refundIsPaid: false });
    await moveRefund(tx, id, 'returned_by_store');
  });
  expect(await line()).toMatchObject({
    id,
    state: 'done',
    storeReversed: false,
    purchaseId: stray.id,
    paidBy: null,
  });
});

test('what was owed last month and is handed over today is of today, with who did it and where; managers are told of their branches’ alone', async () => {
  const { db } = shop;
  const past = openDb({ url: shop.ownerUrl, role: 'none', max: 1, clockOffset: '-40 days' });
  const of = await bought(past);
  await cancel(of.id, of.buyer.id, past);
  await past.destroy();
  const then = `from=${addDays(day, -42)}&to=${addDays(day, -38)}`;
  const [owed] = (await ask(then)).refunds;
  expect(owed).toMatchObject({ state: 'owed', amount: 600, productName: 'Lavadora', buyer: 'Marisol R.' });
  expect((await ask(then, tokens.manager)).refunds).toEqual([]);
  const done = await shop.ask(`POST /v1/counter/refunds/${owed.id}/pay`, {
    token: tokens.manager,
    body: { id: randomUUID(), branchId, amount: 600 },
  });
  expect(done.status).toBe(200);
  expect(await ask(then)).toMatchObject({ refunds: [], sums: { done: { count: 0 }, open: { count: 0 } } });
  const today = `from=${day}&to=${day}`;
  const line = { ...owed, at: expect.any(String), state: 'done', paidBy: 'merchant' };
  const seen = await ask(today, tokens.manager);
  expect(seen.refunds).toEqual([{ ...line, handedOverBy: 'Rosa Luna', branch: 'Centro' }]);
  expect(seen.sums.done).toEqual({ amount: 600, count: 1 });
  expect(await ask(today, tokens.elsewhere)).toMatchObject({ refunds: [], sums: { done: { count: 0 } } });

  // What their counter took they are told of, wherever it goes back.
  const productId = await makeProduct(db, { merchantId: shop.merchantId });
  const buyer = await makeBuyer(db);
  const reference = await makeReference(db, { buyerId: buyer.id, merchantId: shop.merchantId, productId });
  const taken = await shop.ask('POST /v1/counter/payments', {
    token: tokens.manager,
    body: { id: randomUUID(), branchId, reference: `1${reference}`, amount: 600, method: 'cash' },
  });
  const { purchaseId } = taken.body.data;
  await cancel(purchaseId, buyer.id);
  expect((await ask(today, tokens.manager)).refunds).toMatchObject([{ purchaseId, state: 'owed' }, {}]);
  expect((await ask(today, tokens.elsewhere)).refunds).toEqual([]);
});

test('a long list goes on where its page ended, without losing or repeating any', async () => {
  const merchantId = await makeMerchant(shop.db);
  const { token } = await makeStaff(shop.db, { merchantId, role: 'owner' });
  const of = await bought(shop.db, merchantId);
  for (let n = 0; n < 60; n += 1) await payPurchase(shop.db, of.id, 100);
  await cancel(of.id, of.buyer.id);
  const { rows } = await sql<{ id: number }>`
    select f.id from refunds f join receipts r on r.id = f.receipt_id where r.merchant_id = ${merchantId} order by f.id`.execute(
    shop.db,
  );
  for (const { id } of rows.filter((_, n) => n % 3 === 0))
    await transaction(shop.db, (tx) => markRefundPaid(tx, id, { paidBy: 'merchant', evidence: 'Vale' }));
  const first = await ask(undefined, token);
  expect(first.refunds).toHaveLength(50);
  expect(first.sums).toMatchObject({ done: { count: 21 }, open: { count: 40 } });
  const rest = await ask(`from=${day}&to=${day}&cursor=${first.next}`, token);
  expect(rest).toMatchObject({ next: null, sums: null });
  const ids = [...first.refunds, ...rest.refunds].map(({ id }: any) => id);
  expect(ids.toSorted((one, other) => one - other)).toEqual(rows.map(({ id }) => id));
  const wrong = `from=${day}&to=${addDays(day, -1)}`;
  expect((await shop.ask(`GET /v1/counter/refunds/by-day?${wrong}`, { token })).body.code).toBe(
    'INVALID_INPUT',
  );
});
