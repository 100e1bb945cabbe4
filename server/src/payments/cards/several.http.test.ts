import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import {
  answer3ds,
  emails,
  fault,
  givenBack,
  MINUTE,
  panel,
  refunds,
  runRefunds,
} from '../../../test/card-acts.ts';
import { makeBuyer, makeMerchant, makeProduct, makeStaff } from '../../../test/make.ts';
import { makePurchase, payPurchase } from '../../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { asOwner } from '../../../test/store-acts.ts';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { centavos } from '@aparta/domain/money';
import { readReport } from '../../back-office/settlements/read-report.ts';
import { findPayments } from '../../back-office/operations/find-payment.ts';
import { readExternalRefund } from '../../back-office/operations/book-external-refund.ts';
import { proveBooks } from '../../ledger/books/proofs.read-model.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { createLog } from '../../platform/logging.ts';
import { payRefundInCash } from '../refunds/decide-refund.ts';
import { readGivenBack } from '../refunds/read-given-back.ts';
import { listDueRechecks } from './read-model.ts';

interface Late {
  ventaId: number;
  producto: string;
  referencia: string;
  abonos: { identificador: number; monto: number }[];
  cardFee: number;
}

let shop: Shop;
/** The same database forty days ago: of what is reserved there the first instalment, $1,200.00, is late by now. */
let past: Db;
let ids: number[];
beforeEach(async () => {
  shop = await openShop();
  past = openDb({ url: shop.ownerUrl, role: 'none', max: 2, clockOffset: '-40 days' });
  ids = [];
  for (let n = 0; n < 3; n += 1) ids.push(await reserved());
});
afterEach(async () => {
  await past.destroy();
  await shop.close();
});

async function reserved(merchantId = shop.merchantId, buyerId = shop.buyer.id): Promise<number> {
  const productId = await makeProduct(shop.db, { merchantId });
  return (await makePurchase(past, { buyerId, merchantId, productId })).id;
}

const late = async (saleId = ids[0], token = shop.buyer.token): Promise<Late[]> =>
  (await shop.ask(`GET /v1/Cxc/GetLateWithAsync/${saleId}`, { token })).body.data;

const sumOf = (several: readonly Late[]) =>
  several.flatMap(({ abonos }) => abonos).reduce((all, { monto }) => all + monto, 0);

async function pay(
  several: readonly Late[],
  card: string,
  given: { intentId?: string; amount?: number; merchantId?: number; token?: string } = {},
) {
  const fee = Math.max(...several.map(({ cardFee }) => cardFee));
  return shop.ask('POST /v1/Clib/CreatePaymentsAsync', {
    token: given.token ?? shop.buyer.token,
    body: {
      amount: given.amount ?? sumOf(several) + fee,
      currency: 'MXN',
      payment_method: { token: await shop.cardToken(card) },
      apartaBusinnessId: given.merchantId ?? shop.merchantId,
      intentoId: given.intentId ?? randomUUID(),
      compras: several.map(({ referencia, abonos }) => ({ referencia, abonos })),
    },
  });
}

/** The shop cannot deliver it: all of it goes back. */
async function end(id: number | undefined): Promise<void> {
  const { token } = await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' });
  const quote = await shop.ask(`GET /v1/counter/purchases/${id}/end-quote`, { token });
  const body = { reason: 'Se incendió el almacén', refundShown: quote.body.data.refund };
  const ended = await shop.ask(`POST /v1/counter/purchases/${id}/end`, { token, body });
  expect(ended.status).toBe(200);
}

const paid = async () =>
  (await shop.db.selectFrom('purchases').select(['id', 'paid_centavos']).orderBy('id').execute()).map(
    ({ paid_centavos }) => paid_centavos,
  );

