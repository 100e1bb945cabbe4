import { randomUUID } from 'node:crypto';
import { addDays, mexicoCityDate } from '@aparta/domain/calendar';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

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
import type { Answer } from '../../../test/app.ts';
import { openShop, type Shop } from '../../../test/shop.ts';
import { openTill } from '../../../test/store-acts.ts';

let shop: Shop;
let branchId: number;
let cashier: string;
let manager: string;
beforeAll(async () => {
  // A fee at the till, and money of tills that the operator collects: neither changes whose the drawer's is.
  shop = await openShop({ merchant: { feeMethods: ['till'], feeCentavos: 1_000 } });
  await shop.db
    .updateTable('merchants')
    .set({ till_collected_by: 'operator' })
    .where('id', '=', shop.merchantId)
    .execute();
  const { db, merchantId } = shop;
  branchId = await makeBranch(db, merchantId, 'Centro');
  const place = { merchantId, branchIds: [branchId] };
  cashier = (await makeStaff(db, { ...place, role: 'cashier', name: 'Luis Mora' })).token;
  manager = (await makeStaff(db, { ...place, role: 'manager', name: 'Rosa Luna' })).token;
});
afterAll(() => shop.close());

const lookUp = (code: string, token = cashier) => shop.ask(`GET /v1/counter/references/${code}`, { token });
const press = (reference: string, amount: number, more: object = {}) => ({
  id: randomUUID(),
  branchId,
  reference,
  amount,
  method: 'cash',
  ...more,
});
const take = (body: object, token = cashier) => shop.ask('POST /v1/counter/payments', { token, body });
const reverse = (folio: string, token = manager, reason = 'Se cobró dos veces', id?: string) =>
  shop.ask(`POST /v1/counter/receipts/${folio}/reverse`, { token, body: { id, reason } });

/** A reservation of the shop's product: its printed number. Deposit $600, then twice $1,200. */
async function reserved(): Promise<string> {
  const { db, merchantId } = shop;
  const productId = await makeProduct(db, { merchantId });
  return `1${await makeReference(db, { buyerId: shop.buyer.id, merchantId, productId })}`;
}

/** The number of the next instalment of a purchase whose deposit was just taken. */
async function purchased(): Promise<string> {
  const deposit = await take(press(await reserved(), 610));
  if (deposit.status !== 200) throw new Error(JSON.stringify(deposit.body));
  return (await lookUp(deposit.body.data.folio)).body.data.reference;
}

test('a cashier sees what is owed, takes the deposit, and what each sum of the rest would fill', async () => {
  const reference = await reserved();
  expect((await lookUp(reference)).body.data).toMatchObject({
    reference,
    lastPaid: null,
    kind: 'deposit',
    state: 'open',
    productName: 'Sala Nórdica',
    buyer: 'Ana',
    balance: 600,
    fee: 10,
    late: false,
    next: { amount: 610, fills: [{ number: 1, of: 1, amount: 600 }] },
    all: { amount: 610 },
    minimum: 610,
  });
  const taken = await take(press(reference, 610, { tendered: 1000 }));
  expect(taken.body.data).toMatchObject({
    branchId,
    branch: 'Centro',
    takenBy: 'Luis Mora',
    buyer: 'Ana',
    amount: 610,
    fee: 10,
    tendered: 1000,
    change: 390,
    parts: [{ number: 1, of: 3, amount: 600 }],
    balance: 2400,
    reversal: null,
    merchant: { tradeName: 'Muebles del Centro', address: expect.any(String), phone: expect.any(String) },
  });
  const { folio, planReference, takenAt } = taken.body.data;
  // Whoever scans the same number again sees that its money was just taken.
  expect((await lookUp(reference)).body.data.lastPaid).toEqual({ amount: 610, at: takenAt });
  // The number on the paper takes the next payment.
  expect((await lookUp(planReference)).body.data).toMatchObject({ kind: 'instalments', balance: 2400 });
  const days = `from=${mexicoCityDate(new Date())}&to=${addDays(mexicoCityDate(new Date()), 1)}`;
  const statement = await shop.ask(`GET /v1/Statements/GetAsync?${days}`, { token: shop.buyer.token });
  const inBranch = { folio, method: 'counter_cash', branch: 'Centro', amount: 610, fee: 10, credit: 600 };
  expect(statement.body.data.lines).toContainEqual(expect.objectContaining(inBranch));
  expect(JSON.stringify(statement.body)).not.toContain('Luis');
  // The number of the deposit, and the folio, lead to the purchase that it made.
  for (const code of [reference, folio])
    expect((await lookUp(`${code}?amount=1300.50`)).body.data).toMatchObject({
      kind: 'instalments',
      balance: 2400,
      next: { amount: 1210, fills: [{ number: 2, of: 3, amount: 1200 }] },
      all: { amount: 2410 },
      minimum: 10.01,
      asked: {
        amount: 1300.5,
        fills: [
          { number: 2, amount: 1200 },
          { number: 3, amount: 90.5 },
        ],
      },
    });
  const receipt = await shop.ask(`GET /v1/Receipts/GetAsync/${folio}`, { token: shop.buyer.token });
  expect(receipt.body.data).toMatchObject({
    folio,
    amount: 610,
    method: 'till',
    takenBy: 'Luis M.',
    branch: 'Centro',
  });
  const acts = await shop.db.selectFrom('staff_acts').selectAll().where('act', '=', 'take_payment').execute();
  expect(acts.at(-1)).toMatchObject({ branch_id: branchId, subject_id: taken.body.data.id });
  // What the operator collects for the shop's tills is not what lies in its drawer.
  const row = await shop.db
    .selectFrom('receipts')
    .select('collected_by')
    .where('folio', '=', folio)
    .executeTakeFirstOrThrow();
  expect(row.collected_by).toBe('merchant');
});

