import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { answer3ds } from '../../../test/card-acts.ts';
import { type MadeBuyer, makeBranch, makeBuyer, makeStaff, type MerchantGiven } from '../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import {
  asOwner,
  type Bought,
  buy,
  mustBalance,
  openTill,
  standing,
  storeNumber,
  type Till,
  meet,
} from '../../../test/store-acts.ts';
import { deliverPurchase } from '../hand-over/deliver-purchase.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { createLog } from '../../platform/logging.ts';

const log = createLog('silent');
const KEY = 'aparta-development-notices';

let shop: Shop;
let till: Till;
beforeAll(async () => {
  ({ shop, till } = await open());
});
afterEach(() => mustBalance(shop));
afterAll(() => shop.close());

async function open(merchant: MerchantGiven = {}): Promise<{ shop: Shop; till: Till }> {
  const opened = await openShop({ merchant, clocks: { attemptsPerAddress: 99_999 } });
  return { shop: opened, till: await openTill(opened) };
}

/** Reserved by card: 600.00 and 15.00 of fee. */
async function byCard(at: Shop = shop): Promise<Bought> {
  const buyer = await makeBuyer(at.db);
  const { body } = await at.pay(await at.reference({ token: buyer.token }), CARDS.approved, {
    token: buyer.token,
  });
  return bought(at, body.data.ventaId, buyer);
}
async function bought(at: Shop, id: number, buyer: MadeBuyer): Promise<Bought> {
  const rows = await at.db
    .selectFrom('instalments')
    .select('id')
    .where('purchase_id', '=', id)
    .orderBy('number')
    .execute();
  const instalmentIds = rows.map((row) => row.id);
  return {
    id,
    buyer,
    instalmentIds,
    numbers: [undefined, ...instalmentIds.map((each, n) => `${n + 1}${each}`)],
  };
}
async function byStore(of: Bought, amount: number, at: Shop = shop): Promise<void> {
  const { body } = await storeNumber(at, of);
  const { operationId } = await at.control('POST /control/cash/pay', {
    reference: body.data.references[0].value,
    amount,
    notice: { drop: true },
  });
  await at.ask('POST /webhooks/tapi', {
    body: { operationId, status: 'confirmed' },
    headers: { 'x-api-key': KEY },
  });
}
async function byTill(of: Bought, importe: number, its: Till = till): Promise<void> {
  expect((await its.pay({ referencia: of.numbers[2]!, importe })).body.error).toBe(0);
}
/** Pays what is left of an instalment by card. */
const instalmentByCard = (
  of: Bought,
  number: number,
  amount: number,
  card: string,
  intentId = randomUUID(),
  at = shop,
) =>
  at.pay(
    {
      cardTotal: amount,
      paymentReference: of.numbers[number],
      businessId: at.merchantId,
      productName: 'Sala',
    },
    card,
    { token: of.buyer.token, intentId },
  );

const quote = (of: Bought, at = shop) =>
  at.ask(`GET /v1/Sales/CancelQuoteAsync/${of.id}`, { token: of.buyer.token });
const cancel = (of: Bought, body: object = {}, at = shop) =>
  at.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${of.id}`, { token: of.buyer.token, body });
const refunds = async (of: Bought, at = shop) =>
  (await at.ask(`GET /v1/Sales/RefundsAsync/${of.id}`, { token: of.buyer.token })).body.data as any[];
const short = (rows: any[]) =>
  rows.map((refund) => `${refund.amount} ${refund.way} ${refund.state}`).toSorted();
const afterTheFreeDays = (of: Bought, at = shop) =>
  sql`update purchases set penalty_free_until = now() - interval '1 minute' where id = ${of.id}`.execute(
    at.db,
  );
async function sendRefunds(of: Bought, at = shop): Promise<void> {
  for (const refund of await refunds(of, at))
    if (refund.way === 'card') await at.job.refund_card({ refundId: refund.id }, log);
}
/** What the cancel moved, in centavos, by where it went. */
async function moved(of: Bought, at = shop): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select t.debit || ' > ' || t.credit || ' ' || sum(t.amount_centavos) as line
    from ledger_events e join ledger_transfers t on t.event_id = e.id
    where e.kind = 'cancel' and e.source_id = ${String(of.id)} group by t.debit, t.credit order by line`.execute(
    at.db,
  );
  return rows.map(({ line }) => line);
}

