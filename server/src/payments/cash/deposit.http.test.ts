import { centavos } from '@aparta/domain/money';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type MadeBuyer,
  makeBranch,
  makeBuyer,
  makeProduct,
  makeReference,
  makeStaff,
} from '../../../test/make.ts';
import { mailsTo } from '../../../test/mailbox.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { asOwner, hearStores, meet, mustBalance, openTill, type Till } from '../../../test/store-acts.ts';
import { runRefunds } from '../../../test/card-acts.ts';
import { readStory } from '../../back-office/operations/payment-history.read-model.ts';
import { matchesByReference } from '../../back-office/operations/payment-search.read-model.ts';
import { expireReferences } from '../../purchases/layaways/store.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { createLog } from '../../platform/logging.ts';
import { assignDepositCash } from './assign-cash.ts';
import { pollCashReferences } from './poll-references.ts';

const PATIENCE = { timeout: 20_000 };
const log = createLog('silent');

let shop: Shop;
let till: Till;
beforeAll(async () => {
  shop = await openShop();
  till = await openTill(shop);
  await hearStores(shop);
});
afterEach(async () => {
  await mustBalance(shop);
  await shop.control('POST /control/release');
  await shop.control('DELETE /control/faults');
  await shop.db.updateTable('alerts').set({ resolved_at: new Date() }).execute();
});
afterAll(() => shop.close());

/** A layaway of 3,000.00 with a deposit of 600.00 that nobody paid yet. */
interface Layaway {
  readonly id: number;
  readonly buyer: MadeBuyer;
  readonly productId: number;
}
async function layaway(given: { productId?: number; buyer?: MadeBuyer; in?: Shop } = {}): Promise<Layaway> {
  const { db, merchantId, ...at } = given.in ?? shop;
  const buyer = given.buyer ?? (await makeBuyer(db));
  const productId = given.productId ?? at.productId;
  return { id: await makeReference(db, { buyerId: buyer.id, merchantId, productId }), buyer, productId };
}
const ask = ({ id, buyer }: Layaway, monto?: number, at = shop) =>
  at.ask('POST /v1/Tapi/GenerateReference', {
    token: buyer.token,
    body: { generationData: [{ identifierValue: `1${id}`, ...(monto !== undefined && { monto }) }] },
  });
const numberOf = async (one: Layaway): Promise<string> => (await ask(one)).body.data.references[0].value;
const shown = async ({ id, buyer }: Layaway) =>
  (await shop.ask(`GET /v1/PullApartReference/${id}`, { token: buyer.token })).body.data;
/** Whether its page tells the buyer of money that goes back. */
const saysRefunds = async ({ buyer }: Layaway, purchaseId: number): Promise<boolean> =>
  (await shop.ask(`GET /v1/Sales/GetAsync/${purchaseId}`, { token: buyer.token })).body.data.hasRefunds;
const rows = ({ id }: Layaway) =>
  shop.db
    .selectFrom('cash_references')
    .select(['id', 'state', 'provider_reference as value'])
    .where('layaway_reference_id', '=', id)
    .orderBy('created_at')
    .execute();
