import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  makeBranch,
  makeBuyer,
  makeMerchant,
  makeProduct,
  makeStaff,
  type MadeBuyer,
} from '../../../test/make.ts';
import { makeClaimed, makePurchase, makeSettled, payPurchase } from '../../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { asOwner } from '../../../test/store-acts.ts';
import { deliverEmail } from '../../platform/email/deliver-email.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { refundClaimByOperator } from '../cancelling/refund-claim.ts';
import { reversePayment } from '../plans/reverse-payment.ts';
import { lockPurchase } from '../plans/store.ts';

let shop: Shop;
let owner: string;
let manager: string;
let cashier: string;
let branchId: number;
beforeAll(async () => {
  shop = await openShop();
  const { db, merchantId } = shop;
  branchId = await makeBranch(db, merchantId, 'Centro');
  owner = (await makeStaff(db, { merchantId, role: 'owner' })).token;
  manager = (await makeStaff(db, { merchantId, role: 'manager', branchIds: [branchId] })).token;
  cashier = (await makeStaff(db, { merchantId, role: 'cashier', branchIds: [branchId] })).token;
});
afterAll(() => shop.close());

interface Bought {
  readonly id: number;
  readonly buyer: MadeBuyer;
}

/** A purchase of $3,000 that was paid whole so many days ago. */
async function settled(daysAgo = 16): Promise<Bought> {
  const { db, merchantId } = shop;
  const buyer = await makeBuyer(db);
  const productId = await makeProduct(db, { merchantId });
  return { ...(await makeSettled(shop, { buyerId: buyer.id, merchantId, productId }, daysAgo)), buyer };
}

async function claimed(): Promise<Bought & { readonly claimFolio: string }> {
  const { db, merchantId } = shop;
  const buyer = await makeBuyer(db);
  const productId = await makeProduct(db, { merchantId });
  return { ...(await makeClaimed(shop, { buyerId: buyer.id, merchantId, productId })), buyer };
}

const open = ({ id, buyer }: Bought, notes = 'Dicen que no ha llegado') =>
  shop.ask(`POST /v1/Sales/ClaimAsync/${id}`, { token: buyer.token, body: { notes } });
const withdraw = ({ id, buyer }: Bought, claimFolio: string) =>
  shop.ask(`PUT /v1/Sales/ClaimWithdrawAsync/${id}`, { token: buyer.token, body: { claimFolio } });
const saleOf = async ({ id, buyer }: Bought) =>
  (await shop.ask(`GET /v1/Sales/GetAsync/${id}`, { token: buyer.token })).body.data;
const at = async (path: string, token = owner) =>
  (await shop.ask(`GET /v1/counter/${path}`, { token })).body.data;
const answer = (id: number, body: object, token = manager) =>
  shop.ask(`POST /v1/counter/purchases/${id}/claim/answer`, { token, body });
const giveBack = (id: number, body: object, token = owner) =>
  shop.ask(`POST /v1/counter/purchases/${id}/claim/refund`, { token, body });
const reason = 'Ya no nos va a llegar';
const emailsTo = async ({ id }: MadeBuyer) =>
  (await shop.db.selectFrom('outbox').select('topic').where('buyer_id', '=', id).orderBy('id').execute()).map(
    ({ topic }) => topic,
  );
/** Other rows of the same shop stay out of the way: each test counts what it adds. */
const openClaims = async () => (await at('today')).claims;

const digitsOf = async ({ id, buyer }: Bought): Promise<string> =>
  (await shop.ask(`GET /v1/Sales/PickupAsync/${id}`, { token: buyer.token })).body.data.code.digits;

/** Hands a purchase over as the counter does. */
async function handOver({ id }: Bought, digits: string) {
  const body = { id: randomUUID(), branchId, purchaseId: id, digits };
  return shop.ask('POST /v1/counter/hand-overs', { token: cashier, body });
}

