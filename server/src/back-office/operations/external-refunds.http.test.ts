import { randomUUID } from 'node:crypto';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { balance, fault, panel, runRefunds } from '../../../test/card-acts.ts';
import { addFiscalClient, emitInvoice } from '../../../test/invoice-acts.ts';
import { type MadeBuyer, makeBuyer } from '../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import {
  type Bought,
  buy,
  hearStores,
  mustBalance,
  openTill,
  standing,
  storeNumber,
} from '../../../test/store-acts.ts';
import { assignCash } from '../../payments/cash/assign-cash.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { createLog } from '../../platform/logging.ts';
import { markRefundBounced, markRefundPaid, payRefundInCash } from '../../payments/refunds/decide-refund.ts';
import { readGivenBack } from '../../payments/refunds/read-given-back.ts';
import { closingOf, sumMovements, sumOf } from '../settlements/report.ts';
import { readReport } from '../settlements/read-report.ts';
import { listPending } from '../settlements/read-model.ts';
import { readExternalRefund } from './book-external-refund.ts';
import { bookStoreReversal } from './book-store-reversal.ts';
import { endUnappliedCash } from './end-by-hand.ts';
import { listWaiting } from './waiting.read-model.ts';

const log = createLog('silent');

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ merchant: { invoices: true }, clocks: { attemptsPerAddress: 99_999 } });
  await hearStores(shop);
});
afterEach(async () => {
  await mustBalance(shop);
  await sql`update alerts set resolved_at = app_now() where resolved_at is null`.execute(shop.db);
});
afterAll(() => shop.close());

/** The open alerts and what waits, of one subject. */
const waits = async (id: string | number) =>
  (await listWaiting(shop.db)).filter((row) => row.id.endsWith(String(id))).map(({ kind }) => kind);
const refundsOf = async (attemptId: string) =>
  (
    await shop.db
      .selectFrom('refunds')
      .select(['id', 'cause', 'method', 'state', 'amount_centavos'])
      .where('attempt_id', '=', attemptId)
      .orderBy('id')
      .execute()
  ).map(({ id, ...row }) => ({ id, is: Object.values(row) }));
const emailOf = async (topic: string, key: string) =>
  (await sql`select from outbox where topic = ${topic} and dedupe_key = ${key}`.execute(shop.db)).rows.length;
const lost = () => balance(shop, 'dispute_loss');