async function payAtStore(reference: string, more: object = {}): Promise<string> {
  const { operationId } = await shop.control('POST /control/cash/pay', { reference, ...more });
  await heard(operationId);
  return operationId;
}
async function heard(operationId: string): Promise<void> {
  await expect
    .poll(async () => {
      const { notices } = await shop.control('GET /control/cash');
      return notices
        .filter((notice: any) => notice.operationId === operationId)
        .map((notice: any) => notice.state);
    }, PATIENCE)
    .not.toContain('sending');
}
const alerts = async () => {
  const open = await shop.db.selectFrom('alerts').select('kind').where('resolved_at', 'is', null).execute();
  return open.map(({ kind }) => kind);
};
/** What is owed of an operation, in centavos, and why by its email. */
const owed = async (operationId: string) => {
  const refunds = await shop.db
    .selectFrom('refunds as f')
    .innerJoin('receipts as r', 'r.id', 'f.receipt_id')
    .where('r.source_id', '=', operationId)
    .select(['f.amount_centavos as amount', 'f.cause', 'f.method'])
    .execute();
  const emails = await shop.db
    .selectFrom('outbox')
    .where('topic', '=', 'cash_owed_back')
    .where('dedupe_key', '=', `cash:${operationId}`)
    .select('facts')
    .execute();
  // Whose it is to give back.
  for (const { facts } of emails) expect(facts).toMatchObject({ merchantId: shop.merchantId });
  return { refunds, why: emails.map(({ facts }) => (facts as any).why) };
};
const nothingOwed = { refunds: [], why: [] };
const allOwed = (amount: number, why: string) => ({
  refunds: [{ amount, cause: 'not_applicable', method: 'cash' }],
  why: [why],
});
/** Its time is over, as if it had been made days ago. */
const endTime = ({ id }: Layaway) =>
  asOwner(
    shop,
    `with l as (update layaway_references set created_at = created_at - interval '9 days', expires_at = app_now() - interval '5 minutes' where id = $1 returning *)
     update cash_references c set valid = tstzrange(lower(c.valid) - interval '9 days', l.expires_at), created_at = c.created_at - interval '9 days' from l where c.layaway_reference_id = l.id`,
    [id],
  );
const inTime = { paidAt: new Date(Date.now() - 3_600_000).toISOString() };
const expire = () => transaction(shop.db, (tx) => expireReferences(tx, 100));
const stateOf = async ({ id }: Layaway) =>
  (
    await shop.db
      .selectFrom('layaway_references')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).state;
/** A product of which one is left, or none. */
async function lastOne(): Promise<{ productId: number; sell: () => Promise<unknown> }> {
  const { db, merchantId } = shop;
  const productId = await makeProduct(db, { merchantId });
  const { token } = await makeStaff(db, { merchantId, role: 'owner' });
  const branchId = await makeBranch(db, merchantId);
  await shop.ask(`POST /v1/counter/products/${productId}/units`, {
    token,
    body: { branchId, free: 1, was: 0 },
  });
  return {
    productId,
    sell: async () => {
      const { id } = await layaway({ productId });
      expect((await till.deposit({ referencia: `1${id}`, importe: 600 })).body.error).toBe(0);
    },
  };
}