describe('a purchase paid by card, in stores and at tills', () => {
  const mixed = async (at: Shop, its: Till) => {
    const of = await byCard(at);
    await byStore(of, 500, at);
    await byTill(of, 300, its);
    const { body } = await instalmentByCard(of, 2, 415, CARDS.approved, randomUUID(), at);
    expect(body.data).toMatchObject({ applied: true });
    return of;
  };

  test('keeps the penalty from the deposit, and each other peso goes back the way it came', async () => {
    const of = await mixed(shop, till);
    await afterTheFreeDays(of);
    const { data } = (await quote(of)).body;
    const folios = data.returns.map(({ folio }: { folio: string }) => folio);
    expect(new Set(folios).size).toBe(4);
    expect(data).toMatchObject({
      invoiced: false,
      paid: 1_800,
      penalty: 200,
      feesReturned: 0,
      feesKept: 30,
      refund: 1_600,
      returns: [
        { amount: 400, way: 'card' },
        { amount: 500, way: 'cash' },
        { amount: 300, way: 'cash' },
        { amount: 400, way: 'card' },
      ],
    });
    const { status, body } = await cancel(of, { refundShown: 1_600 });
    expect(status).toBe(200);
    expect(short(body.data.refunds)).toEqual([
      '300 cash owed',
      '400 card owed',
      '400 card owed',
      '500 cash owed',
    ]);
    expect(await moved(of)).toEqual([
      'layaway_deposits > card_refund_payable 80000',
      'layaway_deposits > cash_refund_payable 80000',
      'layaway_deposits > penalty_income 20000',
    ]);
    // Each card refund is sent by its job; cash is handed over by people.
    const keys = await asOwner(
      shop,
      `select key from graphile_worker.jobs where key = any ($1) and run_at <= now() order by key`,
      [body.data.refunds.map(({ id }: { id: number }) => `refund:${id}`)],
    );
    const cards = (await refunds(of)).filter((refund) => refund.way === 'card');
    expect(keys.map(({ key }) => key)).toEqual(cards.map(({ id }) => `refund:${id}`).toSorted());
    const email = await shop.db
      .selectFrom('outbox')
      .select('facts')
      .where('buyer_id', '=', of.buyer.id)
      .where('topic', '=', 'purchase_cancelled')
      .executeTakeFirstOrThrow();
    expect(email.facts).toMatchObject({
      amountCentavos: 160_000,
      paidCentavos: 183_000,
      penaltyCentavos: 20_000,
      feeReturnedCentavos: 0,
      feeKeptCentavos: 3_000,
    });
    await mustBalance(shop);
    await sendRefunds(of);
    expect(short(await refunds(of))).toEqual([
      '300 cash owed',
      '400 card done',
      '400 card done',
      '500 cash owed',
    ]);
  });

  test('in the free days all of it goes back, the card’s fees with it', async () => {
    const of = await mixed(shop, till);
    expect((await quote(of)).body.data).toMatchObject({ penalty: 0, feesReturned: 30, refund: 1_830 });
    await cancel(of, { refundShown: 1_830 });
    expect(await moved(of)).toEqual([
      'layaway_deposits > card_refund_payable 100000',
      'layaway_deposits > cash_refund_payable 80000',
      'service_fee > card_refund_payable 3000',
    ]);
    await sendRefunds(of);
    expect(short(await refunds(of))).toEqual([
      '300 cash owed',
      '415 card done',
      '500 cash owed',
      '615 card done',
    ]);
  });

  test('a penalty above the deposit goes on to the next oldest money', async () => {
    const other = await open({ penaltyCentavos: 90_000 });
    try {
      const of = await mixed(other.shop, other.till);
      await afterTheFreeDays(of, other.shop);
      await cancel(of, { refundShown: 900 }, other.shop);
      expect(short(await refunds(of, other.shop))).toEqual([
        '200 cash owed',
        '300 cash owed',
        '400 card owed',
      ]);
    } finally {
      await other.shop.close();
    }
  });

  test('a penalty above all that was paid takes that and no more', async () => {
    const other = await open({ penaltyCentavos: 500_000 });
    try {
      const of = await mixed(other.shop, other.till);
      await afterTheFreeDays(of, other.shop);
      expect((await quote(of, other.shop)).body.data).toMatchObject({
        penalty: 1_800,
        refund: 0,
        returns: [],
      });
      expect((await cancel(of, { refundShown: 0 }, other.shop)).body.data.refunds).toEqual([]);
    } finally {
      await other.shop.close();
    }
  });

  test('returns a surplus once, and nothing of what a till took back', async () => {
    const of = await byCard();
    const { body } = await till.pay({ referencia: of.numbers[2]!, importe: 700, idtransaccion: 'back-1' });
    expect(body.error).toBe(0);
    await till.reverse({ idtransaccion: 'back-1' });
    await byTill(of, 50);
    await cancel(of);
    await byStoreAfter(of);
    expect(short(await refunds(of))).toEqual(['100 cash owed', '50 cash owed', '615 card owed']);
  });

  async function byStoreAfter(of: Bought): Promise<void> {
    const id = randomUUID();
    await sql`insert into cash_references (id, instalment_id, purchase_id, merchant_id, amount_centavos, state, provider_reference, valid)
      values (${id}, ${of.instalmentIds[1]}, ${of.id}, ${shop.merchantId}, 10000, 'closed', ${`9${Date.now()}`},
        tstzrange(now(), now() + interval '1 day'))`.execute(shop.db);
    const { provider_reference: reference } = await shop.db
      .selectFrom('cash_references')
      .select('provider_reference')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const { operationId } = await shop.control('POST /control/cash/pay', {
      reference,
      amount: 100,
      notice: { drop: true },
    });
    await shop.ask('POST /webhooks/tapi', {
      body: { operationId, status: 'confirmed' },
      headers: { 'x-api-key': KEY },
    });
  }

  test('of sixty small payments owes each one back', async () => {
    const of = await byCard();
    for (let n = 0; n < 60; n += 1) await byTill(of, 1);
    const { status, body } = await cancel(of);
    expect(status).toBe(200);
    expect(body.data.refunds).toHaveLength(61);
  });
});