test('a press made twice, at once or after a lost reply, is one receipt; its id for anything else is refused', async () => {
  const reference = await purchased();
  const body = press(reference, 47.5, { tendered: 50 });
  const twice = await Promise.all([take(body), take(body)]);
  const again = await take({ ...body, reference: reference.replace(/\d{4}(?=\d)/g, '$& ') });
  const asked = await shop.ask(`GET /v1/counter/payments/${body.id}`, { token: cashier });
  const none = await shop.ask(`GET /v1/counter/payments/${randomUUID()}`, { token: cashier });
  expect(none.body.code).toBe('NOT_FOUND');
  const folios = [...twice, again, asked].map((answer) => answer.body.data?.folio);
  expect(new Set(folios).size).toBe(1);
  expect((await lookUp(reference)).body.data.balance).toBe(2362.5);
  const other = await makeBranch(shop.db, shop.merchantId);
  const owner = (await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' })).token;
  for (const change of [{ amount: 48 }, { tendered: 60 }, { branchId: other }])
    expect((await take({ ...body, ...change }, owner)).body.code).toBe('INTENT_CONFLICT');
  const slip = { method: 'terminal', last4: '4242', authorisation: '048215' };
  expect((await take({ ...body, tendered: undefined, ...slip })).body.code).toBe('INTENT_CONFLICT');
  const byCard = await take(press(reference, 100, slip));
  expect(byCard.body.data).toMatchObject({ method: 'terminal', last4: '4242', tendered: null, change: null });
});

test('a press whose branch closed while its reply was lost still gets its receipt, as whoever made it, and takes nothing more', async () => {
  const { db, merchantId } = shop;
  const closing = await makeBranch(db, merchantId, 'Sur');
  const place = { merchantId, branchIds: [branchId, closing] };
  const { token } = await makeStaff(db, { ...place, role: 'cashier' });
  const other = await makeStaff(db, { ...place, role: 'cashier' });
  const reference = await purchased();
  const body = press(reference, 50, { branchId: closing });
  const { data } = (await take(body, token)).body;
  await db.updateTable('branches').set({ closed_at: new Date() }).where('id', '=', closing).execute();
  const asked = (path: string, as = token) => shop.ask(`GET /v1/counter/${path}`, { token: as });
  expect((await take(body, token)).body.data).toEqual(data);
  expect((await asked(`payments/${body.id}`)).body.data).toEqual(data);
  expect((await asked(`receipts/${data.folio}`)).body.data).toEqual(data);
  expect((await take({ ...body, amount: 51 }, token)).body.code).toBe('INTENT_CONFLICT');
  const refused = [
    await take(press(reference, 50, { branchId: closing }), token),
    await take(body, other.token),
    await asked(`payments/${body.id}`, other.token),
  ];
  expect(refused.map((answer) => answer.body.code)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
  expect((await lookUp(reference)).body.data.balance).toBe(2360);
});

test('a press that was given up is not booked by its call that is still under way; one that was booked stays', async () => {
  const reference = await purchased();
  const [late, done] = [press(reference, 50), press(reference, 60)];
  const drop = ({ id }: { id: string }, place = branchId) =>
    shop.ask(`POST /v1/counter/payments/${id}/drop`, { token: cashier, body: { branchId: place } });
  const asked = (id: string) => shop.ask(`GET /v1/counter/payments/${id}`, { token: cashier });
  const { data } = (await take(done)).body;
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = shop.db.transaction().execute(async (tx) => {
    await sql`select from purchases p join instalments i on i.purchase_id = p.id
      where i.id = ${Number(reference.slice(1))} for update of p`.execute(tx);
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const taking = take(late);
  await expect
    .poll(async () => {
      const waiting = sql<{ many: number }>`select count(*)::int as many from pg_locks where not granted`;
      return (await waiting.execute(shop.db)).rows[0]?.many;
    })
    .toBeGreaterThan(0);
  expect((await asked(late.id)).body.code).toBe('NOT_FOUND');
  expect((await drop(late)).body).toMatchObject({ isSuccess: true, data: null });
  release.resolve();
  await other;
  expect((await taking).body.code).toBe('PAYMENT_REVERSED');
  expect((await take(late)).body.code).toBe('PAYMENT_REVERSED');
  expect((await drop(late)).body.data).toBeNull();
  expect((await drop(done)).body.data).toEqual(data);
  expect((await lookUp(reference)).body.data.balance).toBe(2350);
  const elsewhere = await makeBranch(shop.db, shop.merchantId, 'Norte');
  expect((await drop(late, elsewhere)).body.code).toBe('NOT_FOUND');
});

test('who works in another branch since their press still gets its receipt, or gives it up so that it is booked no more', async () => {
  const { db, merchantId } = shop;
  const place = { merchantId, role: 'cashier' } as const;
  const [before, other] = [
    await makeStaff(db, { ...place, branchIds: [branchId] }),
    await makeStaff(db, { ...place, branchIds: [await makeBranch(db, merchantId)] }),
  ];
  const reference = await purchased();
  const [taken, lost] = [press(reference, 50), press(reference, 60)];
  const { data } = (await take(taken, before.token)).body;
  await db
    .updateTable('staff_positions')
    .set({ revoked_at: new Date() })
    .where('id', '=', before.positionId)
    .execute();
  const { token } = await makeStaff(db, {
    ...place,
    email: before.email,
    branchIds: [await makeBranch(db, merchantId)],
  });
  const drop = ({ id }: { id: string }, as = token) =>
    shop.ask(`POST /v1/counter/payments/${id}/drop`, { token: as, body: { branchId } });
  const asked = await shop.ask(`GET /v1/counter/payments/${taken.id}`, { token });
  expect(asked.body.data).toEqual(data);
  expect((await drop(lost, other.token)).body.code).toBe('NOT_FOUND');
  expect((await drop(taken)).body.data).toEqual(data);
  expect((await drop(lost)).body).toMatchObject({ isSuccess: true, data: null });
  expect((await take(lost)).body.code).toBe('PAYMENT_REVERSED');
});

test('what a cashier saw before somebody else paid is not filled into what comes next: nothing is taken, and the same press keeps its receipt', async () => {
  const reference = await purchased();
  const balanceShown = 2400;
  const [first, second] = [1, 2].map(() => press(reference, 1210, { balanceShown }));
  const taken = await take(first!);
  expect(taken.body.data).toMatchObject({ parts: [{ number: 2 }], balance: 1200 });
  expect((await take(second!, manager)).body).toMatchObject({
    code: 'AMOUNT_CHANGED',
    facts: { amount: 1210, all: 1210 },
  });
  expect((await take(first!)).body).toEqual(taken.body);
  expect((await take(press(reference, 1210, { balanceShown: 1200 }))).body.data.balance).toBe(0);
});

test('what cannot be taken is refused by a code, with the sum that would be right', async () => {
  const [deposit, reference] = [await reserved(), await purchased()];
  expect((await take(press(deposit, 600))).body).toMatchObject({
    code: 'AMOUNT_CHANGED',
    facts: { amount: 610, minimum: 610, all: 610 },
  });
  expect((await take(press(reference, 2410.01))).body).toMatchObject({
    code: 'AMOUNT_CHANGED',
    facts: { amount: 1210, minimum: 10.01, all: 2410 },
  });
  for (const [more, field] of [
    [{ tendered: 600 }, 'tendered'],
    [{ method: 'terminal', authorisation: '1' }, 'last4'],
    [{ method: 'terminal', last4: '4242' }, 'authorisation'],
  ] as const)
    expect((await take(press(deposit, 610, more))).body.fields).toHaveProperty(field);

  const id = Number(deposit.slice(1));
  const setTo = (change: object) =>
    shop.db.updateTable('layaway_references').set(change).where('id', '=', id).execute();
  const ago = (ms: number) => new Date(Date.now() - ms);
  await setTo({ created_at: ago(2_000), expires_at: ago(1_000) });
  expect((await take(press(deposit, 610))).body.code).toBe('REFERENCE_EXPIRED');
  await setTo({ state: 'cancelled', closed_at: new Date() });
  expect((await take(press(deposit, 610))).body.code).toBe('REFERENCE_CANCELLED');

  const paid = await reserved();
  await take(press(paid, 610));
  expect((await take(press(paid, 610))).body.code).toBe('REFERENCE_PAID');
  expect((await take(press(reference, 2410))).status).toBe(200);
  expect((await take(press(reference, 11))).body.code).toBe('PURCHASE_SETTLED');
  expect((await lookUp(reference)).body.data).toMatchObject({ state: 'paid_off', next: null, all: null });

  const cancelled = await purchased();
  const { purchase_id } = await shop.db
    .selectFrom('instalments')
    .select('purchase_id')
    .where('id', '=', Number(cancelled.slice(1)))
    .executeTakeFirstOrThrow();
  const ended = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${purchase_id}`, {
    token: shop.buyer.token,
    body: { cancelNotes: 'Ya no' },
  });
  expect(ended.status).toBe(200);
  expect((await take(press(cancelled, 20))).body.code).toBe('PURCHASE_CANCELLED');
});

test('another merchant’s number is not there, and asking for many is stopped as at a till', async () => {
  const merchantId = await makeMerchant(shop.db);
  const strangers = await makeStaff(shop.db, {
    merchantId,
    role: 'cashier',
    branchIds: [await makeBranch(shop.db, merchantId)],
  });
  const own = await reserved();
  const [foreign, none] = [await lookUp(own, strangers.token), await lookUp('10000000000', strangers.token)];
  expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
  expect(none.body).toEqual(foreign.body);
  const account = await shop.db
    .selectFrom('service_accounts')
    .select('id')
    .where('user_name', '=', `mostrador-${merchantId}`)
    .executeTakeFirstOrThrow();
  const { limitKey } = await import('../../platform/limiter.ts');
  await shop.db
    .updateTable('rate_counters')
    .set({ points: 100_000 })
    .where('key', '=', limitKey('till-unknown', account.id))
    .execute();
  const hoursLeft = ({ headers }: Answer) => Number(headers['retry-after']) / 3_600;
  const enough = await lookUp(own, strangers.token);
  expect(enough.body.code).toBe('TOO_MANY');
  expect(hoursLeft(enough)).toBeGreaterThan(0.9); // as long as is left of its hour
  const theirs = await makeProduct(shop.db, { merchantId });
  const reference = await makeReference(shop.db, {
    buyerId: (await makeBuyer(shop.db)).id,
    merchantId,
    productId: theirs,
  });
  const [branch] = (await shop.ask('GET /v1/counter/branches', { token: strangers.token })).body.data;
  const stopped = await take(press(`1${reference}`, 600, { branchId: branch.id }), strangers.token);
  expect(stopped.body.code).toBe('TOO_MANY');
  expect(hoursLeft(stopped)).toBeGreaterThan(0.9);
});

test('a deposit that is taken back ends its purchase, of which its receipt says that nothing is owed', async () => {
  const { folio, balance } = (await take(press(await reserved(), 610))).body.data;
  expect(balance).toBe(2400);
  expect((await reverse(folio)).body.data).toMatchObject({ cancelled: true, balance: 0, nextDueOn: null });
});

test('a manager takes a payment back the same day, with a reason, and nobody else does', async () => {
  const reference = await purchased();
  const body = press(reference, 47.5);
  const { folio } = (await take(body)).body.data;
  expect((await reverse(folio, cashier)).body.code).toBe('ROLE_NOT_ALLOWED');
  const reversed = await reverse(folio);
  expect(reversed.body.data.reversal).toMatchObject({ by: 'Rosa Luna', reason: 'Se cobró dos veces' });
  expect((await reverse(folio)).body.data).toEqual(reversed.body.data);
  expect((await lookUp(reference)).body.data.balance).toBe(2400);
  expect((await take(body)).body.code).toBe('PAYMENT_REVERSED');
  expect((await shop.ask(`GET /v1/counter/receipts/${folio}`, { token: cashier })).body.data).toEqual(
    reversed.body.data,
  );
  expect(reversed.body.data).toMatchObject({ balance: 2400, cancelled: false });
  expect((await reverse('ZZZZZZZZZZ')).body.code).toBe('NOT_FOUND');

  // Yesterday's stays.
  const old = (await take(press(reference, 50))).body.data;
  await shop.db
    .updateTable('till_operations')
    .set({ created_at: new Date(Date.now() - 86_400_000 * 2) })
    .where('transaction_id', '=', old.id)
    .execute();
  expect((await reverse(old.folio)).body.code).toBe('NOT_REVERSIBLE');
});

test('one press takes a payment back once, however often it is sent, and its receipt tells any other whose it was', async () => {
  const body = press(await purchased(), 47.5);
  const { folio } = (await take(body)).body.data;
  const [id, other] = [randomUUID(), randomUUID()];
  const both = await Promise.all([id, id].map((each) => reverse(folio, manager, 'Se cobró dos veces', each)));
  const [reversed] = both.map((answer) => answer.body.data);
  expect(reversed.reversal).toMatchObject({ id, by: 'Rosa Luna' });
  expect(both[1]!.body.data).toEqual(reversed);
  for (const each of [id, other, undefined])
    expect((await reverse(folio, manager, 'Se cobró dos veces', each)).body.data).toEqual(reversed);
  // Of a screen of the version before, which names no press, nothing is known.
  const { folio: older } = (await take(press(await purchased(), 47.5))).body.data;
  await reverse(older);
  expect((await reverse(older, manager, 'Se cobró dos veces', id)).body.data.reversal.id).toBeNull();
});

test('a press whose branch closed while its reply was lost still hears that it took the payment back, and another nothing', async () => {
  const { db, merchantId } = shop;
  const closing = await makeBranch(db, merchantId, 'Por cerrar');
  const place = { merchantId, branchIds: [branchId, closing] };
  const { token } = await makeStaff(db, { ...place, role: 'manager', name: 'Hugo Vera' });
  const { folio } = (await take(press(await purchased(), 47.5, { branchId: closing }), token)).body.data;
  const id = randomUUID();
  const reversed = await reverse(folio, token, 'Se cobró dos veces', id);
  await sql`update branches set closed_at = app_now() where id = ${closing}`.execute(db);
  expect((await reverse(folio, token, 'Se cobró dos veces', id)).body.data).toEqual(reversed.body.data);
  expect((await reverse(folio, token, 'Se cobró dos veces', randomUUID())).body.code).toBe('NOT_FOUND');
});

test('a press that gave nothing back takes the payment back no more, however late it comes; one that did stays', async () => {
  const folio = (await take(press(await purchased(), 50))).body.data.folio;
  const [late, done] = [randomUUID(), randomUUID()];
  const takeBack = (id: string) => reverse(folio, manager, 'Se cobró dos veces', id);
  const drop = (id: string, token = manager) =>
    shop.ask(`POST /v1/counter/receipts/${folio}/reverse/drop`, { token, body: { id } });
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = shop.db.transaction().execute(async (tx) => {
    await sql`select from purchases p join instalments i on i.purchase_id = p.id
      join allocations a on a.instalment_id = i.id join receipts r on r.id = a.receipt_id
      where r.folio = ${folio} for update of p`.execute(tx);
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const reversing = takeBack(late);
  await expect
    .poll(async () => {
      const waiting = sql<{ many: number }>`select count(*)::int as many from pg_locks where not granted`;
      return (await waiting.execute(shop.db)).rows[0]?.many;
    })
    .toBeGreaterThan(0);
  // Also by whoever is a cashier since.
  expect((await drop(late, cashier)).body).toMatchObject({ isSuccess: true, data: null });
  release.resolve();
  await other;
  expect((await reversing).body.code).toBe('PRESS_DROPPED');
  expect((await drop(late)).body).toMatchObject({ isSuccess: true, data: null });
  expect((await takeBack(late)).body.code).toBe('PRESS_DROPPED');
  const { data } = (await shop.ask(`GET /v1/counter/receipts/${folio}`, { token: manager })).body;
  expect(data.reversal).toBeNull();
  const reversed = await takeBack(done);
  expect(reversed.body.data.reversal.id).toBe(done);
  expect((await drop(done)).body.data).toEqual(reversed.body.data);
  expect((await takeBack(done)).body.data).toEqual(reversed.body.data);
});

test('who took a payment back reads so in a branch that closed, or is theirs no longer, before its answer came; nobody else does', async () => {
  const { db, merchantId } = shop;
  const closing = await makeBranch(db, merchantId, 'Por cerrar también');
  const place = { merchantId, branchIds: [branchId, closing] };
  const cashier = await makeStaff(db, { ...place, role: 'cashier' });
  const [hugo, rosa] = [
    await makeStaff(db, { ...place, role: 'manager', name: 'Hugo Vera' }),
    await makeStaff(db, { ...place, role: 'manager', name: 'Rosa Luna' }),
  ];
  const taken = await take(press(await purchased(), 47.5, { branchId: closing }), cashier.token);
  const { folio } = taken.body.data;
  const id = randomUUID();
  await reverse(folio, hugo.token, 'Se cobró dos veces', id);
  await sql`update branches set closed_at = app_now() where id = ${closing}`.execute(db);
  const asked = (by: MadeStaff) => shop.ask(`GET /v1/counter/receipts/${folio}`, by);
  expect((await asked(hugo)).body.data.reversal).toMatchObject({ id, by: 'Hugo Vera' });
  expect((await asked(rosa)).body.code).toBe('NOT_FOUND');
});

test('over the branch’s cap of the day nothing is taken', async () => {
  const { db, merchantId } = shop;
  const productId = await makeProduct(db, { merchantId, priceCentavos: 100_000_000 });
  const reference = `1${await makeReference(db, { buyerId: shop.buyer.id, merchantId, productId })}`;
  expect((await take(press(reference, 200_010))).body.code).toBe('OVER_CAP');
});

test('what was taken on a shared phone names it, on the receipt and in what staff did', async () => {
  const { db, merchantId } = shop;
  const device = await makeDevice(db, { merchantId, branchId, name: 'Teléfono azul' });
  const { positionId } = await makeStaff(db, { merchantId, role: 'manager', branchIds: [branchId] });
  const session = await signInOn(db, device, positionId);
  const body = press(await reserved(), 610);
  const taken = await shop.ask('POST /v1/counter/payments', { ...session, body });
  expect(taken.body.data).toMatchObject({ takenBy: 'Luis Mora', device: 'Teléfono azul' });
  const undo = { ...session, body: { reason: 'Se cobró dos veces' } };
  const undone = await shop.ask(`POST /v1/counter/receipts/${taken.body.data.folio}/reverse`, undo);
  expect(undone.body.data.reversal).not.toBeNull();
  const acts = await db
    .selectFrom('staff_acts')
    .select(['act', 'device_id'])
    .where('subject_id', '=', body.id)
    .orderBy('id')
    .execute();
  expect(acts).toEqual([
    { act: 'take_payment', device_id: device.id },
    { act: 'reverse_payment', device_id: device.id },
  ]);
});

test("a till's receipt says in which branch it was, once the shop says what its tills call it", async () => {
  const till = await openTill(shop, 'CADENA', [shop.merchantId]);
  await till.deposit({ referencia: await reserved(), importe: 610, sucursal: '12' });
  const { folio } = await shop.db
    .selectFrom('receipts')
    .select('folio')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const branchOf = async () =>
    (await shop.ask(`GET /v1/Receipts/GetAsync/${folio}`, { token: shop.buyer.token })).body.data.branch;
  expect(await branchOf()).toBeNull();
  await shop.db
    .updateTable('branches')
    .set({ till_chain: 'CADENA', till_branch: '12' })
    .where('id', '=', branchId)
    .execute();
  expect(await branchOf()).toBe('Centro');
});
