import { centavos } from '@aparta/domain/money';
import { groupDigits } from '@aparta/domain/payment-reference';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  makeBranch,
  makeBuyer,
  makeMerchant,
  makeProduct,
  makeReference,
  makeStaff,
} from '../../../test/make.ts';
import { makePurchase, payPurchase } from '../../../test/purchases.ts';
import { openShop, type Shop } from '../../../test/shop.ts';
import { openTill } from '../../../test/store-acts.ts';
import { openDb } from '../../platform/db/db.ts';

let shop: Shop;
const tokens: Record<'manager' | 'accountant', string> = { manager: '', accountant: '' };
/** Purchases of $3,000 in three instalments 30 days apart, by how many days ago they were made. */
const made: Record<'today' | 'days45' | 'days75' | 'days100' | 'paidOff', number> = {
  today: 0,
  days45: 0,
  days75: 0,
  days100: 0,
  paidOff: 0,
};
let buyerId: number;
let strangersId: number;

async function bought(daysAgo: number, given: { buyerId: number; merchantId?: number }): Promise<number> {
  const past = openDb({ url: shop.ownerUrl, role: 'none', max: 1, clockOffset: `-${daysAgo} days` });
  try {
    const { merchantId = shop.merchantId } = given;
    const productId = await makeProduct(shop.db, { merchantId });
    return (await makePurchase(past, { buyerId: given.buyerId, merchantId, productId })).id;
  } finally {
    await past.destroy();
  }
}

beforeAll(async () => {
  shop = await openShop();
  const { db, merchantId } = shop;
  const branchIds = [await makeBranch(db, merchantId, 'Centro')];
  tokens.manager = (await makeStaff(db, { merchantId, role: 'manager', branchIds })).token;
  tokens.accountant = (await makeStaff(db, { merchantId, role: 'accountant' })).token;
  buyerId = (await makeBuyer(db, { userName: 'Marisol Ramos Núñez' })).id;
  await db.updateTable('buyers').set({ phone: '5511223344' }).where('id', '=', buyerId).execute();
  for (const days of [100, 75, 45] as const) made[`days${days}`] = await bought(days, { buyerId });
  made.paidOff = await bought(10, { buyerId });
  await payPurchase(db, made.paidOff, 240_000);
  made.today = await bought(0, { buyerId: shop.buyer.id });
  strangersId = await bought(45, { buyerId, merchantId: await makeMerchant(db) });
});
afterAll(() => shop.close());

const list = async (query: string, token = tokens.manager) =>
  (await shop.ask(`GET /v1/counter/purchases?${query}`, { token })).body;
const ids = async (query: string) =>
  (await list(query)).data.purchases.map(({ id }: { id: number }) => id) as number[];

test('a list that is saved holds what the screen lists, and is written down without what was searched for', async () => {
  const save = (body: object, token = tokens.manager) =>
    shop.ask('POST /v1/counter/files/purchases', { token, body: { format: 'csv', ...body } });
  const { data } = (await save({ show: 'late', search: 'Ramos' })).body;
  const lines = Buffer.from(data.contentByteArray, 'base64').toString().trim().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toContain(`${made.days45},`);
  expect(lines[1]).toContain('Vencida');
  expect(lines.join()).not.toContain('Núñez');
  expect((await save({ search: 'Ramos' }, tokens.accountant)).body.code).toBe('ROLE_NOT_ALLOWED');
  const acts = await shop.db.selectFrom('staff_acts').selectAll().where('act', '=', 'save_list').execute();
  expect(acts.map(({ subject_id: subject, detail }) => ({ subject, detail }))).toEqual([
    { subject: 'compras', detail: { show: 'late', searched: true, format: 'csv', lines: 3 } },
  ]);
});