test('a card’s approval that came after the till had the deposit is shown with the purchase, on its way back', async () => {
  const buyer = await makeBuyer(shop.db);
  const reference = await shop.reference({ token: buyer.token });
  const intentId = randomUUID();
  await shop.pay(reference, CARDS.threeDs, { token: buyer.token, intentId });
  expect((await till.deposit({ referencia: reference.paymentReference, importe: 600 })).body.error).toBe(0);
  await answer3ds(shop, intentId, 'approve');
  await shop.poll(intentId);
  const { id } = await shop.db
    .selectFrom('purchases')
    .select('id')
    .where('buyer_id', '=', buyer.id)
    .executeTakeFirstOrThrow();
  const of = await bought(shop, id, buyer);
  expect(short(await refunds(of))).toEqual(['615 card owed']);
  await sendRefunds(of);
  expect(short(await refunds(of))).toEqual(['615 card done']);
});

describe('a plan that its shop ends because the goods are not there', () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' }));
  });
  const endQuote = (of: Bought) => shop.ask(`GET /v1/counter/purchases/${of.id}/end-quote`, { token });
  const end = (of: Bought, refundShown: number) =>
    shop.ask(`POST /v1/counter/purchases/${of.id}/end`, {
      token,
      body: { reason: 'Llegó roto', refundShown },
    });
  const moreTime = (of: Bought) =>
    shop.ask(`POST /v1/counter/purchases/${of.id}/more-time`, {
      token,
      body: { endsOn: '2031-01-31', reason: 'Lo pidió' },
    });
  const sale = async (of: Bought) =>
    (await shop.ask(`GET /v1/Sales/GetAsync/${of.id}`, { token: of.buyer.token })).body.data;

  const handOver = async ({ id, buyer }: Bought) => {
    const branchId = await makeBranch(shop.db, shop.merchantId);
    const { positionId } = await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' });
    await transaction(shop.db, (tx) =>
      deliverPurchase(tx, {
        purchaseId: id,
        buyerId: buyer.id,
        merchantId: shop.merchantId,
        requestId: randomUUID(),
        positionId,
        branchId,
        deviceId: null,
        codeHash: Buffer.alloc(32),
        collectorName: null,
        signature: null,
      }),
    );
  };

  test('gives back everything that was paid, fees too, though cancelling would cost a penalty', async () => {
    const of = await byCard();
    await byTill(of, 300);
    await afterTheFreeDays(of);
    expect((await endQuote(of)).body.data).toMatchObject({ penalty: 0, feesReturned: 15, refund: 915 });
    expect((await end(of, 700)).body).toMatchObject({ code: 'QUOTE_CHANGED', facts: { refund: 915 } });
    const { body } = await end(of, 915);
    expect(short(body.data.refunds)).toEqual(['300 cash owed', '615 card owed']);
    expect(await moved(of)).toEqual([
      'layaway_deposits > card_refund_payable 60000',
      'layaway_deposits > cash_refund_payable 30000',
      'service_fee > card_refund_payable 1500',
    ]);
    // The same press again gives nothing back twice, and says the same.
    expect((await end(of, 915)).body.data.refunds).toEqual(body.data.refunds);
    expect((await endQuote(of)).body.code).toBe('PURCHASE_CANCELLED');
    expect(await sale(of)).toMatchObject({
      endedBy: 'merchant',
      cancelNotes: 'Llegó roto',
      SSOIdBuyerCancel: '',
      cancelBill: { paid: 915, penalty: 0, feesReturned: 15, feesKept: 0, refund: 915 },
    });
    const acts = await shop.db
      .selectFrom('staff_acts')
      .select(['act', 'detail'])
      .where('subject_id', '=', String(of.id))
      .execute();
    expect(acts).toEqual([{ act: 'end_plan', detail: { reason: 'Llegó roto', refundCentavos: 91_500 } }]);
    const emails = await shop.db
      .selectFrom('outbox')
      .select('topic')
      .where('buyer_id', '=', of.buyer.id)
      .where('topic', 'in', ['purchase_cancelled', 'purchase_ended'])
      .execute();
    expect(emails).toEqual([{ topic: 'purchase_ended' }]);
  });

  test('may be paid off, but neither handed over nor cancelled by its buyer before', async () => {
    const paidOff = await buy(shop);
    await byTill(paidOff, 2_400);
    expect((await cancel(paidOff)).body.code).toBe('PURCHASE_SETTLED');
    expect(short((await end(paidOff, 3_000)).body.data.refunds)).toEqual(['2400 cash owed', '600 cash owed']);
    expect((await sale(paidOff)).cancelBill).toMatchObject({ refund: 3_000 });

    const given = await buy(shop);
    await byTill(given, 2_400);
    await handOver(given);
    for (const answer of [await endQuote(given), await end(given, 3_000), await moreTime(given)])
      expect([answer.status, answer.body.code]).toEqual([409, 'PURCHASE_SETTLED']);

    const cancelled = await buy(shop);
    await cancel(cancelled);
    expect((await end(cancelled, 600)).body.code).toBe('PURCHASE_CANCELLED');
    expect((await moreTime(cancelled)).body.code).toBe('PURCHASE_CANCELLED');
  });

  test('of any payments, whoever ends it, each peso goes back or is kept, and none twice', async () => {
    for (let round = 0; round < 6; round += 1) {
      const of = round % 2 === 0 ? await byCard() : await buy(shop);
      for (let n = round; n > 0; n -= 1) await byTill(of, 1 + ((round * 97 + n * 131) % 200));
      if (round % 3 === 0) await afterTheFreeDays(of);
      const byMerchant = round > 2;
      const { refund, paid, feesReturned, feesKept, penalty } = (await (byMerchant ? endQuote : quote)(of))
        .body.data;
      const press = () => (byMerchant ? end(of, refund) : cancel(of, { refundShown: refund }));
      await Promise.all([press(), press()]);
      const back = (await refunds(of)).reduce((sum, { amount }) => sum + amount, 0);
      expect(back + penalty + feesKept).toBe(paid + feesReturned + feesKept);
      expect((await sale(of)).cancelBill).toEqual({
        paid: paid + feesReturned + feesKept,
        penalty,
        feesReturned,
        feesKept,
        refund: back,
      });
    }
  });
});