describe('card money that was refunded externally', () => {
  interface Paid {
    readonly id: string;
    readonly paymentId: string;
    readonly purchaseId: number;
    readonly buyer: MadeBuyer;
  }
  async function pay(reference: any, buyer: MadeBuyer): Promise<Paid> {
    const intentId = randomUUID();
    const { body } = await shop.pay(reference, CARDS.approved, { token: buyer.token, intentId });
    const { id, provider_payment_id: paymentId } = await shop.attempt(intentId);
    return { id, paymentId, purchaseId: body.data.ventaId, buyer };
  }
  /** A deposit of 600.00 and a fee of 15.00. */
  async function deposit(): Promise<Paid> {
    const buyer = await makeBuyer(shop.db);
    return pay(await shop.reference({ token: buyer.token }), buyer);
  }
  async function cancelled(): Promise<Paid & { readonly refundId: number }> {
    const paid = await deposit();
    const { body } = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${paid.purchaseId}`, {
      token: paid.buyer.token,
      body: {},
    });
    return { ...paid, refundId: body.data.refunds[0].id };
  }
  /** Its refund was given up for one in cash. */
  async function inCash() {
    const paid = await cancelled();
    const givenBack = await readGivenBack(shop.jobs, paid.refundId);
    const { cashRefundId } = await transaction(shop.db, (tx) =>
      payRefundInCash(tx, paid.refundId, { givenBack, isSeenUnpaid: false }),
    );
    return { ...paid, cashRefundId };
  }
  const leaves = (paid: Paid, amount: number) => panel(shop, paid.paymentId, { move: 'refund', amount });
  const bookIt = async (paid: Paid, isLoss = false, isNotDelivered = false) => {
    const external = { isLoss, isNotDelivered, providerRefundId: 'panel-1' };
    return transaction(shop.db, await readExternalRefund(shop.jobs, paid.id, external));
  };

  test('ends the debt in cash that it paid, once, and the buyer is told', async () => {
    const paid = await inCash();
    await expect(bookIt(paid)).rejects.toThrow('external_refund_nothing');
    await leaves(paid, 615);
    const [one, other] = await Promise.allSettled([bookIt(paid), bookIt(paid)]);
    expect([one, other].filter(({ status }) => status === 'fulfilled')).toMatchObject([
      { value: { goneCentavos: 61_500, taken: [{ was: 'refund' }] } },
    ]);
    expect((await refundsOf(paid.id)).map(({ is }) => is)).toEqual([
      ['cancel', 'card', 'moved_to_cash', 61_500],
      ['cancel', 'cash', 'done', 61_500],
    ]);
    expect(await waits(paid.cashRefundId)).toEqual([]);
    await shop.job.resolve_attempt({ attemptId: paid.id }, log);
    expect(await waits(paid.id)).toEqual([]);
    expect(await emailOf('refund_done', `refund:${paid.cashRefundId}`)).toBe(1);
    await expect(bookIt(paid)).rejects.toThrow('external_refund_nothing');
    await expect(
      transaction(shop.db, (tx) =>
        markRefundPaid(tx, paid.cashRefundId, { paidBy: 'merchant', evidence: 'Vale' }),
      ),
    ).rejects.toThrow('refund_done_already');
  });

  test('after the cash was handed over is a loss that somebody names, or cash that came back', async () => {
    const handOver = { paidBy: 'merchant', evidence: 'Vale 118' } as const;
    const [one, other] = [await inCash(), await inCash()];
    for (const paid of [one, other]) {
      await transaction(shop.db, (tx) => markRefundPaid(tx, paid.cashRefundId, handOver));
      await leaves(paid, 615);
      await expect(bookIt(paid)).rejects.toThrow('external_refund_without_place');
    }
    const before = await lost();
    expect(await bookIt(one, true)).toMatchObject({ taken: [{ was: 'loss', amountCentavos: 61_500 }] });
    expect(await lost()).toBe(before + 61_500);
    await transaction(shop.db, (tx) => markRefundBounced(tx, other.cashRefundId));
    expect(await bookIt(other)).toMatchObject({ taken: [{ was: 'refund' }] });
    expect(await lost()).toBe(before + 61_500);
  });

  test('in part leaves the rest to the card, which gets no centavo more', async () => {
    const paid = await cancelled();
    await leaves(paid, 200);
    await shop.job.refund_card({ refundId: paid.refundId }, log);
    expect(await waits(paid.refundId)).toEqual(['refund_blocked']);
    await bookIt(paid);
    await runRefunds(shop);
    expect((await refundsOf(paid.id)).map(({ is }) => is)).toEqual([
      ['cancel', 'card', 'done', 41_500],
      ['external', 'card', 'done', 20_000],
    ]);
    const payment = (await shop.charges()).find(({ id }) => id === paid.paymentId);
    expect(payment).toMatchObject({ amount_refunded: 615 });
    expect(await waits(paid.refundId)).toEqual([]);
  });

  test('waits while a refund of ours may be on its way', async () => {
    const paid = await cancelled();
    await fault(shop, { call: 'createRefund', kind: 'unreachable' });
    await shop.job.refund_card({ refundId: paid.refundId }, log);
    await leaves(paid, 200);
    await expect(bookIt(paid)).rejects.toThrow('refund_on_its_way');
  });

  test('all of a payment opens its instalments again, and its alert ends', async () => {
    const paid = await deposit();
    const plan = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${paid.purchaseId}`, paid.buyer);
    const [, second] = plan.body.data;
    const cardTotal = 1_215;
    const next = await pay(
      { ...second, cardTotal, productName: 'x', businessId: shop.merchantId },
      paid.buyer,
    );
    expect(await standing(shop, paid.purchaseId)).toMatchObject({ paid: 180_000 });
    await leaves(next, 1_215);
    await shop.job.resolve_attempt({ attemptId: next.id }, log);
    expect(await waits(next.id)).toEqual(['alert']);
    expect(await bookIt(next)).toMatchObject({ purchaseId: paid.purchaseId, taken: [{ was: 'purchase' }] });
    expect(await standing(shop, paid.purchaseId)).toEqual({
      state: 'active',
      paid: 60_000,
      parts: [60_000, 0, 0],
    });
    await shop.job.resolve_attempt({ attemptId: next.id }, log);
    expect(await waits(next.id)).toEqual([]);
    const again = await pay(
      { ...second, cardTotal, productName: 'x', businessId: shop.merchantId },
      paid.buyer,
    );
    expect((await standing(shop, again.purchaseId)).parts).toEqual([60_000, 120_000, 0]);

    // The deposit from under another payment is owed again; alone, it ends its purchase.
    await leaves(paid, 615);
    await bookIt(paid);
    expect((await standing(shop, paid.purchaseId)).parts).toEqual([0, 120_000, 0]);
    // What is left of it came from a card as well: nothing stands any more, whichever left first.
    await leaves(again, 1_215);
    await bookIt(again);
    expect(await standing(shop, paid.purchaseId)).toMatchObject({ state: 'cancelled', paid: 0 });
    const alone = await deposit();
    await leaves(alone, 615);
    await bookIt(alone);
    expect(await standing(shop, alone.purchaseId)).toMatchObject({ state: 'cancelled', paid: 0 });
    expect(await emailOf('card_reversed', `card:${alone.id}`)).toBe(1);
  });

  test('all of a payment that the panel cancelled is booked though no sum is told, and its alert ends', async () => {
    const paid = await deposit();
    const payment = (await shop.charges()).find(({ id }) => id === paid.paymentId);
    const says = (status_detail: object) =>
      fault(shop, {
        call: 'getPayment',
        kind: 'status',
        status: 200,
        times: 1,
        body: { ...payment, status: 'cancelled', status_detail, amount_refunded: 0 },
      });
    const recheck = async () => {
      await says({ code: 'CA-MER01' });
      await shop.job.resolve_attempt({ attemptId: paid.id }, log);
    };
    await recheck();
    expect(await waits(paid.id)).toEqual(['alert']);
    await says({ code: 'CA-MER01' });
    expect(await bookIt(paid)).toMatchObject({ goneCentavos: 61_500, taken: [{ was: 'purchase' }] });
    expect(await standing(shop, paid.purchaseId)).toMatchObject({ state: 'cancelled', paid: 0 });
    await recheck();
    expect(await waits(paid.id)).toEqual([]);
  });

  test('of a paid-off purchase is a loss, unless somebody says that it was not handed over', async () => {
    const paid = await deposit();
    const plan = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${paid.purchaseId}`, paid.buyer);
    const till = await openTill(shop);
    const ticket = {
      referencia: plan.body.data[1].paymentReference,
      importe: 2_400,
      idtransaccion: randomUUID(),
    };
    await till.pay(ticket);
    await leaves(paid, 615);
    await expect(bookIt(paid)).rejects.toThrow('external_refund_paid_off');
    expect(await bookIt(paid, false, true)).toMatchObject({ taken: [{ was: 'purchase' }] });
    expect((await standing(shop, paid.purchaseId)).parts).toEqual([0, 120_000, 120_000]);
    // The till takes its part back as well: nothing is left, and the purchase ends.
    expect((await till.reverse(ticket)).body.error).toBe(0);
    expect(await standing(shop, paid.purchaseId)).toMatchObject({ state: 'cancelled', paid: 0 });
  });

  test('a part of a payment is the merchant’s loss or nothing; what is invoiced waits for its invoice', async () => {
    const paid = await deposit();
    await leaves(paid, 200);
    await expect(bookIt(paid)).rejects.toThrow('external_refund_part_of_purchase');
    const before = await lost();
    expect(await bookIt(paid, true)).toMatchObject({ goneCentavos: 20_000 });
    expect(await lost()).toBe(before + 20_000);
    expect(await standing(shop, paid.purchaseId)).toMatchObject({ state: 'active', paid: 60_000 });

    const invoiced = await deposit();
    const [first] = await shop.db
      .selectFrom('instalments')
      .select('id')
      .where('purchase_id', '=', invoiced.purchaseId)
      .orderBy('number')
      .execute();
    const clientSatId = await addFiscalClient(shop, invoiced.buyer);
    await emitInvoice(shop, invoiced.buyer, { cxcId: first?.id ?? 0, clientSatId });
    await leaves(invoiced, 615);
    await expect(bookIt(invoiced)).rejects.toThrow('external_refund_invoiced');
  });
});

describe('cash that Tapi took back, and cash of nobody', () => {
  const PATIENCE = { timeout: 20_000 };
  async function heard(operationId: string): Promise<string> {
    await expect
      .poll(async () => {
        const { notices } = await shop.control('GET /control/cash');
        const mine = notices.filter((notice: any) => notice.operationId === operationId);
        return mine.length > 0 && mine.every((notice: any) => notice.state !== 'sending');
      }, PATIENCE)
      .toBe(true);
    return operationId;
  }
  const payAtStore = async (reference: string, more: object = {}) =>
    heard((await shop.control('POST /control/cash/pay', { reference, ...more })).operationId);
  const takeBack = async (operationId: string) =>
    heard(
      (await shop.control(`POST /control/cash/operations/${operationId}`, { move: 'reverse' })).operationId,
    );
  const bookIt = (operationId: string) => transaction(shop.db, (tx) => bookStoreReversal(tx, operationId));
  async function ready(): Promise<{ bought: Bought; number: string }> {
    const bought = await buy(shop);
    const { body } = await storeNumber(shop, bought);
    return { bought, number: body.data.references[0].value };
  }
  const owed = async ({ id, buyer }: Bought) => {
    const { body } = await shop.ask(`GET /v1/Sales/RefundsAsync/${id}`, { token: buyer.token });
    return body.data.map((refund: any) => [refund.amount, refund['way'], refund.state]);
  };

  test('leaves the purchase that a person gave it to, once, and what was too much is owed no more', async () => {
    const { bought } = await ready();
    const stray = await payAtStore('9999888877776601', { amount: 2_500 });
    await transaction(shop.db, (tx) => assignCash(tx, stray, bought.id));
    const back = await takeBack(stray);
    expect(await waits(back)).toEqual(['alert']);
    expect(await bookIt(back)).toEqual({ amountCentavos: 250_000, lostCentavos: 0, purchaseId: bought.id });
    expect(await standing(shop, bought.id)).toMatchObject({ paid: 60_000 });
    expect(await owed(bought)).toEqual([[100, 'cash', 'done']]);
    expect(await waits(back)).toEqual([]);
    await expect(bookIt(back)).rejects.toThrow('reversal_unknown');
    await expect(bookIt(stray)).rejects.toThrow('reversal_unknown');
  });

  test('of a deposit that was too much ends the reservation, of which nothing is paid any more', async () => {
    const { token } = shop.buyer;
    const { paymentReference } = await shop.reference({ token });
    const { body } = await shop.ask('POST /v1/Tapi/GenerateReference', {
      token,
      body: { generationData: [{ identifierValue: paymentReference }] },
    });
    const paid = await payAtStore(body.data.references[0].value, { amount: 700 });
    const { purchaseId } = await bookIt(await takeBack(paid));
    expect(await standing(shop, purchaseId!)).toMatchObject({ state: 'cancelled', paid: 0 });
    expect((await shop.reference({ token })).paymentReference).not.toBe(paymentReference);
  });

  test('after its purchase was cancelled takes what is owed of it; what the buyer has already is lost', async () => {
    const { bought, number } = await ready();
    const whole = await payAtStore(number, { amount: 300 });
    const handed = await payAtStore(number, { amount: 200 });
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${bought.id}`, {
      token: bought.buyer.token,
      body: {},
    });
    const { id } = await shop.db
      .selectFrom('refunds')
      .innerJoin('receipts', 'receipts.id', 'receipt_id')
      .where('source_id', '=', handed)
      .select('refunds.id')
      .executeTakeFirstOrThrow();
    await transaction(shop.db, (tx) => markRefundPaid(tx, id, { paidBy: 'operator', evidence: 'Vale' }));
    const late = await payAtStore(number, { amount: 50 });
    expect(await bookIt(await takeBack(whole))).toMatchObject({ amountCentavos: 30_000, lostCentavos: 0 });
    expect(await bookIt(await takeBack(handed))).toMatchObject({ lostCentavos: 20_000 });
    // Owed back whole, it needs no person.
    await expect(bookIt(await takeBack(late))).rejects.toThrow('reversal_unknown');
    expect(await emailOf('store_reversed', `cash:${late}`)).toBe(1);
    const received = await shop.ask('POST /webhooks/tapi', {
      body: { operationId: whole, status: 'confirmed' },
      headers: { 'x-api-key': 'aparta-development-notices' },
    });
    expect([received.status, await waits(whole)]).toEqual([200, []]);
    expect(
      (await owed(bought)).filter(([, method, state]: any) => method === 'cash' && state === 'owed'),
    ).toEqual([[600, 'cash', 'owed']]);
    expect(await standing(shop, bought.id)).toMatchObject({ state: 'cancelled', paid: 110_000 });
  });

  test('is not waited for any more, and the merchant’s report tells of it and agrees with itself', async () => {
    const pending = (await listPending(shop.db)).filter(({ channel }) => channel === 'cash');
    expect(sumOf(pending.map(({ amountCentavos }) => amountCentavos))).toBe(
      await balance(shop, 'cash_clearing'),
    );
    const today = mexicoCityDate(new Date());
    const report = await readReport(shop.db, { merchantId: shop.merchantId, from: today, to: today });
    expect(report.disagrees).toEqual([]);
    expect(sumMovements(report.movements, 'lost').centavos).toBe(closingOf(report, 'dispute_loss'));
    expect(sumMovements(report.movements, 'lost', { channel: 'cash' }).centavos).toBe(20_000);
  });

  test('that is nobody’s, or not in pesos, waits for nobody once Tapi gave it back', async () => {
    const { bought, number } = await ready();
    const dollars = await payAtStore(number, { currency: 'USD' });
    expect(await waits(dollars)).toEqual(['notice_unapplied']);
    const end = () => transaction(shop.db, (tx) => endUnappliedCash(tx, dollars));
    expect(await end()).toMatchObject({ currency: 'USD' });
    expect(await waits(dollars)).toEqual([]);
    await expect(end()).rejects.toThrow('notice_already_applied');
    await expect(transaction(shop.db, (tx) => assignCash(tx, dollars, bought.id))).rejects.toThrow(
      'notice_already_applied',
    );
    await takeBack(dollars);
    expect(await waits(dollars)).toEqual([]);
  });
});