test("a manager sees the merchant's purchases alone, the newest first, with what is late of them", async () => {
  expect(await ids('')).toEqual([made.today, made.paidOff, made.days45, made.days75, made.days100]);
  expect(await ids('show=active')).not.toContain(made.paidOff);
  expect(await ids('show=paid_off')).toEqual([made.paidOff]);
  expect(await ids('show=late')).toEqual([made.days45, made.days75, made.days100]);
  expect(await ids('show=in_time')).toEqual([made.today]);
  expect(await ids('show=late_30')).toEqual([made.days45]);
  expect(await ids('show=late_60')).toEqual([made.days75]);
  expect(await ids('show=late_61')).toEqual([made.days100]);
  // Its third instalment is due in 15 days; the others' are past, or further off.
  expect(await ids('show=due_15')).toEqual([made.days45]);
  expect(await ids('show=due_10')).toEqual([]);
  const { data } = await list('show=late_60');
  expect(data.purchases[0]).toMatchObject({
    kind: 'purchase',
    state: 'late',
    buyer: 'Marisol R.',
    price: 3000,
    paid: 600,
    balance: 2400,
    listed: 2400,
    lateDays: 45,
  });
});

test('a list goes on where its page ended', async () => {
  expect(await ids(`cursor=${made.days75}`)).toEqual([made.days100]);
  expect((await list('')).data.next).toBeNull();
});

test('a purchase is found by its number, a printed number, a folio, the name and the telephone of its buyer', async () => {
  const folio = await payPurchase(shop.db, made.days45, 1_000);
  const { reference } = (await list(`search=${made.days45}`)).data.purchases[0];
  for (const code of [made.days45, reference, folio])
    expect(await ids(`search=${code}`)).toEqual([made.days45]);
  expect(await ids('search=3344&show=late')).toEqual([made.days45, made.days75, made.days100]);
  expect(await ids('search=ramos%20nunez&show=paid_off')).toEqual([made.paidOff]);
  expect(await ids('search=N%C3%BA%C3%B1ez,%20mari&show=late_30')).toEqual([made.days45]);
  expect(await ids('search=arisol')).toEqual([]);
  expect(await ids('search=..')).toEqual([]);
  expect(await ids(`search=${strangersId}`)).toEqual([]);
  expect(await ids('search=1100000000000')).toEqual([]);
  expect(await ids('search=99999&show=waiting')).toEqual([]);
});

test('a name that hundreds bear finds the same', async () => {
  await sql`insert into buyers (email, user_name, name, password_hash)
    select 'ramos-' || n || '@example.mx', 'Ramos', 'Juan Ramos', '-' from generate_series(1, 250) n`.execute(
    shop.db,
  );
  expect(await ids('search=ramos')).toEqual([made.paidOff, made.days45, made.days75, made.days100]);
  expect(await ids('search=ramos&show=late')).toEqual([made.days45, made.days75, made.days100]);
  expect(await ids(`search=ramos&show=due_15&cursor=${made.paidOff}`)).toEqual([made.days45]);
});

test('an accountant searches by numbers, and is not told who a buyer is', async () => {
  expect((await list('search=ramos', tokens.accountant)).code).toBe('ROLE_NOT_ALLOWED');
  expect((await list('search=3344', tokens.accountant)).code).toBe('ROLE_NOT_ALLOWED');
  expect((await list(`search=${made.days45}`, tokens.accountant)).data.purchases).toHaveLength(1);
  const call = `GET /v1/counter/purchases/${made.days45}`;
  expect((await shop.ask(call, { token: tokens.accountant })).body.data.contact).toBeNull();
  expect((await shop.ask(call, { token: tokens.manager })).body.data.contact).toEqual({
    name: 'Marisol Ramos Núñez',
    phone: '5511223344',
  });
});