describe('what cannot be cancelled', () => {
  test('a paid-off purchase, and one that is cancelled already', async () => {
    const of = await buy(shop);
    await byTill(of, 2_400);
    for (const answer of [await quote(of), await cancel(of)])
      expect([answer.status, answer.body.code]).toEqual([409, 'PURCHASE_SETTLED']);
    const other = await buy(shop);
    expect((await cancel(other)).status).toBe(200);
    for (const answer of [await quote(other), await cancel(other)])
      expect([answer.status, answer.body.code]).toEqual([409, 'PURCHASE_CANCELLED']);
    expect(short(await refunds(other))).toEqual(['600 cash owed']);
  });

  test('nothing that the browser sends of the sale is believed', async () => {
    const of = await byCard();
    await afterTheFreeDays(of);
    const row = () =>
      shop.db.selectFrom('purchases').selectAll().where('id', '=', of.id).executeTakeFirstOrThrow();
    const before = await row();
    const buyerBefore = await shop.db
      .selectFrom('buyers')
      .selectAll()
      .where('id', '=', of.buyer.id)
      .executeTakeFirstOrThrow();
    await cancel(of, {
      id: 1,
      ammount: 1,
      clientId: 1,
      clienteId: 1,
      buyerId: 1,
      saleStatusId: 1,
      state: 'active',
      montoVenta: 1,
      price_centavos: 1,
      paid_centavos: 0,
      penalty_centavos: 0,
      penaltyFreeUntil: '2100-01-01T00:00:00Z',
      email: 'otra@example.mx',
      ssoId: randomUUID(),
      token: 'x',
      cancelNotes: 'Ya no',
    });
    expect(await row()).toEqual({
      ...before,
      state: 'cancelled',
      cancel_notes: 'Ya no',
      ended_by: 'buyer',
      cancelled_at: expect.any(Date),
      next_due_on: null,
    });
    expect(
      await shop.db.selectFrom('buyers').selectAll().where('id', '=', of.buyer.id).executeTakeFirstOrThrow(),
    ).toEqual(buyerBefore);
    expect(short(await refunds(of))).toEqual(['400 card owed']);
  });
});

