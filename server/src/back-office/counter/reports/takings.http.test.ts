import { randomUUID } from 'node:crypto';

import { addDays } from '@aparta/domain/calendar';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { answer3ds, panel, till } from '../../../../test/card-acts.ts';
import { type MadeBuyer, makeBuyer, makeProduct, makeStaff } from '../../../../test/make.ts';
import { makePurchase } from '../../../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../../../test/shop.ts';

import { asOwner } from '../../../../test/store-acts.ts';
import { transaction } from '../../../platform/db/transaction.ts';
import { readExternalRefund } from '../../operations/book-external-refund.ts';
import { readReport } from '../../settlements/read-report.ts';
import { printed, sumMovements, sumOf } from '../../settlements/report.ts';

let shop: Shop;
let owner: string;
beforeAll(async () => {
  shop = await openShop();
  owner = (await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' })).token;
});
afterAll(() => shop.close());

const ask = async (call: string, token = owner) =>
  (await shop.ask(`GET /v1/counter/${call}`, { token })).body.data;
/** The list of some days, its sums and its file; the net of each is the operator's report's. */
async function readAll(of: { from: string; to: string }) {
  const { takings, days } = await ask(`takings?from=${of.from}&to=${of.to}`);
  const { body } = await shop.ask('POST /v1/counter/files/takings', {
    token: owner,
    body: { format: 'csv', ...of },
  });
  const file = Buffer.from(body.data.contentByteArray, 'base64').toString();
  const { movements } = await readReport(shop.db, { merchantId: shop.merchantId, ...of });
  const reported = (['principal', 'fee', 'unapplied', 'reversed'] as const).map((concept) =>
    printed(concept, sumMovements(movements, concept).centavos),
  );
  const net = sumOf(reported) / 100;
  const less = (rows: any[]) => rows.reduce((all, { amount, withdrawn }) => all + amount - withdrawn, 0);
  expect([less(takings), less(days)]).toEqual([net, net]);
  return { takings, days, file, net };
}
async function takingsToday() {
  const { day } = await ask('today');
  return (await ask(`takings?from=${day}&to=${day}`)).takings;
}

/** A card payment for a deposit that the bank approves only after `meanwhile`: it goes back whole. */
async function paidTooLate(
  buyer: MadeBuyer,
  productId: number,
  meanwhile: (reference: any) => Promise<unknown>,
) {
  const reference = await shop.reference({ token: buyer.token, productId });
  const intentId = randomUUID();
  await shop.pay(reference, CARDS.threeDs, { token: buyer.token, intentId });
  await meanwhile(reference);
  await answer3ds(shop, intentId, 'approve');
  await shop.poll(intentId);
  const { folio } = await shop.db
    .selectFrom('receipts')
    .select('folio')
    .where('source_id', '=', (await shop.attempt(intentId)).id)
    .executeTakeFirstOrThrow();
  return { reference, folio };
}

test('a card payment that came too late for its purchase stands with it in the list, and its folio leads there', async () => {
  const buyer = await makeBuyer(shop.db);
  const { folio } = await paidTooLate(buyer, shop.productId, (reference) => till(shop, reference));
  const { id } = await shop.db
    .selectFrom('purchases')
    .select('id')
    .where('buyer_id', '=', buyer.id)
    .executeTakeFirstOrThrow();
  const taking = (await takingsToday()).find((each: any) => each.folio === folio);
  expect(taking).toMatchObject({ purchaseId: id, productName: 'Sala Nórdica', amount: 615 });
  expect((await ask(`purchases?search=${folio}`)).purchases).toMatchObject([{ id }]);
  expect(await ask(`references/${folio}`)).toMatchObject({ purchaseId: id, kind: 'instalments' });
});

test('a month that was closed stays as it was when a payment of it is refunded externally later, and agrees with the operator’s report', async () => {
  const { merchantId } = shop;
  const productId = await makeProduct(shop.db, { merchantId });
  const { id, instalmentIds } = await makePurchase(shop.db, {
    buyerId: shop.buyer.id,
    merchantId,
    productId,
  });
  const intentId = randomUUID();
  const number = { paymentReference: `2${instalmentIds[1]}`, businessId: merchantId, cardTotal: 1_215 };
  expect((await shop.pay(number, CARDS.approved, { intentId })).status).toBe(200);
  const { id: attemptId, provider_payment_id: paymentId } = await shop.attempt(intentId);
  await asOwner(shop, `update receipts set paid_at = received_at - interval '35 days' where source_id = $1`, [
    attemptId,
  ]);
  const { day } = await ask('today');
  const then = { from: addDays(day, -40), to: addDays(day, -30) };
  const today = { from: day, to: day };
  const closed = await readAll(then);
  expect(closed.net).toBe(1_215);
  const before = await readAll(today);

  await panel(shop, paymentId, { move: 'refund', amount: 1_215 });
  await transaction(
    shop.db,
    await readExternalRefund(shop.jobs, attemptId, {
      isLoss: false,
      isNotDelivered: false,
      providerRefundId: 'panel-1',
    }),
  );
  expect(await readAll(then)).toEqual(closed);
  const after = await readAll(today);
  expect(after.net).toBe(before.net - 1_215);
  const { folio } = closed.takings[0];
  const line = { folio, amount: 0, withdrawn: 1_215, fee: 15, purchaseId: id, method: 'card' };
  expect(after.takings[0]).toMatchObject(line);
  expect(after.days).toMatchObject([{ count: before.days[0]?.count, withdrawn: 1_215 }]);
  const [, saved = ''] = after.file.split('\r\n');
  expect(saved.split(',').slice(2, 5)).toEqual(['Tarjeta en línea', '-1215.00', '-15.00']);
});

test('one that came after the last piece was gone names its product, and its folio leads to the reservation', async () => {
  const buyer = await makeBuyer(shop.db);
  const productId = await makeProduct(shop.db, { merchantId: shop.merchantId, name: 'Lavadora' });
  const { folio, reference } = await paidTooLate(buyer, productId, () =>
    shop.db.updateTable('products').set({ counts_units: true }).where('id', '=', productId).execute(),
  );
  const taking = (await takingsToday()).find((each: any) => each.folio === folio);
  expect(taking).toMatchObject({ purchaseId: null, productName: 'Lavadora', amount: 615 });
  expect(await ask(`references/${folio}`)).toMatchObject({
    purchaseId: null,
    reference: reference.paymentReference,
    state: 'sold_out',
  });
  expect((await ask(`purchases?show=waiting&search=${folio}`)).purchases).toMatchObject([
    { kind: 'reservation', productName: 'Lavadora' },
  ]);
});
