import { randomUUID } from 'node:crypto';

import { PICKUP_DAYS } from '@aparta/domain/pickup-code';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { panel } from '../../../../test/card-acts.ts';
import {
  makeBranch,
  makeBuyer,
  makeMerchant,
  makeProduct,
  makeStaff,
  type MadeBuyer,
} from '../../../../test/make.ts';
import { makePurchase, payPurchase } from '../../../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../../../test/shop.ts';
import { asOwner } from '../../../../test/store-acts.ts';
import { readExternalRefund } from '../../../back-office/operations/book-external-refund.ts';
import { eraseBuyer } from '../../../back-office/privacy/erase-buyer.ts';
import { prune } from '../../../back-office/retention/prune.ts';
import { raiseAlert, resolveAlert } from '../../../platform/alerts.ts';
import { limitKey } from '../../../platform/limiter.ts';
import { createLog } from '../../../platform/logging.ts';
import { transaction } from '../../../platform/db/transaction.ts';

let shop: Shop;
let branchId: number;
let cashier: string;
beforeAll(async () => {
  shop = await openShop();
  branchId = await makeBranch(shop.db, shop.merchantId, 'Centro');
  const place = { merchantId: shop.merchantId, branchIds: [branchId] };
  cashier = (await makeStaff(shop.db, { ...place, role: 'cashier', name: 'Luis Mora' })).token;
});
afterAll(() => shop.close());

interface Ready {
  readonly id: number;
  readonly printed: string;
  readonly buyer: MadeBuyer;
}

/** A purchase of $3,000: paid whole, or with its deposit alone. */
async function bought({ paid = true, userName = 'Ana' } = {}): Promise<Ready> {
  const { db, merchantId } = shop;
  const buyer = await makeBuyer(db, { userName });
  const productId = await makeProduct(db, { merchantId });
  const { id, instalmentIds } = await makePurchase(db, { buyerId: buyer.id, merchantId, productId });
  if (paid) await payPurchase(db, id, 240_000);
  return { id, printed: `1${instalmentIds[0]}`, buyer };
}

const pickup = ({ id, buyer }: Ready) => shop.ask(`GET /v1/Sales/PickupAsync/${id}`, { token: buyer.token });
const codeOf = async (ready: Ready) => (await pickup(ready)).body.data.code;
const replace = ({ id, buyer }: Ready, replaces: string) =>
  shop.ask(`PUT /v1/Sales/PickupReplaceAsync/${id}`, { token: buyer.token, body: { replaces } });
const name = ({ id, buyer }: Ready, collector: string | null) =>
  shop.ask(`PUT /v1/Sales/PickupCollectorAsync/${id}`, { token: buyer.token, body: { collector } });
const find = (code: string, digits: string, token = cashier) =>
  shop.ask('POST /v1/counter/hand-overs/find', { token, body: { code, digits } });
const press = (ready: Ready, digits: string, more: object = {}) => ({
  id: randomUUID(),
  branchId,
  purchaseId: ready.id,
  digits,
  ...more,
});
const handOver = (body: object, token = cashier) => shop.ask('POST /v1/counter/hand-overs', { token, body });
const asOwnerOf = async (path: string, token: string) =>
  (await shop.ask(`GET /v1/counter/${path}`, { token })).body.data;
/** Other digits than these. */
const wrongOf = (digits: string) => (digits === '000000' ? '111111' : '000000');

