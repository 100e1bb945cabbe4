import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { answer3ds, endReference, MINUTE, runRefunds, till } from '../../test/card-acts.ts';
import { makeBranch, makeBuyer, makeMerchant, makeProduct, makeStaff } from '../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../test/shop.ts';
import { proveBooks } from '../ledger/books/proofs.read-model.ts';

let shop: Shop;
let owner: string;
let manager: string;
let branchIds: [number, number];
beforeAll(async () => {
  shop = await openShop();
  const { db, merchantId } = shop;
  branchIds = [await makeBranch(db, merchantId, 'Centro'), await makeBranch(db, merchantId, 'Norte')];
  owner = (await makeStaff(db, { merchantId, role: 'owner' })).token;
  manager = (await makeStaff(db, { merchantId, role: 'manager', branchIds: branchIds.slice(0, 1) })).token;
});
afterAll(() => shop.close());

const count = async (productId: number, body: object, token = owner) =>
  (await shop.ask(`POST /v1/counter/products/${productId}/units`, { token, body })).body;
const unitsOf = async (productId: number) =>
  (await shop.ask(`GET /v1/counter/products/${productId}`, { token: owner })).body.data.units;
/** A product of which Centro has so many for sale. */
async function counted(free: number): Promise<number> {
  const productId = await makeProduct(shop.db, { merchantId: shop.merchantId });
  expect((await count(productId, { branchId: branchIds[0], free, was: 0 })).isSuccess).toBe(true);
  return productId;
}
async function asks(productId: number) {
  const { id, token } = await makeBuyer(shop.db);
  const body = { Referencia: `1|${shop.merchantId}|${productId}|0||||0` };
  const reserved = (await shop.ask('POST /v1/PullApartReference', { token, body })).body;
  return { id, token, reserved, reference: reserved.data };
}
const counter = (reference: string, branchId = branchIds[0]) =>
  shop.ask('POST /v1/counter/payments', {
    token: owner,
    body: { id: randomUUID(), branchId, reference, amount: 600, method: 'cash', tendered: 600 },
  });
const shelf = async (body: object, token = owner) =>
  (await shop.ask('POST /v1/counter/shelf', { token, body })).body;