test('a buyer claims what they paid and did not get in time, once, however often they press', async () => {
  const bought = await settled();
  expect(await saleOf(bought)).toMatchObject({ deliveryDays: 15, mayClaim: true, claim: null });
  const before = await openClaims();
  const pressed = await Promise.all([open(bought), open(bought), open(bought, 'Otra vez')]);
  const folios = new Set(pressed.map(({ body }) => body.data.claimFolio));
  expect([folios.size, ...pressed.map(({ status }) => status)]).toEqual([1, 200, 200, 200]);
  const [claim] = pressed.map(({ body }) => body.data);
  expect(claim).toMatchObject({ state: 'open', answer: null, isOverdue: false, endedAt: null });
  expect((await open(bought)).body.data).toEqual(claim);
  expect(await saleOf(bought)).toMatchObject({ mayClaim: false, claim });
  expect((await emailsTo(bought.buyer)).filter((topic) => topic.startsWith('claim'))).toEqual([
    'claim_opened',
  ]);
  expect(await openClaims()).toEqual({ amount: before.amount + 3_000, count: before.count + 1 });
  expect((await at('purchases?show=claimed')).purchases[0]).toMatchObject({
    id: bought.id,
    state: 'paid_off',
  });
  expect(await at(`purchases/${bought.id}`)).toMatchObject({ claim, mayEnd: true });
});