test('what was paid whole is handed over once to who shows the code, and both have it in writing', async () => {
  const ready = await bought();
  const { digits, qr, locked } = await codeOf(ready);
  expect({ qr, locked }).toEqual({ qr: `E1|${ready.id}|${digits}`, locked: false });
  expect((await name(ready, 'Rosa Luna')).body.data).toMatchObject({
    collector: 'Rosa Luna',
    code: { digits },
  });
  // Scanned, or typed with a printed number: the same.
  for (const code of [qr, ready.printed])
    expect((await find(code, digits)).body.data).toMatchObject({
      purchaseId: ready.id,
      productName: 'Sala Nórdica',
      buyer: 'Ana',
      collector: 'Rosa Luna',
      paid: 3000,
      wantsSignature: false,
    });
  const owner = (await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' })).token;
  const waiting = { amount: 3000, count: 1 };
  expect((await asOwnerOf('today', owner)).toHandOver).toEqual(waiting);
  const paidAt = (
    await sql<{ at: Date }>`select max(coalesce(paid_at, received_at)) as at from receipts
    where buyer_id = ${ready.buyer.id}`.execute(shop.db)
  ).rows[0]?.at;
  expect((await asOwnerOf('purchases?show=paid_off', owner)).purchases).toMatchObject([
    { id: ready.id, settledAt: paidAt?.toISOString(), handedOverAt: null },
  ]);
  const body = press(ready, digits, { signature: [[10, 20, 30, 40]] });
  const done = await handOver(body);
  expect(done.body.data).toMatchObject({
    id: body.id,
    branch: 'Centro',
    handedBy: 'Luis Mora',
    collector: 'Rosa Luna',
    signed: true,
    paid: 3000,
  });
  // A lost reply, repeated, and the receipt asked for.
  expect((await handOver(body)).body).toEqual(done.body);
  expect((await shop.ask(`GET /v1/counter/hand-overs/${body.id}`, { token: cashier })).body).toEqual(
    done.body,
  );
  const none = await shop.ask(`GET /v1/counter/hand-overs/${randomUUID()}`, { token: cashier });
  expect(none.body.code).toBe('NOT_FOUND');
  // The code worked once, and nothing of it is left to change.
  for (const again of [
    await find(qr, digits),
    await handOver(press(ready, digits)),
    await replace(ready, digits),
    await name(ready, null),
  ])
    expect([again.status, again.body.code]).toEqual([409, 'HANDED_OVER']);
  expect((await pickup(ready)).body.data).toEqual({
    code: null,
    collector: 'Rosa Luna',
    handedOver: { at: done.body.data.at, branch: 'Centro', by: 'Luis M.' },
  });
  expect((await asOwnerOf('today', owner)).toHandOver).toEqual({ amount: 0, count: 0 });
  expect((await asOwnerOf('purchases?show=paid_off', owner)).purchases).toEqual([]);
  expect((await asOwnerOf('purchases?show=delivered', owner)).purchases).toMatchObject([
    { id: ready.id, state: 'delivered', balance: 0, handedOverAt: done.body.data.at },
  ]);
  expect((await asOwnerOf(`purchases/${ready.id}`, owner)).handedOver).toEqual({
    at: done.body.data.at,
    branch: 'Centro',
    by: 'Luis Mora',
    collector: 'Rosa Luna',
    signed: true,
  });
  const file = { format: 'csv', show: 'delivered' };
  const saved = await shop.ask('POST /v1/counter/files/purchases', { token: owner, body: file });
  const csv = Buffer.from(saved.body.data.contentByteArray, 'base64').toString();
  expect(csv).toContain('Pagada completa,Guardada en,Entregada el,Entregó');
  expect(csv).toMatch(/Entregada,Sala Nórdica,.*,Luis Mora/);
  const { token } = ready.buyer;
  const [sale, list] = [
    await shop.ask(`GET /v1/Sales/GetAsync/${ready.id}`, { token }),
    await shop.ask(`GET /v1/Cxc/ByBuyerIdH/${ready.buyer.id}?status=3`, { token }),
  ];
  expect(sale.body.data).toMatchObject({ saleStatusId: 1, delivered: true });
  expect(list.body.data).toMatchObject([{ ventaId: ready.id, estatusVentaId: 1, delivered: true }]);
  const emails = await shop.db
    .selectFrom('outbox')
    .select('topic')
    .where('buyer_id', '=', ready.buyer.id)
    .where('topic', '=', 'purchase_delivered')
    .execute();
  expect(emails).toHaveLength(1);
  const acts = await shop.db.selectFrom('staff_acts').selectAll().where('act', '=', 'hand_over').execute();
  expect(acts).toMatchObject([{ branch_id: branchId, subject_id: body.id }]);
});

test('of two cashiers at once one hands it over; an id that was used for another purchase is refused', async () => {
  const [ready, other] = [await bought(), await bought()];
  const { digits } = await codeOf(ready);
  const { token } = await makeStaff(shop.db, {
    merchantId: shop.merchantId,
    branchIds: [branchId],
    role: 'cashier',
  });
  const body = press(ready, digits);
  const both = await Promise.all([handOver(body), handOver(press(ready, digits), token)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(both.find(({ status }) => status === 409)?.body.code).toBe('HANDED_OVER');
  const rows = await shop.db
    .selectFrom('hand_overs')
    .select('request_id')
    .where('purchase_id', '=', ready.id)
    .execute();
  expect(rows).toHaveLength(1);
  const used = { ...press(other, (await codeOf(other)).digits), id: rows[0]!.request_id };
  expect((await handOver(used)).body.code).toBe('INTENT_CONFLICT');
  // At once too, as a double tap: one hand-over, one receipt.
  const tap = press(other, (await codeOf(other)).digits);
  const taps = await Promise.all([handOver(tap), handOver(tap)]);
  expect(taps.map(({ status }) => status)).toEqual([200, 200]);
  expect(taps[1]?.body).toEqual(taps[0]?.body);
});

test('a press whose branch closed while its reply was lost still gets its receipt, as whoever made it', async () => {
  const { db, merchantId } = shop;
  const [ready, next] = [await bought(), await bought()];
  const closing = await makeBranch(db, merchantId, 'Sur');
  const place = { merchantId, branchIds: [branchId, closing] };
  const { token } = await makeStaff(db, { ...place, role: 'cashier' });
  const other = await makeStaff(db, { ...place, role: 'cashier' });
  const body = press(ready, (await codeOf(ready)).digits, { branchId: closing });
  const done = await handOver(body, token);
  expect(done.status).toBe(200);
  await sql`update branches set closed_at = app_now() where id = ${closing}`.execute(db);
  expect((await handOver(body, token)).body).toEqual(done.body);
  expect((await shop.ask(`GET /v1/counter/hand-overs/${body.id}`, { token })).body).toEqual(done.body);
  const { digits } = await codeOf(next);
  for (const [another, as, code] of [
    [body, other.token, 'NOT_FOUND'],
    [press(next, digits, { branchId: closing }), token, 'NOT_FOUND'],
    [{ ...press(next, digits, { branchId: closing }), id: body.id }, token, 'INTENT_CONFLICT'],
  ] as const)
    expect((await handOver(another, as)).body.code).toBe(code);
});

test('five wrong codes lock a purchase until its buyer replaces the code, and each is refused in words', async () => {
  const ready = await bought();
  const { digits, qr } = await codeOf(ready);
  for (let tried = 0; tried < 5; tried += 1)
    expect((await find(qr, wrongOf(digits))).body.code).toBe('PICKUP_WRONG');
  expect((await find(qr, digits)).body.code).toBe('PICKUP_LOCKED');
  expect((await handOver(press(ready, digits))).body.code).toBe('PICKUP_LOCKED');
  expect((await codeOf(ready)).locked).toBe(true);

  const fresh = (await replace(ready, digits)).body.data.code;
  expect(fresh.locked).toBe(false);
  // Repeated after a lost reply, it makes no third.
  expect((await replace(ready, digits)).body.data.code).toEqual(fresh);
  for (const refused of [await find(ready.printed, digits), await handOver(press(ready, digits))])
    expect(refused.body.code).toBe('PICKUP_REPLACED');
  expect((await find(ready.printed, fresh.digits)).status).toBe(200);
});

test('a code that ended is refused, and its buyer sees another as soon as they look', async () => {
  const ready = await bought();
  const { digits, expiresAt } = await codeOf(ready);
  const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(PICKUP_DAYS);
  await shop.db
    .updateTable('pickup_codes')
    .set({ expires_at: sql<Date>`app_now()` })
    .where('purchase_id', '=', ready.id)
    .execute();
  expect((await find(ready.printed, digits)).body.code).toBe('PICKUP_EXPIRED');
  expect((await handOver(press(ready, digits))).body.code).toBe('PICKUP_EXPIRED');
  const fresh = await codeOf(ready);
  expect((await find(ready.printed, digits)).body.code).toBe('PICKUP_REPLACED');
  expect((await handOver(press(ready, fresh.digits))).status).toBe(200);
});

test('a code whose key is gone is no try of anybody’s, and its buyer sees another as soon as they look', async () => {
  const ready = await bought();
  const { digits } = await codeOf(ready);
  await name(ready, 'Rosa Luna');
  await shop.db
    .updateTable('pickup_codes')
    .set({ key_id: 'gone' })
    .where('purchase_id', '=', ready.id)
    .execute();
  for (let time = 0; time < 6; time += 1)
    expect((await handOver(press(ready, digits))).body.code).toBe('PICKUP_EXPIRED');
  const { body } = await pickup(ready);
  expect(body.data).toMatchObject({ collector: 'Rosa Luna', code: { locked: false } });
  expect((await handOver(press(ready, body.data.code.digits))).status).toBe(200);
});

test('what is not paid whole, is cancelled, or is another shop’s is handed over to nobody', async () => {
  const unpaid = await bought({ paid: false });
  for (const answer of [
    await pickup(unpaid),
    await replace(unpaid, '482913'),
    await name(unpaid, 'Rosa Luna'),
    await find(unpaid.printed, '482913'),
    await handOver(press(unpaid, '482913')),
  ])
    expect([answer.status, answer.body.code]).toEqual([409, 'NOT_PAID_OFF']);
  const cancelled = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${unpaid.id}`, {
    token: unpaid.buyer.token,
    body: { cancelNotes: '' },
  });
  expect(cancelled.status).toBe(200);
  for (const answer of [
    await pickup(unpaid),
    await replace(unpaid, '482913'),
    await name(unpaid, 'Rosa Luna'),
    await find(unpaid.printed, '482913'),
    await handOver(press(unpaid, '482913')),
  ])
    expect([answer.status, answer.body.code]).toEqual([409, 'PURCHASE_CANCELLED']);

  const ready = await bought();
  const { digits, qr } = await codeOf(ready);
  const strangers = await makeMerchant(shop.db);
  const theirs = await makeBranch(shop.db, strangers);
  const { token } = await makeStaff(shop.db, { merchantId: strangers, role: 'owner' });
  for (const answer of [
    await find(qr, digits, token),
    await find('E1|999999|482913', '482913'),
    await handOver({ ...press(ready, digits), branchId: theirs }, token),
    await handOver({ ...press(ready, digits), branchId: theirs }),
  ])
    expect(answer.body.code).toBe('NOT_FOUND');
  // Without a code nobody looked at, no digits are right.
  const unseen = await bought();
  expect((await find(unseen.printed, '482913')).body.code).toBe('PICKUP_WRONG');
  expect((await handOver(press(unseen, '482913'))).body.code).toBe('PICKUP_WRONG');

  // Who tries numbers that are nobody's waits.
  const account = await shop.db
    .selectFrom('service_accounts')
    .select('id')
    .where('user_name', '=', `mostrador-${strangers}`)
    .executeTakeFirstOrThrow();
  await shop.db
    .updateTable('rate_counters')
    .set({ points: 100_000 })
    .where('key', '=', limitKey('till-unknown', account.id))
    .execute();
  expect((await find('E1|999999|482913', '482913', token)).body.code).toBe('TOO_MANY');
});

test('a cashier who left hands nothing over, and a shop that wants a signature gets one', async () => {
  const ready = await bought();
  const { digits } = await codeOf(ready);
  const gone = await makeStaff(shop.db, {
    merchantId: shop.merchantId,
    branchIds: [branchId],
    role: 'cashier',
  });
  await asOwner(shop, 'update staff_positions set revoked_at = app_now() where id = $1', [gone.positionId]);
  expect((await handOver(press(ready, digits), gone.token)).body.code).toBe('SESSION_DEAD');

  await asOwner(shop, 'update merchants set wants_signature = true where id = $1', [shop.merchantId]);
  expect((await find(ready.printed, digits)).body.data.wantsSignature).toBe(true);
  const unsigned = await handOver(press(ready, digits));
  expect(unsigned.body).toMatchObject({ code: 'INVALID_INPUT', fields: { signature: 'missing' } });
  const signed = await handOver(press(ready, digits, { signature: [[0, 0, 1000, 1000]] }));
  expect(signed.body.data.signed).toBe(true);
  await asOwner(shop, 'update merchants set wants_signature = false where id = $1', [shop.merchantId]);
});

test('who signed and collected is forgotten when no dispute comes any more, and with the buyer', async () => {
  const [old, erased] = [await bought(), await bought()];
  for (const ready of [old, erased]) {
    const { digits } = (await name(ready, 'Rosa Luna')).body.data.code;
    expect((await handOver(press(ready, digits, { signature: [[1, 2, 3, 4]] }))).status).toBe(200);
  }
  await asOwner(
    shop,
    `update hand_overs set created_at = app_now() - interval '301 days' where purchase_id = $1`,
    [old.id],
  );
  await prune(shop.db, createLog('silent'));
  const tied = await transaction(shop.db, (tx) =>
    eraseBuyer(tx, erased.buyer.id, { passwordHash: 'x', delivered: false }),
  );
  expect(tied.kind).toBe('erased');
  const rows = await shop.db
    .selectFrom('hand_overs')
    .select(['collector_name as collector', 'signature'])
    .where('purchase_id', 'in', [old.id, erased.id])
    .execute();
  expect(rows).toEqual([
    { collector: null, signature: null },
    { collector: null, signature: null },
  ]);
});

test('whoever hands goods over against the right code reads the whole name that an identification has to show, and nobody without it', async () => {
  const ready = await bought({ userName: 'Marisol Ramos Díaz' });
  const { digits, qr } = await codeOf(ready);
  const wrong = await find(qr, wrongOf(digits));
  expect([wrong.body.code, JSON.stringify(wrong.body)]).toEqual([
    'PICKUP_WRONG',
    expect.not.stringContaining('Ramos'),
  ]);
  expect((await find(qr, digits)).body.data).toMatchObject({ buyer: 'Marisol Ramos Díaz', collector: null });
  const done = (await handOver(press(ready, digits))).body.data;
  expect(done.buyer).toBe('Marisol R.');
});

test('nothing is handed over while money of the purchase may have gone back, until a person has seen to it', async () => {
  const buyer = await makeBuyer(shop.db);
  const { token } = buyer;
  const intentId = randomUUID();
  const { body } = await shop.pay(await shop.reference({ token }), CARDS.approved, { token, intentId });
  const ready = { id: body.data.ventaId, printed: '', buyer };
  await payPurchase(shop.db, ready.id, 240_000);
  const { id: attemptId, provider_payment_id: paymentId } = await shop.attempt(intentId);
  const { digits, qr } = await codeOf(ready);
  // A chargeback, of which the recheck hears.
  await panel(shop, paymentId, { move: 'refund', amount: 615 });
  await shop.job.resolve_attempt({ attemptId }, createLog('silent'));
  expect((await find(qr, digits)).body.code).toBe('PAYMENT_TAKEN_BACK');
  expect((await handOver(press(ready, digits))).body.code).toBe('PAYMENT_TAKEN_BACK');
  // The merchant takes the loss: the purchase goes on counting it.
  const external = { isLoss: true, isNotDelivered: false, providerRefundId: undefined };
  await transaction(shop.db, await readExternalRefund(shop.jobs, attemptId, external));
  expect((await handOver(press(ready, digits))).status).toBe(200);
});

test('what the store network took back, and a person has to book, keeps the goods in the shop', async () => {
  const ready = await bought({ paid: false });
  const sourceId = randomUUID();
  await payPurchase(shop.db, ready.id, 240_000, { channel: 'cash', sourceId });
  const { digits } = await codeOf(ready);
  await raiseAlert(shop.db, 'cash_reversal_impossible', 'its-reversal', { reverses: sourceId });
  expect((await handOver(press(ready, digits))).body.code).toBe('PAYMENT_TAKEN_BACK');
  await transaction(shop.db, (tx) => resolveAlert(tx, 'cash_reversal_impossible', 'its-reversal'));
  expect((await handOver(press(ready, digits))).status).toBe(200);
});