describe('the number by which stores take a deposit', () => {
  test('is for the frozen deposit, and lives as long as the layaway', async () => {
    const one = await layaway();
    const first = await ask(one);
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({
      amount: 600,
      fee: 0,
      ventaId: null,
      cxcId: null,
      layawayId: one.id,
      identificador: 1,
      numCxc: 3,
      expiresAt: (await shown(one)).expiresAt,
    });
    expect((await ask(one)).body).toEqual(first.body);
    expect((await ask(one, 600)).body).toEqual(first.body);
    expect(await rows(one)).toMatchObject([{ state: 'issued' }]);
  });

  test('of another sum is refused with the one that is due', async () => {
    const one = await layaway();
    const { status, body } = await ask(one, 599.99);
    expect([status, body.code, body.facts]).toEqual([409, 'AMOUNT_CHANGED', { amount: 600 }]);
    expect(await rows(one)).toEqual([]);
  });

  test('is the same in two tabs that ask at once, and after an answer that was lost', async () => {
    const two = await layaway();
    const [left, right] = await Promise.all([ask(two), ask(two)]);
    expect(left.body).toEqual(right.body);

    const one = await layaway();
    await shop.control('POST /control/faults', { call: 'createReference', kind: 'unreachable' });
    expect((await ask(one)).body.code).toBe('PROVIDER_DOWN');
    const [requested] = await rows(one);
    await numberOf(one);
    expect(await rows(one)).toMatchObject([{ id: requested!.id, state: 'issued' }]);
  });

  test('is refused where nothing can be paid: expired, paid, cancelled, sold out, another’s', async () => {
    const code = async (one: Layaway) => (await ask(one)).body.code;
    const stranger = await layaway();
    expect(await code({ ...stranger, buyer: await makeBuyer(shop.db) })).toBe('NOT_FOUND');

    const late = await layaway();
    await endTime(late);
    expect(await code(late)).toBe('REFERENCE_EXPIRED');

    const paid = await layaway();
    await payAtStore(await numberOf(paid));
    expect(await code(paid)).toBe('REFERENCE_PAID');
    const { ventaId } = await shown(paid);
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${ventaId}`, {
      token: paid.buyer.token,
      body: {},
    });
    expect(await code(paid)).toBe('REFERENCE_CANCELLED');

    const { productId, sell } = await lastOne();
    const slow = await layaway({ productId });
    await sell();
    expect(await code(slow)).toBe('SOLD_OUT');
  });
});

describe('a store took', () => {
  test('the deposit: the purchase exists, and the number takes nothing more', async () => {
    const one = await layaway();
    const operationId = await payAtStore(await numberOf(one));
    const { Estatus, ventaId, folio } = await shown(one);
    expect([Estatus, typeof ventaId, typeof folio]).toEqual([2, 'number', 'string']);
    expect(await rows(one)).toMatchObject([{ state: 'closed' }]);
    expect(await owed(operationId)).toEqual(nothingOwed);
    expect(await saysRefunds(one, ventaId)).toBe(false);
  });

  test('more than the deposit: what is too much is owed back', async () => {
    const one = await layaway();
    const operationId = await payAtStore(await numberOf(one), { amount: 650 });
    const { Estatus, ventaId } = await shown(one);
    expect(Estatus).toBe(2);
    expect(await owed(operationId)).toEqual({
      refunds: [{ amount: 5_000, cause: 'surplus', method: 'cash' }],
      why: ['surplus'],
    });
    const { body } = await shop.ask(`GET /v1/Sales/RefundsAsync/${ventaId}`, { token: one.buyer.token });
    expect(body.data.map((refund: any) => refund.amount)).toEqual([50]);
    const mails = await mailsTo(shop, one.buyer.email);
    const { text } = mails.find(({ subject }) => subject === 'Recibimos tu apartado de $650.00 MXN')!;
    expect(text).toMatch(/Pago 1 de 3: \$600\.00\s+Total pagado: \$650\.00 MXN\s+Devolución: \$50\.00 MXN/);
    expect(await saysRefunds(one, ventaId)).toBe(true);
  });

  test('less than the deposit: nothing is reserved, and all of it is owed back', async () => {
    const one = await layaway();
    const operationId = await payAtStore(await numberOf(one), { amount: 599 });
    expect(await shown(one)).toMatchObject({ Estatus: 1, owedBack: 599 });
    expect(await owed(operationId)).toEqual(allOwed(59_900, 'short'));
    const mails = await mailsTo(shop, one.buyer.email);
    const { text } = mails.find(({ subject }) => subject === 'Tienes $599.00 MXN por recoger')!;
    // Where that money is told: no list of purchases has it.
    expect(text).toContain(`${shop.settings.publicOrigin}/apartado?paso=3&id=${one.id}`);
    expect(text).not.toContain('/cxcList');
    // For the whole deposit there is another number.
    await payAtStore(await numberOf(one));
    expect((await shown(one)).Estatus).toBe(2);
  });

  test('the deposit twice: the second is owed back', async () => {
    const one = await layaway();
    const number = await numberOf(one);
    await payAtStore(number);
    const again = await payAtStore(number);
    expect(await owed(again)).toEqual(allOwed(60_000, 'taken'));
    const { ventaId } = await shown(one);
    const { body } = await shop.ask(`GET /v1/Sales/RefundsAsync/${ventaId}`, { token: one.buyer.token });
    expect(body.data.map((refund: any) => refund.amount)).toEqual([600]);
  });

  test('what a till took before: it is owed back', async () => {
    const one = await layaway();
    const number = await numberOf(one);
    expect((await till.deposit({ referencia: `1${one.id}`, importe: 600 })).body.error).toBe(0);
    expect(await rows(one)).toMatchObject([{ state: 'closed' }]);
    expect(await owed(await payAtStore(number))).toEqual(allOwed(60_000, 'taken'));
  });

  test('the deposit of a product whose last unit was sold meanwhile: it is owed back', async () => {
    const { productId, sell } = await lastOne();
    const one = await layaway({ productId });
    const number = await numberOf(one);
    await sell();
    expect(await owed(await payAtStore(number))).toEqual(allOwed(60_000, 'sold_out'));
    expect((await shown(one)).Estatus).toBe(1);
  });
});

describe('after its time', () => {
  test('cash that was paid in time reserves, although the layaway expired meanwhile', async () => {
    const one = await layaway();
    const number = await numberOf(one);
    await endTime(one);
    await shop.db
      .updateTable('cash_references')
      .set({ polled_at: new Date() })
      .where('layaway_reference_id', '=', one.id)
      .execute();
    await expire();
    expect(await stateOf(one)).toBe('expired');
    // Its buyer asked for it again since, and has not paid that.
    const later = await layaway({ buyer: one.buyer, productId: one.productId });
    await payAtStore(number, inTime);
    expect([await stateOf(one), await stateOf(later)]).toEqual(['paid', 'cancelled']);
  });

  test('cash that was paid in time goes back where its buyer reserved the product again', async () => {
    const one = await layaway();
    const number = await numberOf(one);
    await endTime(one);
    const later = await layaway({ buyer: one.buyer, productId: one.productId });
    expect(await stateOf(one)).toBe('expired');
    await payAtStore(await numberOf(later));
    expect(await owed(await payAtStore(number, inTime))).toEqual(allOwed(60_000, 'replaced'));
  });

  test('cash for what its buyer let go, or cancelled, is owed back and says so', async () => {
    const [one, other] = [await layaway(), await layaway()];
    const number = await numberOf(one);
    await endTime(one);
    const later = await layaway({ buyer: one.buyer, productId: one.productId });
    const replaced = await numberOf(later);
    await payAtStore(number, inTime);
    expect([await stateOf(one), await stateOf(later)]).toEqual(['paid', 'cancelled']);
    expect(await owed(await payAtStore(replaced))).toEqual(allOwed(60_000, 'replaced'));

    const again = await numberOf(other);
    await payAtStore(again);
    const { ventaId } = await shown(other);
    const path = `PUT /v1/Sales/UpdateCancelByBuyerAsync/${ventaId}`;
    await shop.ask(path, { token: other.buyer.token, body: {} });
    expect(await owed(await payAtStore(again))).toEqual(allOwed(60_000, 'ended'));
  });

  test('cash that was paid too late is owed back, also while nothing has ended the layaway yet', async () => {
    const one = await layaway();
    const number = await numberOf(one);
    await endTime(one);
    expect(await owed(await payAtStore(number))).toEqual(allOwed(60_000, 'late'));
    expect(await stateOf(one)).toBe('open');
  });

  test('the layaway waits for what Tapi says of its number after its end, at most a day', async () => {
    const [asked, unasked, silent] = [await layaway(), await layaway(), await layaway()];
    for (const one of [asked, unasked]) {
      await numberOf(one);
      await endTime(one);
    }
    await expire();
    expect([await stateOf(asked), await stateOf(unasked)]).toEqual(['open', 'open']);
    await pollCashReferences({ db: shop.db, cash: shop.jobs.cash }, new Date(), log);
    await expire();
    expect([await stateOf(asked), await stateOf(unasked)]).toEqual(['expired', 'expired']);
    expect(await rows(asked)).toMatchObject([{ state: 'closed' }]);

    const number = await numberOf(silent);
    await endTime(silent);
    await asOwner(
      shop,
      `update layaway_references set expires_at = expires_at - interval '2 days' where id = $1`,
      [silent.id],
    );
    await expire();
    expect([await stateOf(silent), typeof number]).toEqual(['expired', 'string']);
  });

  test('cash of which no notice came is found by asking, and reserves', async () => {
    const one = await layaway();
    const number = await numberOf(one);
    await shop.control('POST /control/cash/pay', { reference: number, notice: { drop: true } });
    await pollCashReferences({ db: shop.db, cash: shop.jobs.cash }, new Date(), log);
    expect((await shown(one)).Estatus).toBe(2);
  });
});

test('of a store and a card that pay one deposit at once exactly one reserves, and the other goes back', async () => {
  for (let round = 0; round < 6; round += 1) {
    const one = await layaway();
    const reference = await shown(one);
    const number = await numberOf(one);
    const [operationId] = await meet(
      round,
      () => payAtStore(number),
      () => shop.pay(reference, CARDS.approved, { token: one.buyer.token }),
    );
    const { Estatus, ventaId } = await shown(one);
    expect([Estatus, typeof ventaId]).toEqual([2, 'number']);
    await runRefunds(shop);
    const attempts = await shop.db
      .selectFrom('card_attempts')
      .select('state')
      .where('reference_id', '=', one.id)
      .execute();
    const byCard = attempts.some(({ state }) => state === 'applied');
    expect((await owed(operationId)).refunds).toHaveLength(byCard ? 1 : 0);
    const paid = await shop.db
      .selectFrom('purchases')
      .select('paid_centavos')
      .where('id', '=', ventaId)
      .executeTakeFirstOrThrow();
    expect(paid.paid_centavos).toBe(60_000);
  }
});

test('unapplied cash that a person finds to be a deposit reserves, once', async () => {
  const one = await layaway();
  const { operationId } = await shop.control('POST /control/cash/pay', {
    reference: await numberOf(one),
    notice: { drop: true },
  });
  await shop.db
    .insertInto('cash_notices')
    .values({
      provider: 'tapi',
      operation_id: operationId,
      body_hash: Buffer.from('as an older server keeps it'),
      cash_reference_id: null,
      status: 'confirmed',
      amount_centavos: centavos(60_000),
      currency: 'MXN',
      paid_at: new Date(),
      outcome: 'unapplied',
    })
    .execute();
  const assign = (printed: string) =>
    transaction(shop.db, (tx) => assignDepositCash(tx, operationId, printed));
  await expect(assign('12345')).rejects.toThrow('reference_unknown');
  expect(await assign(`1${one.id}`)).toEqual({ outcome: 'applied', amountCentavos: 60_000 });
  expect((await shown(one)).Estatus).toBe(2);
  await expect(assign(`1${one.id}`)).rejects.toThrow('notice_already_applied');
});

describe('what a buyer has under way, on whatever phone they sign in', () => {
  const unresolved = async ({ token }: MadeBuyer) => {
    const { status, body } = await shop.ask('GET /v1/PullApartReferences/UnresolvedAsync', { token });
    expect(status).toBe(200);
    return body.data;
  };
  const another = async (buyer: MadeBuyer) =>
    layaway({ buyer, productId: await makeProduct(shop.db, { merchantId: shop.merchantId }) });

  test('is a deposit whose card is being confirmed, and money that a store owes back, the newest first', async () => {
    const short = await layaway();
    const { buyer } = short;
    await another(buyer); // nothing was paid of it
    expect(await unresolved(buyer)).toEqual([]);
    await payAtStore(await numberOf(short), { amount: 599 });
    expect(await unresolved(buyer)).toEqual([await shown(short)]);
    expect(await unresolved(buyer)).toMatchObject([{ id: short.id, owedBack: 599, attempt: null }]);

    const byCard = await another(buyer);
    await shop.pay(await shown(byCard), CARDS.threeDs, { token: buyer.token });
    const both = await unresolved(buyer);
    expect(both).toMatchObject([{ id: byCard.id, attempt: { state: 'pending_3ds' } }, { id: short.id }]);
    expect(both[0]).toEqual(await shown(byCard));
    expect(await unresolved(await makeBuyer(shop.db))).toEqual([]);
  });

  test('is not what has its purchase, nor a card that was declined', async () => {
    const one = await layaway();
    const { buyer } = one;
    await payAtStore(await numberOf(one), { amount: 599 });
    await payAtStore(await numberOf(one));
    const declined = await another(buyer);
    await shop.pay(await shown(declined), CARDS.insufficientFunds, { token: buyer.token });
    expect((await shown(declined)).attempt.state).toBe('rejected');
    expect(await unresolved(buyer)).toEqual([]);
  });
});

test('unapplied cash that a person finds to be a deposit, and that is too little, is owed back where its buyer reads it, and of the purchase later', async () => {
  const one = await layaway();
  const operationId = await payAtStore('9999888877775555', { amount: 300 });
  expect(await transaction(shop.db, (tx) => assignDepositCash(tx, operationId, `1${one.id}`))).toEqual({
    outcome: 'owed_back',
    amountCentavos: 30_000,
  });
  const before = await shown(one);
  expect([before.Estatus, before.owedBack]).toEqual([1, 300]);
  const [match] = await matchesByReference(shop.db, one.id);
  const story = match && (await readStory(shop.db, match));
  expect(story?.filter(({ kind }) => kind === 'notice_came' || kind === 'refund_owed')).toMatchObject([
    { facts: { operation: operationId } },
    { facts: { amount: 30_000, method: 'cash' } },
  ]);
  await payAtStore(await numberOf(one));
  const { Estatus, ventaId, owedBack } = await shown(one);
  expect([Estatus, owedBack]).toEqual([2, 0]);
  const { token } = await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' });
  const { refunds } = (await shop.ask(`GET /v1/counter/purchases/${ventaId}`, { token })).body.data;
  expect(refunds).toMatchObject([{ amount: 300, method: 'cash' }]);
});

describe('a store gives a deposit back', () => {
  const giveBack = async (operationId: string) => {
    const { operationId: reversal } = await shop.control(`POST /control/cash/operations/${operationId}`, {
      move: 'reverse',
    });
    await heard(reversal);
    return reversal;
  };
  const purchaseOf = async (one: Layaway) =>
    (
      await shop.db
        .selectFrom('purchases')
        .select(['id', 'state', 'ended_by'])
        .where('layaway_reference_id', '=', one.id)
        .execute()
    )[0];

  test('and the purchase ends while it is its only money', async () => {
    const one = await layaway();
    const operationId = await payAtStore(await numberOf(one));
    await giveBack(operationId);
    const ended = await purchaseOf(one);
    expect(ended).toMatchObject({ state: 'cancelled', ended_by: 'reversal' });
    expect(await alerts()).toEqual([]);
    // Its page says who gives back how much.
    const { folio } = await shown(one);
    const sale = await shop.ask(`GET /v1/Sales/GetAsync/${ended!.id}`, { token: one.buyer.token });
    const store = { folio, monto: 600, method: 'cash', last4: null, payerName: null };
    expect(sale.body.data).toMatchObject({ hasRefunds: false, takenBack: [store] });
  });

  test('and a person is asked where more was paid since, or it is owed back already', async () => {
    const one = await layaway();
    const number = await numberOf(one);
    const operationId = await payAtStore(number);
    const instalment = await shop.db
      .selectFrom('instalments as i')
      .innerJoin('purchases as p', 'p.id', 'i.purchase_id')
      .where('p.layaway_reference_id', '=', one.id)
      .where('i.number', '=', 2)
      .select('i.id')
      .executeTakeFirstOrThrow();
    expect((await till.pay({ referencia: `2${instalment.id}`, importe: 500 })).body.error).toBe(0);
    await giveBack(operationId);
    expect(await purchaseOf(one)).toMatchObject({ state: 'active' });
    expect(await alerts()).toEqual(['cash_reversal_impossible']);
  });
});