test('nobody claims too early, nor what is not paid whole, is theirs no more, or has ended', async () => {
  const inTime = await settled(14);
  const early = await open(inTime);
  expect([early.status, early.body.code]).toEqual([409, 'CLAIM_TOO_EARLY']);
  expect(early.body.facts.day).toBe((await saleOf(inTime)).deliverBy);
  const { db, merchantId } = shop;
  const buyer = await makeBuyer(db);
  const given = { buyerId: buyer.id, merchantId, productId: await makeProduct(db, { merchantId }) };
  const owing = { ...(await makePurchase(db, given)), buyer };
  expect((await open(owing)).body.code).toBe('NOT_PAID_OFF');
  expect(await saleOf(owing)).toMatchObject({ deliverBy: null, mayClaim: false });
  expect((await open({ ...inTime, buyer })).body.code).toBe('NOT_FOUND');
  const delivered = await settled();
  expect((await handOver(delivered, await digitsOf(delivered))).status).toBe(200);
  expect((await open(delivered)).body.code).toBe('HANDED_OVER');
  await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${owing.id}`, { token: buyer.token, body: {} });
  expect((await open(owing)).body.code).toBe('PURCHASE_CANCELLED');
});

test('the shop answers within five business days in words that the buyer reads, and an owner hears of the claim at once', async () => {
  const bought = await claimed();
  const { id, claimFolio, buyer } = bought;
  const said = { claimFolio, answer: 'Llega el martes, te guardamos el tuyo' };
  const today = (await at('today')).day;
  for (const promisedOn of ['2020-01-01', '2199-01-01'])
    expect((await answer(id, { ...said, promisedOn })).body).toMatchObject({ code: 'INVALID_INPUT' });
  expect((await answer(id, said, cashier)).body.code).toBe('ROLE_NOT_ALLOWED');
  const foreign = await makeStaff(shop.db, { merchantId: await makeMerchant(shop.db), role: 'owner' });
  expect((await answer(id, said, foreign.token)).body.code).toBe('NOT_FOUND');
  expect((await answer(id, { ...said, claimFolio: 'ZZZZZZZZZZ' })).body.code).toBe('NOT_FOUND');
  const answered = await answer(id, { ...said, promisedOn: today });
  expect(answered.body.data).toMatchObject({
    state: 'answered',
    answer: { text: said.answer, promisedOn: today },
  });
  expect((await answer(id, { ...said, promisedOn: today })).body).toEqual(answered.body);
  expect((await saleOf(bought)).claim).toEqual(answered.body.data);
  expect((await emailsTo(buyer)).filter((topic) => topic.startsWith('claim'))).toEqual([
    'claim_opened',
    'claim_answered',
  ]);
  // Its day passes: the operator's affair, and still the shop's to answer.
  await asOwner(
    shop,
    "update claims set opened_at = opened_at - interval '9 days', due_at = app_now() - interval '1 minute' where folio = $1",
    [claimFolio],
  );
  expect((await saleOf(bought)).claim.isOverdue).toBe(true);
  expect((await answer(id, { claimFolio, answer: 'Mañana sin falta' })).body.data).toMatchObject({
    isOverdue: false,
    answer: { promisedOn: null },
  });
});

test('owners are mailed of a claim that waits for their answer, with nothing of the buyer but a short name', async () => {
  const merchantId = await makeMerchant(shop.db);
  const { email } = await makeStaff(shop.db, { merchantId, role: 'owner' });
  const buyer = await makeBuyer(shop.db, { userName: 'Marisol Ramos Díaz' });
  const productId = await makeProduct(shop.db, { merchantId });
  await makeClaimed(shop, { buyerId: buyer.id, merchantId, productId });
  await shop.job.queue_shop_mails({}, shop.jobs.log);
  await shop.job.queue_shop_mails({}, shop.jobs.log);
  const queued = await shop.db.selectFrom('outbox').select('id').where('recipient', '=', email).execute();
  expect(queued).toHaveLength(1);
  await deliverEmail(shop.jobs, queued[0]!.id);
  const { emails } = await shop.control('GET /control/emails');
  const [mail] = emails.filter(({ to }: { to: string[] }) => to.includes(email));
  expect(mail.subject).toContain('un comprador reclama su entrega, $3,000.00 MXN');
  expect(mail.text).toContain('Marisol R.');
  expect(mail.text).toContain('Contesta antes del');
  expect(mail.text + mail.html).not.toMatch(/Ramos|undefined|null|\bNaN\b/);
});

test('a claim ends with everything back the way it came, card and cash, fees too, and the books prove it', async () => {
  const reference = await shop.reference();
  const { body } = await shop.pay(reference, CARDS.approved);
  const id: number = body.data.ventaId;
  await payPurchase(shop.db, id, 240_000);
  const bought = { id, buyer: shop.buyer };
  await asOwner(shop, 'update purchases set delivery_promise_days = 1 where id = $1', [id]);
  await asOwner(
    shop,
    `update receipts set paid_at = received_at - interval '3 days' where id in (
      select receipt_id from allocations a join instalments i on i.id = a.instalment_id where i.purchase_id = $1)`,
    [id],
  );
  const { claimFolio } = (await open(bought)).body.data;
  const quote = await at(`purchases/${id}/end-quote`);
  const cancel = `PUT /v1/Sales/UpdateCancelByBuyerAsync/${id}`;
  expect((await shop.ask(cancel, { token: shop.buyer.token, body: {} })).body.code).toBe('PURCHASE_SETTLED');
  expect(quote).toMatchObject({ paid: 3_000, penalty: 0, feesReturned: 15, feesKept: 0, refund: 3_015 });
  expect((await giveBack(id, { claimFolio, reason, refundShown: 3_000 })).body.code).toBe('QUOTE_CHANGED');
  expect((await giveBack(id, { claimFolio, reason, refundShown: 3_015 }, manager)).body.code).toBe(
    'ROLE_NOT_ALLOWED',
  );
  const pressed = await Promise.all(
    [0, 1].map(() => giveBack(id, { claimFolio, reason, refundShown: 3_015 })),
  );
  expect(pressed.map(({ status }) => status)).toEqual([200, 200]);
  const { refunds } = pressed[0]!.body.data;
  expect(refunds.toSorted((a: any, b: any) => a.amount - b.amount)).toMatchObject([
    { amount: 615, last4: '7669' },
    { amount: 2_400, last4: null },
  ]);
  expect(await saleOf(bought)).toMatchObject({
    saleStatusId: 2,
    endedBy: 'claim',
    cancelNotes: reason,
    SSOIdBuyerCancel: '',
    mayClaim: false,
    cancelBill: { paid: 3_015, penalty: 0, feesReturned: 15, feesKept: 0, refund: 3_015 },
    claim: { claimFolio, state: 'refunded' },
  });
  expect((await answer(id, { claimFolio, answer: 'Llega el martes' })).body.code).toBe('CLAIM_ENDED');
  expect((await withdraw(bought, claimFolio)).body.code).toBe('CLAIM_ENDED');
  const ended = await shop.db
    .selectFrom('outbox')
    .select('id')
    .where('topic', '=', 'purchase_ended')
    .where('dedupe_key', '=', `purchase:${id}`)
    .execute();
  expect(ended).toHaveLength(1);
  await deliverEmail(shop.jobs, ended[0]!.id);
  const { emails } = await shop.control('GET /control/emails');
  const mine = emails.filter(({ subject }: { subject: string }) => subject.startsWith('Tu reclamo terminó'));
  expect(mine).toHaveLength(1);
  expect(mine[0].text).toContain('No te entregaron el producto.');
  expect(mine[0].text).not.toContain('La tienda terminó');
});

test('a claim is handed over or paid back when both are pressed at once, and never both', async () => {
  for (let round = 0; round < 3; round += 1) {
    const bought = await claimed();
    const { id, claimFolio } = bought;
    const digits = await digitsOf(bought);
    const [given, back] = await Promise.all([
      handOver(bought, digits),
      giveBack(id, { claimFolio, reason, refundShown: 3_000 }),
    ]);
    expect([given.status, back.status].toSorted()).toEqual([200, 409]);
    const sale = await saleOf(bought);
    expect([sale.delivered, sale.claim.state]).toEqual(
      given.status === 200 ? [true, 'delivered'] : [false, 'refunded'],
    );
    expect(given.status === 200 ? back.body.code : given.body.code).toBe(
      given.status === 200 ? 'CLAIM_ENDED' : 'PURCHASE_CANCELLED',
    );
  }
  const first = await claimed();
  await handOver(first, await digitsOf(first));
  const late = await giveBack(first.id, { claimFolio: first.claimFolio, reason, refundShown: 3_000 });
  expect(late.body.code).toBe('CLAIM_ENDED');
});

test('a pickup code that would have ended opens its purchase while a claim is open', async () => {
  const bought = await claimed();
  const digits = await digitsOf(bought);
  await asOwner(
    shop,
    "update pickup_codes set expires_at = app_now() - interval '1 day' where purchase_id = $1",
    [bought.id],
  );
  expect((await handOver(bought, digits)).status).toBe(200);
  expect((await saleOf(bought)).claim.state).toBe('delivered');
});

test('a buyer takes a claim back, and may claim again a day later', async () => {
  const bought = await claimed();
  const { claimFolio } = bought;
  expect((await withdraw(bought, 'ZZZZZZZZZZ')).body.code).toBe('NOT_FOUND');
  const gone = await withdraw(bought, claimFolio);
  expect(gone.body.data).toMatchObject({ state: 'withdrawn', isOverdue: false });
  expect((await withdraw(bought, claimFolio)).body.data).toEqual(gone.body.data);
  expect((await emailsTo(bought.buyer)).at(-1)).toBe('claim_withdrawn');
  const again = await open(bought);
  expect([again.status, again.body.code]).toEqual([429, 'TOO_MANY']);
  await asOwner(
    shop,
    "update claims set opened_at = opened_at - interval '1 day', ended_at = ended_at - interval '1 day' where folio = $1",
    [claimFolio],
  );
  expect((await open(bought)).body.data).toMatchObject({ state: 'open' });
});

test('a payment that leaves a claimed purchase leaves its claim open: it ends with the goods, with all of the money, or by its buyer', async () => {
  const reopened = async () => {
    const bought = await claimed();
    await transaction(shop.db, async (tx) => {
      const { rows } = await sql<{ sourceId: string }>`
        select r.source_id as "sourceId" from receipts r
        where r.buyer_id = ${bought.buyer.id} and r.amount_centavos = 240000`.execute(tx);
      const { sourceId } = rows[0]!;
      await lockPurchase(tx, bought.id);
      expect(await reversePayment(tx, { channel: 'till', sourceId }, bought.id)).toBe(true);
      await sql`update till_operations set state = 'reversed', reversed_at = app_now() where id = ${sourceId}`.execute(
        tx,
      );
    });
    expect(await saleOf(bought)).toMatchObject({ mayClaim: false, claim: { state: 'open' } });
    return bought;
  };
  const [back, left] = [await reopened(), await reopened()];
  const { claimFolio } = back;
  expect((await giveBack(back.id, { claimFolio, reason, refundShown: 600 })).status).toBe(200);
  expect(await saleOf(back)).toMatchObject({ endedBy: 'claim', claim: { state: 'refunded' } });
  const cancelled = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${left.id}`, {
    token: left.buyer.token,
    body: {},
  });
  expect(cancelled.status).toBe(200);
  expect(await saleOf(left)).toMatchObject({ endedBy: 'buyer', claim: { state: 'withdrawn' } });
});

test('the operator pays a claim back whatever its shop says, once', async () => {
  const { id, claimFolio } = await claimed();
  const refund = async (folio: string) =>
    transaction(shop.db, (tx) => refundClaimByOperator(tx, folio, reason));
  await expect(refund('ZZZZZZZZZZ')).rejects.toThrow('claim_unknown');
  const { purchaseId, refunds } = await refund(claimFolio);
  expect([purchaseId, refunds.map(({ amountCentavos }) => amountCentavos)]).toEqual([
    id,
    expect.arrayContaining([60_000, 240_000]),
  ]);
  await expect(refund(claimFolio)).rejects.toThrow('claim_ended');
});