test('reservations that wait for their deposit are listed apart, and found by their number', async () => {
  const { db, merchantId, buyer } = shop;
  const productId = await makeProduct(db, { merchantId, name: 'Lavadora' });
  const id = await makeReference(db, { buyerId: buyer.id, merchantId, productId });
  expect((await list('show=waiting')).data.purchases).toMatchObject([
    { kind: 'reservation', id, reference: `1${id}`, state: 'waiting', productName: 'Lavadora', balance: 600 },
  ]);
  expect(await ids(`show=waiting&search=1${id}`)).toEqual([id]);
  // It lives for two days more.
  expect(await ids('show=expiring')).toEqual([]);
});

test('a purchase tells its story: the plan, each payment with who took it where, and what was mailed', async () => {
  const branchId = (await shop.ask('GET /v1/counter/branches', { token: tokens.manager })).body.data[0].id;
  const line = (await list(`search=${made.today}`)).data.purchases[0];
  const taken = await shop.ask('POST /v1/counter/payments', {
    token: tokens.manager,
    body: {
      id: '0c2cf1b0-5f0a-4a37-9a52-6a0f0d7c7f01',
      branchId,
      reference: line.reference,
      amount: 1200,
      method: 'cash',
    },
  });
  const { data } = (await shop.ask(`GET /v1/counter/purchases/${made.today}`, { token: tokens.manager }))
    .body;
  expect(data).toMatchObject({ state: 'active', paid: 1800, balance: 1200, refunds: [], cancelledAt: null });
  expect(data.schedule.map(({ number, balance, late }: any) => [number, balance, late])).toEqual([
    [1, 0, false],
    [2, 0, false],
    [3, 1200, false],
  ]);
  expect(data.payments).toMatchObject([
    { method: 'till', amount: 600, numbers: [1], takenBy: null },
    {
      method: 'counter_cash',
      folio: taken.body.data.folio,
      amount: 1200,
      numbers: [2],
      takenBy: 'Luis Mora',
      branch: 'Centro',
    },
  ]);
  expect(data.emails.map(({ topic }: any) => topic)).toEqual(['layaway_paid', 'instalment_paid']);
});

test('the page of a purchase has what froze with it, whatever its shop asks since', async () => {
  const call = `GET /v1/counter/purchases/${made.today}`;
  const read = async () => (await shop.ask(call, { token: tokens.manager })).body.data.frozen;
  const before = await read();
  expect(before).toMatchObject({ penalty: 200, deliveryDays: 15 });
  const merchant = shop.db.updateTable('merchants');
  await merchant.set({ penalty_centavos: centavos(99_900), delivery_promise_days: 1 }).execute();
  const after = await read();
  await merchant.set({ penalty_centavos: centavos(20_000), delivery_promise_days: 15 }).execute();
  expect(after).toEqual(before);
});

test('what a till took by a number in groups is on the page of its purchase, as is the cash that goes back of it', async () => {
  const reference = await shop.reference();
  const till = await openTill(shop);
  const groups = groupDigits(reference.paymentReference);
  const taken = await till.deposit({ referencia: groups, importe: reference.tillTotal });
  expect(taken.body.error).toBe(0);
  const { ventaId } = (
    await shop.ask(`GET /v1/PullApartReference/${reference.id}`, { token: shop.buyer.token })
  ).body.data;
  const paid = reference.tillTotal;
  await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${ventaId}`, {
    token: shop.buyer.token,
    body: { refundShown: paid },
  });
  const { data } = (await shop.ask(`GET /v1/counter/purchases/${ventaId}`, { token: tokens.manager })).body;
  expect(data.payments).toMatchObject([{ method: 'till', folio: taken.body.autorizacion, amount: paid }]);
  expect(data.refunds).toMatchObject([{ method: 'cash', state: 'owed', amount: paid }]);
  expect(data.emails.map(({ topic }: any) => topic)).toContain('layaway_paid');
});

test("another merchant's purchase answers like one that is not there", async () => {
  const { body } = await shop.ask(`GET /v1/counter/purchases/${strangersId}`, { token: tokens.manager });
  expect(body.code).toBe('NOT_FOUND');
});