describe('cancelling while money is on its way', () => {
  test('an instalment’s card payment that the bank approves afterwards goes back whole, its fee with it', async () => {
    const of = await byCard();
    const intentId = randomUUID();
    const { body } = await instalmentByCard(of, 2, 1_215, CARDS.threeDs, intentId);
    expect(body.data.state).toBe('pending_3ds');
    expect((await cancel(of)).status).toBe(200);
    await answer3ds(shop, intentId, 'approve');
    await shop.poll(intentId);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'returned', captured_centavos: 121_500 });
    await sendRefunds(of);
    expect(short(await refunds(of))).toEqual(['1215 card done', '615 card done']);
    expect((await standing(shop, of.id)).parts).toEqual([60_000, 0, 0]);
  });

  test('an approval at the same moment is in the quote, or goes back by itself', async () => {
    for (let round = 0; round < 12; round += 1) {
      const of = await byCard();
      const intentId = randomUUID();
      await instalmentByCard(of, 2, 1_215, CARDS.threeDs, intentId);
      await answer3ds(shop, intentId, 'approve');
      const [cancelled] = await Promise.all([cancel(of, { refundShown: 615 }), shop.poll(intentId)]);
      await shop.poll(intentId);
      if (cancelled.status === 409) {
        expect(cancelled.body).toMatchObject({ code: 'QUOTE_CHANGED', facts: { refund: 1_830 } });
        expect((await cancel(of, { refundShown: 1_830 })).status).toBe(200);
      }
      await sendRefunds(of);
      expect(short(await refunds(of))).toEqual(['1215 card done', '615 card done']);
    }
  }, 60_000);

  test('waits for whoever has one of its card payments in hand', async () => {
    const of = await byCard();
    let cancelling: ReturnType<typeof cancel> | undefined;
    await transaction(shop.db, async (tx) => {
      await tx.selectFrom('card_attempts').select('id').forNoKeyUpdate().execute();
      cancelling = cancel(of);
      const waiting = `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await asOwner(shop, waiting)).length).toBe(1);
    });
    expect((await cancelling)?.status).toBe(200);
  });

  test('the last payment at the same moment pays it off, or is refused', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 30; round += 1) {
      const of = await buy(shop);
      const [cancelled, paid] = await meet(
        round,
        () => cancel(of),
        () => till.pay({ referencia: of.numbers[2]!, importe: 2_400 }),
      );
      const outcome = `${cancelled.body.code ?? 'cancelled'} ${paid.body.error}`;
      expect(['cancelled 5', 'PURCHASE_SETTLED 0']).toContain(outcome);
      seen.add(outcome);
    }
    expect(seen.size).toBe(2);
  }, 60_000);
});