test('the picture of a product is shown wherever its shop or its buyer sees it, and nowhere once it is taken away', async () => {
  const productId = await counted(1);
  const create = { width: 40, height: 30, channels: 3, background: '#b5651d' } as const;
  const photo = (await sharp({ create }).jpeg().toBuffer()).toString('base64');
  const set = async (picture: string | null) =>
    (await shop.ask(`POST /v1/counter/products/${productId}/picture`, { token: owner, body: { picture } }))
      .body.data.pictures;
  const pictures = await set(photo);
  const { id, token, reference } = await asks(productId);
  const code = reference.paymentReference;
  const read = async (path: string, as: string) => (await shop.ask(`GET ${path}`, { token: as })).body.data;
  const charged = async () => (await read(`/v1/counter/references/${code}`, owner)).pictures;
  expect([pictures.small, await charged()]).toEqual([expect.stringMatching(/^\/pictures\//), pictures]);
  await counter(code);
  const [bought] = await read(`/v1/Cxc/ByBuyerIdH/${id}`, token);
  const { units } = await read(`/v1/counter/shelf?branchId=${branchIds[0]}`, owner);
  const kept = units.find((unit: { reference: string }) => unit.reference === code);
  expect([bought.pictures, kept.pictures, await charged()]).toEqual([pictures, pictures, pictures]);
  expect((await read(`/v1/Sales/GetAsync/${bought.ventaId}`, token)).pictures).toEqual(pictures);
  expect((await read(`/v1/BusinessProduct/GetAsync/${productId}`, token)).pictures).toEqual(pictures);
  await set(null);
  expect([await charged(), (await read(`/v1/Sales/GetAsync/${bought.ventaId}`, token)).pictures]).toEqual([
    null,
    null,
  ]);
});

test('who counts says how many they saw: another number is refused with today’s, a repeated press is not', async () => {
  const productId = await makeProduct(shop.db, { merchantId: shop.merchantId });
  expect(await unitsOf(productId)).toBeNull();
  const three = { branchId: branchIds[0], free: 3, was: 0 };
  expect((await count(productId, three)).data.units.free).toBe(3);
  expect((await count(productId, three)).data.units.free).toBe(3);
  expect(await count(productId, { ...three, free: 5 })).toMatchObject({
    code: 'UNITS_CHANGED',
    facts: { free: 3 },
  });
  expect((await count(productId, { ...three, branchId: branchIds[1] }, manager)).code).toBe('NOT_FOUND');
  expect((await count(productId, { ...three, free: 4, was: 3 }, manager)).data.units.branches).toEqual([
    { branchId: branchIds[0], branch: 'Centro', free: 4, held: 0 },
  ]);
  const stranger = await makeProduct(shop.db, { merchantId: await makeMerchant(shop.db) });
  expect((await count(stranger, three)).code).toBe('NOT_FOUND');
  const stop = await shop.ask(`POST /v1/counter/products/${productId}/stop-counting`, { token: owner });
  expect(stop.body.data.units).toBeNull();
});

test('who counts again after nobody did begins with nothing, in each branch, whatever was counted before', async () => {
  const productId = await counted(3);
  const [centro, norte] = branchIds;
  await count(productId, { branchId: norte, free: 4, was: 0 });
  const ana = await asks(productId);
  await counter(ana.reference.paymentReference);
  await shop.ask(`POST /v1/counter/products/${productId}/stop-counting`, { token: owner });
  const body = { branchId: centro, free: 5, was: 0 }; // as the screen shows it: not counted
  expect((await count(productId, body)).data.units).toEqual({
    free: 5,
    branches: [
      { branchId: centro, branch: 'Centro', free: 5, held: 1 },
      { branchId: norte, branch: 'Norte', free: 0, held: 0 },
    ],
  });
  expect((await count(productId, body)).data.units.free).toBe(5);
  expect(await proveBooks(shop.db)).toEqual([]);
});

test('the last unit is the first deposit’s: others are told before any money moves, until it is cancelled', async () => {
  const productId = await counted(1);
  const [ana, eva] = [await asks(productId), await asks(productId)];
  expect((await counter(ana.reference.paymentReference)).status).toBe(200);

  const soldOut = async (token: string) =>
    (await shop.ask(`GET /v1/BusinessProduct/GetAsync/${productId}`, { token })).body.data.soldOut;
  expect([await soldOut(ana.token), await soldOut(eva.token)]).toEqual([true, true]);
  expect((await asks(productId)).reserved.code).toBe('SOLD_OUT');
  expect((await counter(eva.reference.paymentReference)).body.code).toBe('SOLD_OUT');
  expect((await till(shop, eva.reference)).body).toMatchObject({ error: 10, mensaje: 'Producto agotado' });
  const { paymentReference } = eva.reference;
  const found = await shop.ask(`GET /v1/counter/references/${paymentReference}`, { token: owner });
  expect(found.body.data).toMatchObject({ state: 'sold_out' });
  const before = (await shop.control('GET /control/log')).attempts.length;
  expect((await shop.pay(eva.reference, CARDS.approved, { token: eva.token })).body.code).toBe('SOLD_OUT');
  expect((await shop.control('GET /control/log')).attempts).toHaveLength(before);

  const { id } = await shop.db
    .selectFrom('purchases')
    .select('id')
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow();
  const sale = async () => (await shop.ask(`GET /v1/Sales/GetAsync/${id}`, { token: ana.token })).body.data;
  expect((await sale()).kept).toMatchObject({ branch: 'Centro', checkedAt: null });
  const line = await shop.ask(`GET /v1/counter/purchases?search=${id}`, { token: owner });
  expect(line.body.data.purchases).toMatchObject([{ keptIn: 'Centro', settledAt: null }]);
  await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${id}`, {
    token: ana.token,
    body: { cancelNotes: 'Ya no' },
  });
  expect((await sale()).kept).toBeNull();
  expect((await unitsOf(productId)).free).toBe(1);
  expect(await soldOut(eva.token)).toBe(false);
  expect((await shop.pay(eva.reference, CARDS.approved, { token: eva.token })).body.data.applied).toBe(true);
});

test('a card whose bank approves after the last unit went goes back whole, and its buyer reads why', async () => {
  const productId = await counted(1);
  const [ana, eva] = [await asks(productId), await asks(productId)];
  const intentId = randomUUID();
  await shop.pay(ana.reference, CARDS.threeDs, { token: ana.token, intentId });
  expect((await till(shop, eva.reference)).body.error).toBe(0);
  await answer3ds(shop, intentId, 'approve');
  const read = () => shop.ask(`GET /v1/Clib/GetAttemptAsync/${intentId}`, { token: ana.token });
  expect((await read()).body.data).toMatchObject({
    state: 'returned',
    returnReason: 'sold_out',
    refund: { amount: 615, done: false },
  });
  // Wherever the buyer looks, not on its own screen alone: also as something that waits, for the list.
  const { token, id: anaId } = ana;
  const unresolved = async () => {
    const found = await shop.ask('GET /v1/PullApartReferences/UnresolvedAsync', { token });
    const list = await shop.ask(`GET /v1/Cxc/ByBuyerIdH/${anaId}?status=2`, { token });
    expect(list.body.unresolved).toBe(found.body.data.length);
    return found.body.data;
  };
  expect(await unresolved()).toMatchObject([{ id: ana.reference.id, owedToCard: 615, owedBack: 0 }]);
  const refund = shop.db
    .updateTable('refunds')
    .where('cause', '=', 'not_applicable')
    .where('receipt_id', 'in', (of) => of.selectFrom('receipts').select('id').where('buyer_id', '=', anaId));
  await refund.set({ state: 'blocked' }).execute();
  expect(await unresolved()).toMatchObject([{ owedToCard: 615 }]);
  await refund.set({ state: 'owed' }).execute();
  await runRefunds(shop);
  expect((await read()).body.data.refund).toEqual({ amount: 615, done: true });
  expect(await unresolved()).toEqual([]);
  const { facts } = await shop.db
    .selectFrom('outbox')
    .select('facts')
    .where('buyer_id', '=', ana.id)
    .where('topic', '=', 'payment_returned')
    .executeTakeFirstOrThrow();
  expect(facts).toMatchObject({ returnReason: 'sold_out' });
});

test('where the shop keeps units from the reservation on, it holds its own until it expires', async () => {
  await sql`update merchants set holds_references = true where id = ${shop.merchantId}`.execute(shop.db);
  try {
    const productId = await counted(1);
    const ana = await asks(productId);
    expect(await unitsOf(productId)).toMatchObject({ free: 0, branches: [{ held: 1 }] });
    const seen = async (token: string) =>
      (await shop.ask(`GET /v1/BusinessProduct/GetAsync/${productId}`, { token })).body.data.soldOut;
    expect([await seen(ana.token), await seen((await makeBuyer(shop.db)).token)]).toEqual([false, true]);
    expect((await asks(productId)).reserved.code).toBe('SOLD_OUT');
    await sql`update layaway_references set created_at = created_at - interval '9 days',
      expires_at = now() - interval '1 hour' where id = ${ana.reference.id}`.execute(shop.db);
    await shop.job.expire_references({}, shop.jobs.log);
    expect(await unitsOf(productId)).toMatchObject({ free: 1, branches: [{ held: 0 }] });
    const eva = await asks(productId);
    expect((await till(shop, eva.reference)).body.error).toBe(0);
    expect(await unitsOf(productId)).toMatchObject({ free: 0, branches: [{ held: 1 }] });
  } finally {
    await sql`update merchants set holds_references = false where id = ${shop.merchantId}`.execute(shop.db);
  }
});

test('a card that is approved late takes the last unit, though its buyer’s newer reservation keeps it', async () => {
  await sql`update merchants set holds_references = true where id = ${shop.merchantId}`.execute(shop.db);
  onTestFinished(async () => {
    await sql`update merchants set holds_references = false where id = ${shop.merchantId}`.execute(shop.db);
  });
  const productId = await counted(1);
  const { token, reference } = await asks(productId);
  const intentId = randomUUID();
  await shop.pay(reference, CARDS.threeDs, { token, intentId });
  await shop.age(intentId, 31 * MINUTE);
  await shop.poll(intentId);
  await endReference(shop, reference, MINUTE);
  await shop.job.expire_references({}, shop.jobs.log);
  const body = { Referencia: `1|${shop.merchantId}|${productId}|0||||0` };
  const newer = (await shop.ask('POST /v1/PullApartReference', { token, body })).body.data;
  expect(newer.id).not.toBe(reference.id);
  expect(await unitsOf(productId)).toMatchObject({ free: 0, branches: [{ held: 1 }] });

  await answer3ds(shop, intentId, 'approve');
  await shop.poll(intentId);
  expect((await shop.attempt(intentId)).state).toBe('applied');
  expect(await unitsOf(productId)).toMatchObject({ free: 0, branches: [{ held: 1 }] });
  const { state } = await shop.db
    .selectFrom('layaway_references')
    .select('state')
    .where('id', '=', newer.id)
    .executeTakeFirstOrThrow();
  expect(state).toBe('cancelled');
});

test('the shelf is checked by any number of what is kept: what is missing is written down, and found again', async () => {
  const productId = await counted(1);
  const ana = await asks(productId);
  await counter(ana.reference.paymentReference, branchIds[1]);
  const code = ana.reference.paymentReference;
  const list = async (branchId = branchIds[0], token = manager) =>
    (await shop.ask(`GET /v1/counter/shelf?branchId=${branchId}`, { token })).body;
  expect((await list()).data.units.map(({ reference }: { reference: string }) => reference)).toContain(code);
  expect((await list(branchIds[1])).code).toBe('NOT_FOUND');
  const here = { branchId: branchIds[0], code, isThere: true };
  expect(await shelf({ ...here, branchId: branchIds[1] })).toMatchObject({
    code: 'KEPT_ELSEWHERE',
    facts: { branch: 'Centro' },
  });
  expect((await shelf({ ...here, branchId: branchIds[1] }, manager)).code).toBe('NOT_FOUND');
  expect((await shelf({ ...here, isThere: false }, manager)).data).toMatchObject({
    reference: code,
    checkedAt: null,
    missingSince: expect.any(String),
  });
  expect((await list()).data.units[0].reference).toBe(code);
  expect((await shelf(here, manager)).data).toMatchObject({
    checkedAt: expect.any(String),
    missingSince: null,
  });
  expect((await shelf({ ...here, code: '14821007536' })).code).toBe('NOT_FOUND');
  const free = await makeProduct(shop.db, { merchantId: shop.merchantId });
  const eva = await asks(free);
  expect((await shelf({ ...here, code: eva.reference.paymentReference })).code).toBe('NOT_KEPT');
  expect(await proveBooks(shop.db)).toEqual([]);
});

test('what a branch keeps that closed meanwhile is seen and ticked by its manager and the owner, and kept where it is brought', async () => {
  const { db, merchantId } = shop;
  const [centro] = branchIds;
  const closing = await makeBranch(db, merchantId, 'Sur');
  const theirs = { merchantId, branchIds: [centro, closing] };
  const { token: boss } = await makeStaff(db, { ...theirs, role: 'manager' });
  const { token: cashier } = await makeStaff(db, { ...theirs, role: 'cashier' });
  const productId = await makeProduct(db, { merchantId });
  await count(productId, { branchId: closing, free: 2, was: 0 });
  const [ana, eva] = [await asks(productId), await asks(productId)];
  for (const { reference } of [ana, eva]) await counter(reference.paymentReference, closing);
  await db.updateTable('branches').set({ closed_at: new Date() }).where('id', '=', closing).execute();

  const codes = [ana, eva].map(({ reference }) => reference.paymentReference as string);
  const closed = async (token: string) =>
    (await shop.ask('GET /v1/counter/closed-branches', { token })).body.data;
  const kept = async (branchId: number, token: string) =>
    (await shop.ask(`GET /v1/counter/shelf?branchId=${branchId}`, { token })).body.data?.units.map(
      ({ reference }: { reference: string }) => reference,
    );
  for (const token of [owner, boss]) {
    const sur = { id: closing, name: 'Sur', hasUnits: true };
    expect(await closed(token)).toContainEqual(expect.objectContaining(sur));
    expect((await kept(closing, token)).toSorted()).toEqual(codes.toSorted());
    expect((await shelf({ branchId: closing, code: codes[0], isThere: true }, token)).data).toMatchObject({
      checkedAt: expect.any(String),
    });
  }
  for (const token of [manager, cashier]) {
    expect(await closed(token)).toEqual([]);
    expect(await kept(closing, token)).toBeUndefined();
  }
  const here = { branchId: centro, code: codes[0] };
  expect((await shelf({ ...here, isThere: false })).code).toBe('KEPT_ELSEWHERE');
  // Whoever has it in their hands says where it is.
  const [once, again] = await Promise.all([
    shelf({ ...here, isThere: true }, cashier),
    shelf({ ...here, isThere: true }),
  ]);
  expect([once.isSuccess, again.isSuccess]).toEqual([true, true]);
  expect([await kept(closing, owner), await kept(centro, owner)]).toEqual([
    [codes[1]],
    expect.arrayContaining([codes[0]]),
  ]);
  expect(await unitsOf(productId)).toEqual({
    free: 0,
    branches: [{ branchId: centro, branch: 'Centro', free: 0, held: 1 }],
  });
  expect(await proveBooks(db)).toEqual([]);
});