describe('what is late of several purchases', () => {
  test('is listed with the one that was opened first, of one merchant and one buyer alone', async () => {
    const elsewhere = await makeMerchant(shop.db);
    await reserved(elsewhere);
    await reserved(shop.merchantId, (await makeBuyer(shop.db)).id);
    const inTime = await makePurchase(shop.db, {
      buyerId: shop.buyer.id,
      merchantId: shop.merchantId,
      productId: shop.productId,
    });
    const listed = await late(ids[1]);
    expect(listed.map(({ ventaId }) => ventaId)).toEqual([ids[1], ids[0], ids[2]]);
    expect(listed[0]).toMatchObject({ abonos: [{ identificador: 2, monto: 1200 }], cardFee: 15 });
    expect((await late(inTime.id)).map(({ ventaId }) => ventaId)).toEqual(ids);
    expect(await late(ids[0], (await makeBuyer(shop.db)).token)).toEqual([]);
  });

  test('is paid with one card, one fee and one receipt that names each', async () => {
    const several = await late();
    const { body } = await pay(several, CARDS.approved);
    expect(body.data).toMatchObject({ applied: true, amount: 3615, ventaId: null, plan: null });
    expect(body.data.compras.map(({ monto, saldo }: any) => [monto, saldo])).toEqual([
      [1200, 1200],
      [1200, 1200],
      [1200, 1200],
    ]);
    expect(await paid()).toEqual([180_000, 180_000, 180_000]);
    expect(await shop.charges()).toHaveLength(1);
    // Whoever has its folio in their hand is led to each of them.
    const found = await findPayments(shop.db, { by: 'text', text: body.data.folio });
    expect(found.map(({ purchaseId }) => purchaseId).toSorted()).toEqual(ids);
    const { body: receipt } = await shop.ask(`GET /v1/Receipts/GetAsync/${body.data.folio}`, {
      token: shop.buyer.token,
    });
    expect(receipt.data.others.map((other: any) => [other.ventaId, other.amount])).toEqual([
      [ids[1], 1200],
      [ids[2], 1200],
    ]);
    expect(await emails(shop)).toContain('several_paid');
    expect(await late()).toEqual([]);
  });

  test('is not paid as shown once a till took some of it: nothing is charged', async () => {
    const several = await late();
    await payPurchase(shop.db, ids[1]!, centavos(20_000));
    const { status, body } = await pay(several, CARDS.approved);
    expect([status, body.code, body.facts ?? body.data]).toMatchObject([409, 'AMOUNT_CHANGED', {}]);
    expect(await shop.charges()).toHaveLength(0);
    expect((await pay(await late(), CARDS.approved)).body.data.applied).toBe(true);
    expect(await paid()).toEqual([180_000, 180_000, 180_000]);
  });

  test('that a cancelled one is among goes back whole to the card', async () => {
    const intentId = randomUUID();
    await pay(await late(), CARDS.threeDs, { intentId });
    const quote = await shop.ask(`GET /v1/Sales/CancelQuoteAsync/${ids[2]}`, { token: shop.buyer.token });
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${ids[2]}`, {
      token: shop.buyer.token,
      body: { refundShown: quote.body.data.refund },
    });
    await answer3ds(shop, intentId, 'approve');
    await shop.poll(intentId);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'returned', captured_centavos: 361_500 });
    await runRefunds(shop);
    expect((await refunds(shop)).filter(({ method }) => method === 'card')).toMatchObject([
      { amount_centavos: 361_500, state: 'done' },
    ]);
    expect(await paid()).toEqual([60_000, 60_000, 60_000]);
    for (const id of ids) {
      const { body } = await shop.ask(`GET /v1/Sales/RefundsAsync/${id}`, { token: shop.buyer.token });
      expect(body.data.some(({ amount }: any) => amount === 3615)).toBe(true);
    }
  });

  test('paid, one of them is cancelled: its own share goes back to the card, and the others keep theirs', async () => {
    await pay(await late(), CARDS.approved);
    const quote = await shop.ask(`GET /v1/Sales/CancelQuoteAsync/${ids[1]}`, { token: shop.buyer.token });
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${ids[1]}`, {
      token: shop.buyer.token,
      body: { refundShown: quote.body.data.refund },
    });
    await runRefunds(shop);
    const [back] = (await refunds(shop)).filter(({ method }) => method === 'card');
    expect(back?.state).toBe('done');
    expect(back?.amount_centavos).toBeLessThanOrEqual(120_000);
    const rest = await shop.db
      .selectFrom('purchases')
      .select('paid_centavos')
      .where('id', 'in', [ids[0]!, ids[2]!])
      .execute();
    expect(rest).toEqual([{ paid_centavos: 180_000 }, { paid_centavos: 180_000 }]);
  });

  test('paid, all of them end: each has its own share back, and the one fee comes back once', async () => {
    await pay(await late(), CARDS.approved);
    // Not the first first: the fee stands with that one.
    for (const id of [ids[1], ids[2], ids[0]]) await end(id);
    const byCard = (await refunds(shop)).filter(({ method }) => method === 'card');
    expect(byCard.map(({ purchase_id, amount_centavos }) => [purchase_id, amount_centavos])).toEqual([
      [ids[1], 120_000],
      [ids[2], 120_000],
      [ids[0], 121_500],
    ]);
    // Two servers at once: of one payment one is asked for at a time, since the next is known by what the payment says.
    await Promise.all(byCard.map(({ id }) => shop.job.refund_card({ refundId: id }, createLog('silent'))));
    await runRefunds(shop);
    expect(
      (await refunds(shop)).filter(({ method, state }) => method === 'card' && state !== 'done'),
    ).toEqual([]);
    expect(await givenBack(shop)).toBe(3615);
    const today = mexicoCityDate(new Date());
    const { movements } = await readReport(shop.db, { merchantId: shop.merchantId, from: today, to: today });
    const toCards = movements.filter(({ kind }) => kind === 'card_refund');
    expect(toCards.map(({ purchaseId }) => purchaseId).toSorted()).toEqual(ids);
    expect(await proveBooks(shop.db)).toEqual([]);
    const { body } = await shop.ask(`GET /v1/Sales/RefundsAsync/${ids[1]}`, { token: shop.buyer.token });
    expect(body.data.map(({ amount }: any) => amount)).toEqual([1200, 600]);
  });

  test('paid and in dispute, no share of it is paid in cash, not even the one that was not asked for yet', async () => {
    const { body } = await pay(await late(), CARDS.approved);
    await panel(shop, body.data.id, { move: 'dispute' });
    await end(ids[0]);
    await runRefunds(shop);
    await end(ids[1]);
    const [disputed, other] = (await refunds(shop)).filter(({ method }) => method === 'card');
    expect([disputed?.state, other?.state]).toEqual(['blocked', 'owed']);
    const givenBack = await readGivenBack(shop.jobs, other?.id ?? 0);
    const inCash = transaction(shop.db, (tx) =>
      payRefundInCash(tx, other?.id ?? 0, { givenBack, isSeenUnpaid: true }),
    );
    await expect(inCash).rejects.toMatchObject({ code: 'refund_disputed', facts: { id: disputed?.id } });
    // Nor when its own tries are used up.
    await asOwner(shop, 'update refunds set tries = 29 where id = $1', [other?.id]);
    await fault(shop, {
      call: 'createRefund',
      kind: 'status',
      status: 409,
      times: 1,
      body: { error_code: 'AI1400' },
    });
    await shop.job.refund_card({ refundId: other?.id ?? 0 }, createLog('silent'));
    expect((await refunds(shop)).find(({ id }) => id === other?.id)).toMatchObject({
      state: 'blocked',
      detail_code: 'AI1804',
    });
  });

  test('that left by the provider’s panel waits until a purchase ends, or is a loss that somebody names', async () => {
    const intentId = randomUUID();
    await pay(await late(), CARDS.approved, { intentId });
    const { id, provider_payment_id: paymentId } = await shop.attempt(intentId);
    await panel(shop, paymentId, { move: 'refund', amount: 3615 });
    const bookIt = async (isLoss: boolean) => {
      const external = { isLoss, isNotDelivered: false, providerRefundId: 'panel-1' };
      return transaction(shop.db, await readExternalRefund(shop.jobs, id, external));
    };
    await expect(bookIt(false)).rejects.toThrow('external_refund_of_several');
    expect(await bookIt(true)).toMatchObject({ taken: [{ was: 'loss', amountCentavos: 361_500 }] });
    expect(await paid()).toEqual([180_000, 180_000, 180_000]);
  });

  test('being paid, none of them is paid beside it, and each shows that payment', async () => {
    const intentId = randomUUID();
    await pay(await late(), CARDS.threeDs, { intentId });
    for (const id of ids) {
      const [alone] = await late(id);
      const again = await pay([alone!, (await late(id))[1]!], CARDS.approved);
      expect([again.status, again.body.code]).toEqual([409, 'ATTEMPT_OPEN']);
      const plan = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${id}`, { token: shop.buyer.token });
      const next = plan.body.data.find((each: any) => each.visibleAlPago);
      const one = await shop.ask(`GET /v1/Cxc/ByIdWithBalance/${next.id}`, { token: shop.buyer.token });
      expect(one.body.data.attempt).toMatchObject({ state: 'pending_3ds', intentoId: intentId });
      const single = await shop.pay(one.body.data, CARDS.approved);
      expect([single.status, single.body.code]).toEqual([409, 'ATTEMPT_OPEN']);
    }
    await answer3ds(shop, intentId, 'approve');
    await shop.poll(intentId);
    expect(await paid()).toEqual([180_000, 180_000, 180_000]);
  });

  test('is watched at its provider while any of them goes on, though the first was cancelled long ago', async () => {
    await pay(await late(), CARDS.approved);
    await shop.db
      .updateTable('card_attempts')
      .set({ recheck_at: sql<Date>`now()`, created_at: sql<Date>`created_at - interval '301 days'` })
      .execute();
    const isOver = async () =>
      (await listDueRechecks(shop.db, { perMerchant: 1, inAll: 1 })).map((due) => due.isOver);
    const endLongAgo = async (id: number | undefined) => {
      await end(id);
      await sql`update purchases set cancelled_at = cancelled_at - interval '181 days' where id = ${id}`.execute(
        shop.db,
      );
    };
    await endLongAgo(ids[0]);
    expect(await isOver()).toEqual([false]);
    for (const id of ids.slice(1)) await endLongAgo(id);
    expect(await isOver()).toEqual([true]);
  });

  test('given up at the bank is not taken up again beside a payment of one of them', async () => {
    const [severalId, oneId] = [randomUUID(), randomUUID()];
    const several = await late();
    await pay(several, CARDS.threeDs, { intentId: severalId });
    await shop.age(severalId, 31 * MINUTE);
    await shop.poll(severalId);
    expect((await shop.attempt(severalId)).state).toBe('abandoned');
    const second = several.find(({ ventaId }) => ventaId === ids[1]);
    const one = await shop.ask('POST /v1/Clib/CreatePaymentsAsync', {
      token: shop.buyer.token,
      body: {
        amount: 1215,
        currency: 'MXN',
        payment_method: { token: await shop.cardToken(CARDS.threeDs) },
        apartaBusinnessId: shop.merchantId,
        intentoId: oneId,
        referencia: second?.referencia,
      },
    });
    expect(one.status).toBe(200);
    await shop.db.updateTable('card_attempts').set({ polled_at: null }).execute();
    const { provider_payment_id: paymentId } = await shop.attempt(severalId);
    const asked = await shop.ask(`GET /v1/Clib/GetPaymentsAsync/${paymentId}/${shop.merchantId}`, {
      token: shop.buyer.token,
    });
    expect(asked.status).toBe(200);
    expect([await shop.attempt(severalId), await shop.attempt(oneId)].map(({ state }) => state)).toEqual([
      'abandoned',
      'pending_3ds',
    ]);
    const reopened = shop.db
      .updateTable('card_attempts')
      .set({ state: 'pending_3ds' })
      .where('intent_id', '=', severalId);
    await expect(reopened.execute()).rejects.toThrow('has an open one');
  });

  test('pressed eight times at once is one charge', async () => {
    const several = await late();
    const intentId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => pay(several, CARDS.approved, n % 2 === 0 ? { intentId } : {})),
    );
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect((await shop.charges()).filter(({ status }) => status === 'approved')).toHaveLength(1);
    expect(await paid()).toEqual([180_000, 180_000, 180_000]);
  });

  test('is refused where one is of another buyer or merchant, is named twice, or is paid', async () => {
    const [first, second, third] = await late();
    const stranger = await makeBuyer(shop.db);
    const theirs = await late(await reserved(shop.merchantId, stranger.id), stranger.token);
    const elsewhere = await late(await reserved(await makeMerchant(shop.db)));
    for (const other of [theirs[0]!, elsewhere[0]!, { ...second!, referencia: '21111111111' }]) {
      const { status, body } = await pay([first!, other], CARDS.approved);
      expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await pay([first!, first!], CARDS.approved)).body.code).toBe('INVALID_INPUT');
    expect((await pay([first!], CARDS.approved)).body.code).toBe('INVALID_INPUT');
    await payPurchase(shop.db, third!.ventaId, centavos(240_000));
    expect((await pay([first!, third!], CARDS.approved)).body.code).toBe('REFERENCE_PAID');
    expect(await shop.charges()).toHaveLength(0);
  });

  test('whose card is rejected costs nothing, and may be tried again', async () => {
    const several = await late();
    const { body } = await pay(several, CARDS.insufficientFunds);
    expect(body.data).toMatchObject({ state: 'rejected', applied: false });
    expect(await paid()).toEqual([60_000, 60_000, 60_000]);
    // After a rejection the bank is asked who pays.
    expect((await pay(several, CARDS.approved)).body.data.state).toBe('pending_3ds');
  });
});
