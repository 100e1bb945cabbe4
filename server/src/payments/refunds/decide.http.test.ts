import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DAY, fault, panel } from '../../../test/card-acts.ts';
import { makeBuyer } from '../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { asOwner } from '../../../test/store-acts.ts';
import { readExternalRefund } from '../../back-office/operations/book-external-refund.ts';
import { listWaiting } from '../../back-office/operations/waiting.read-model.ts';
import { listOpenAlerts } from '../../back-office/readiness/read-model.ts';
import { raiseAlert } from '../../platform/alerts.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { createLog } from '../../platform/logging.ts';
import { decideHeld } from '../cards/decide-held.ts';
import { lockAttempt } from '../cards/store.ts';
import { readGivenBack } from './read-given-back.ts';
import {
  askRefundAgain,
  letRefundWait,
  markRefundBounced,
  markRefundPaid,
  payRefundInCash,
} from './decide-refund.ts';

const log = createLog('silent');

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close()); // and proves the books

/** A new buyer's payment, by a card that misbehaves. */
async function payment(card: string) {
  const { id: buyerId, token } = await makeBuyer(shop.db);
  const intentId = randomUUID();
  const paid = await shop.pay(await shop.reference({ token }), card, { token, intentId });
  const { id } = await shop.attempt(intentId);
  return { id: id as string, intentId, token, buyerId, data: paid.body.data };
}

const decide = (id: string, decision: 'apply' | 'return') =>
  transaction(shop.db, (tx) => decideHeld(tx, id, decision));

const alertsOf = async (subject: string) => {
  const { rows } = await sql<{ kind: string }>`
    select kind from alerts where subject = ${subject} and resolved_at is null`.execute(shop.db);
  return rows.map(({ kind }) => kind);
};

describe('held money, decided by the operator', () => {
  test('is applied when it is the agreed sum after all, once', async () => {
    const { id, intentId, token, buyerId } = await payment(CARDS.oddDetail);
    expect(await decide(id, 'apply')).toEqual({ amountCentavos: 61_500 });
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'applied', captured_centavos: 61_500 });
    const list = await shop.ask(`GET /v1/Cxc/ByBuyerIdH/${buyerId}`, { token });
    expect(list.body.data).toMatchObject([{ totalPagos: 600, numCxcPagadas: 1 }]);
    expect(await alertsOf(id)).toEqual([]);
    // The provider goes on saying the same: it is decided, and raises no more alerts.
    await shop.job.sweep_card_payments(undefined, log);
    expect(await alertsOf(id)).toEqual([]);
    await expect(decide(id, 'apply')).rejects.toThrow('attempt_not_held');
    await expect(decide(id, 'return')).rejects.toThrow('attempt_not_held');
  });

  test('goes back whole when it is not the agreed sum', async () => {
    const { id, intentId } = await payment(CARDS.oneMore);
    await expect(decide(id, 'apply')).rejects.toThrow('held_other_amount');
    const { captured_centavos: captured } = await shop.attempt(intentId);
    expect(await decide(id, 'return')).toEqual({ amountCentavos: captured });
    const refund = await refundOf(id);
    expect(refund).toMatchObject({ state: 'owed', amount_centavos: captured });
    await shop.job.refund_card({ refundId: refund.id }, log);
    expect(await refundOf(id)).toMatchObject({ state: 'done' });
  });

  test('that was only authorised is nothing to decide about', async () => {
    const { id } = await payment(CARDS.authorisedOnly);
    await expect(decide(id, 'apply')).rejects.toThrow('held_not_captured');
    await expect(decide(id, 'return')).rejects.toThrow('held_not_captured');
  });
});

describe('a refund that waits for a person', () => {
  test('is asked for again once what blocked it is mended', async () => {
    const refundId = await blockedRefund();
    expect(await alertsOf(String(refundId))).toEqual(['refund_blocked']);
    await transaction(shop.db, (tx) => askRefundAgain(tx, refundId));
    expect(await alertsOf(String(refundId))).toEqual([]);
    await shop.job.refund_card({ refundId }, log);
    expect(await stateOf(refundId)).toBe('done');
    await expect(transaction(shop.db, (tx) => askRefundAgain(tx, refundId))).rejects.toThrow(
      'refund_not_blocked',
    );
  });

  test('waits for a dispute to end without an alert until its day, and is listed as such meanwhile', async () => {
    const refundId = await blockedRefund();
    const rings = async () => {
      const waiting = (await listWaiting(shop.db)).find(({ id }) => id === String(refundId))?.kind;
      const open = (await listOpenAlerts(shop.db)).some(({ subject }) => subject === String(refundId));
      return [waiting, open];
    };
    const wait = (days: number) =>
      transaction(shop.db, (tx) => letRefundWait(tx, refundId, new Date(Date.now() + days * DAY)));
    expect(await rings()).toEqual(['refund_blocked', true]);
    await wait(30);
    expect(await rings()).toEqual(['refund_quiet', false]);
    await expect(wait(-1)).rejects.toThrow('until_is_past');
    await expect(wait(400)).rejects.toThrow('refund_wait_too_long');
    await asOwner(shop, `update refunds set quiet_until = app_now() - interval '1 second'`);
    expect(await rings()).toEqual(['refund_blocked', true]);
    await transaction(shop.db, (tx) => askRefundAgain(tx, refundId));
    await expect(wait(30)).rejects.toThrow('refund_not_blocked');
  });

  test('leads its buyer, at every step, to the purchase whose money it is, and knows whose shop it is', async () => {
    const refundId = await blockedRefund('AI1899');
    const { cashRefundId } = await payInCash(refundId, true);
    const handover = { paidBy: 'merchant', evidence: 'Vale firmado 119' } as const;
    await transaction(shop.db, (tx) => markRefundPaid(tx, cashRefundId, handover));
    await transaction(shop.db, (tx) => markRefundBounced(tx, cashRefundId));
    const { rows } = await sql`
      select o.topic, (o.facts->>'purchaseId')::bigint = f.purchase_id as "leadsToIt",
        (o.facts->>'merchantId')::bigint = r.merchant_id as "knowsItsShop"
      from refunds f join receipts r on r.id = f.receipt_id join outbox o on o.buyer_id = r.buyer_id
      where f.id = ${refundId} and o.topic like 'refund\\_%' order by o.id`.execute(shop.db);
    expect(rows).toEqual(
      ['refund_in_cash', 'refund_paid_in_cash', 'refund_bounced'].map((topic) => ({
        topic,
        leadsToIt: true,
        knowsItsShop: true,
      })),
    );
  });

  test('is paid in cash instead, with an email to the buyer, and owed again when it bounces', async () => {
    const refundId = await blockedRefund('AI1899');
    const inCash = (isSeenUnpaid: boolean) => payInCash(refundId, isSeenUnpaid);
    // It may be back without an answer to us: it is not paid in cash before somebody checked.
    await expect(inCash(false)).rejects.toThrow('refund_perhaps_returned');
    // Others' troubles under the same number are not dealt with by it.
    await raiseAlert(shop.db, 'invoice_to_cancel', String(refundId), {});
    const handover = { paidBy: 'merchant', evidence: 'Vale firmado 118' } as const;
    const byCard = transaction(shop.db, (tx) => markRefundPaid(tx, refundId, handover));
    await expect(byCard).rejects.toThrow('refund_not_in_cash');
    const { cashRefundId } = await inCash(true);
    await raiseAlert(shop.db, 'merchant_not_swept', String(cashRefundId), {});
    expect(await stateOf(refundId)).toBe('moved_to_cash');
    await expect(inCash(true)).rejects.toThrow('refund_on_its_way');
    // No provider is asked for cash, nor for what nobody owes.
    const ask = (id: number) => transaction(shop.db, (tx) => askRefundAgain(tx, id));
    await expect(ask(cashRefundId)).rejects.toThrow('refund_not_by_card');
    await expect(ask(0)).rejects.toThrow('refund_unknown');
    await shop.job.refund_card({ refundId: 0 }, log);

    const pay = () => transaction(shop.db, (tx) => markRefundPaid(tx, cashRefundId, handover));
    expect(await pay()).toEqual({ amountCentavos: 61_500 });
    await expect(pay()).rejects.toThrow('refund_done_already');
    expect(await alertsOf(String(refundId))).toEqual(['invoice_to_cancel']);
    expect(await alertsOf(String(cashRefundId))).toEqual(['merchant_not_swept']);
    expect(await transaction(shop.db, (tx) => markRefundBounced(tx, cashRefundId))).toEqual({
      amountCentavos: 61_500,
    });
    expect(await stateOf(cashRefundId)).toBe('owed');
    expect(await pay()).toEqual({ amountCentavos: 61_500 });
    const { rows } = await sql<{ topic: string }>`select topic from outbox
      where topic = 'refund_paid_in_cash' and dedupe_key like ${`refund:${cashRefundId}:%`}`.execute(shop.db);
    expect(rows).toHaveLength(2);
  });
});

describe('a refund that is owed and that an operator wants paid in cash', () => {
  /** Clip said no balance; then the merchant refunds so many pesos in its panel. */
  async function declined(pesos: number) {
    const refundId = await blockedRefund('AI1400');
    const { attemptId, paymentId } = await shop.db
      .selectFrom('refunds as f')
      .innerJoin('card_attempts as a', 'a.id', 'f.attempt_id')
      .select(['a.id as attemptId', 'a.provider_payment_id as paymentId'])
      .where('f.id', '=', refundId)
      .executeTakeFirstOrThrow();
    if (pesos > 0) await panel(shop, paymentId ?? '', { move: 'refund', amount: pesos });
    return { refundId, attemptId };
  }

  test.each([615, 100])('is not, once %s pesos of its payment went back in the panel', async (pesos) => {
    const { refundId, attemptId } = await declined(pesos);
    for (const isSeenUnpaid of [false, true])
      await expect(payInCash(refundId, isSeenUnpaid)).rejects.toMatchObject({
        code: 'refund_went_back',
        facts: { id: refundId, gone: pesos * 100 },
      });
    expect(await stateOf(refundId)).toBe('owed');
    // Once that is booked, only the rest is owed.
    const external = { isLoss: false, isNotDelivered: false, providerRefundId: undefined };
    expect(
      await transaction(shop.db, await readExternalRefund(shop.jobs, attemptId, external)),
    ).toMatchObject({
      goneCentavos: pesos * 100,
    });
    if (pesos === 615) expect(await stateOf(refundId)).toBe('done');
    else await payInCash(refundId, true);
  });

  test('is paid in cash unseen only where Clip tells that nothing went back', async () => {
    const { refundId, attemptId } = await declined(0);
    await fault(shop, { call: 'getPayment', kind: 'unreachable', times: 1 });
    await expect(payInCash(refundId, false)).rejects.toMatchObject({ code: 'refund_unread' });
    // Less than the books have: what Clip tells is not to be relied on.
    const booked = (centavos: number) =>
      asOwner(shop, 'update card_attempts set refunded_centavos = $1 where id = $2', [centavos, attemptId]);
    await booked(100);
    await expect(payInCash(refundId, false)).rejects.toMatchObject({ code: 'refund_unread' });
    await booked(0);
    await payInCash(refundId, false);
    expect(await stateOf(refundId)).toBe('moved_to_cash');
  });

  test('and whose payment Clip cannot tell of is, if somebody saw in the panel that nothing went back', async () => {
    const { refundId } = await declined(0);
    await fault(shop, { call: 'getPayment', kind: 'unreachable', times: 1 });
    await payInCash(refundId, true);
    expect(await stateOf(refundId)).toBe('moved_to_cash');
  });

  test('and that Clip gave no answer about is not, before somebody looked: it may be on its way', async () => {
    const { refundId } = await declined(0);
    const says = (detail: string) =>
      asOwner(shop, 'update refunds set detail_code = $1 where id = $2', [detail, refundId]);
    for (const detail of ['it did not happen', 'asked again by the operator']) {
      await says(detail);
      await expect(payInCash(refundId, false)).rejects.toThrow('refund_perhaps_returned');
    }
    await payInCash(refundId, true);
    expect(await stateOf(refundId)).toBe('moved_to_cash');
  });
});

describe('a refund of a payment that is in dispute at the bank', () => {
  const again = (refundId: number) => transaction(shop.db, (tx) => askRefundAgain(tx, refundId));

  test('is not paid in cash while the bank may pay it too, whatever was seen in the panel', async () => {
    const refundId = await blockedRefund();
    for (const isSeenUnpaid of [true, false])
      await expect(payInCash(refundId, isSeenUnpaid)).rejects.toMatchObject({
        code: 'refund_disputed',
        facts: { id: refundId },
      });
    expect([await stateOf(refundId), await alertsOf(String(refundId))]).toEqual([
      'blocked',
      ['refund_blocked'],
    ]);
  });

  test('is not paid in cash because it was asked for again, before the provider has said that the dispute is over', async () => {
    const refundId = await blockedRefund();
    const credential = shop.db.updateTable('provider_credentials');
    const { secret_key_id: kept } = await shop.db
      .selectFrom('provider_credentials')
      .select('secret_key_id')
      .executeTakeFirstOrThrow();
    const refused = () => expect(payInCash(refundId, true)).rejects.toThrow('refund_disputed');
    await again(refundId);
    await refused();
    // A key that opens no more is no answer either.
    await credential.set({ secret_key_id: 'lost' }).execute();
    await shop.job.refund_card({ refundId }, log);
    expect(await stateOf(refundId)).toBe('blocked');
    await refused();
    await credential.set({ secret_key_id: kept }).execute();
    await again(refundId);
    await answers(refundId, 'AI1400');
    expect(await stateOf(refundId)).toBe('owed');
    await payInCash(refundId, false);
  });

  test('goes back by card once the dispute is won, and in cash where that is too late', async () => {
    const [won, late] = [await blockedRefund(), await blockedRefund()];
    await again(won);
    await shop.job.refund_card({ refundId: won }, log);
    expect(await stateOf(won)).toBe('done');
    await again(late);
    await answers(late, 'AI1803');
    expect(await stateOf(late)).toBe('moved_to_cash');
  });
});

test('a decision waits for whoever holds the payment, and holds nothing meanwhile that they may need', async () => {
  const refundId = await blockedRefund();
  const { attempt_id: attemptId } = await shop.db
    .selectFrom('refunds')
    .select('attempt_id')
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow();
  let deciding: Promise<unknown> = Promise.resolve();
  await transaction(shop.db, async (tx) => {
    await lockAttempt(tx, attemptId ?? '');
    deciding = transaction(shop.db, (other) => askRefundAgain(other, refundId));
    await expect
      .poll(() =>
        asOwner(
          shop,
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      )
      .toHaveLength(1);
    const { rows } = await sql`
      select id from refunds where id = ${refundId} for no key update skip locked`.execute(shop.db);
    expect(rows).toHaveLength(1);
  });
  await deciding;
});

describe('what the database remembers', () => {
  test('every state that an attempt and its refund were in, with the provider’s words', async () => {
    const { id } = await payment(CARDS.oddDetail);
    await decide(id, 'return');
    const { rows } = await sql<{ from: string; to: string; detail: string }>`
      select from_state as "from", to_state as "to", detail from state_history where subject_id = ${id} order by id`.execute(
      shop.db,
    );
    expect(rows).toEqual([
      { from: 'submitting', to: 'held', detail: expect.stringMatching(/^AP-/) },
      { from: 'held', to: 'returned', detail: expect.stringMatching(/^AP-/) },
    ]);
  });
});

async function refundOf(attemptId: string) {
  return shop.db
    .selectFrom('refunds')
    .select(['id', 'state', 'amount_centavos'])
    .where('attempt_id', '=', attemptId)
    .executeTakeFirstOrThrow();
}

async function stateOf(refundId: number): Promise<string> {
  const refund = await shop.db
    .selectFrom('refunds')
    .select('state')
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow();
  return refund.state;
}

/** An operator turns a refund into cash, as their command does. */
async function payInCash(refundId: number, isSeenUnpaid: boolean) {
  const givenBack = await readGivenBack(shop.jobs, refundId);
  return transaction(shop.db, (tx) => payRefundInCash(tx, refundId, { givenBack, isSeenUnpaid }));
}

/** A cancelled purchase whose refund the provider does not let us ask for: of a payment in dispute, or why else. */
async function blockedRefund(code = 'AI1804'): Promise<number> {
  const { token, data } = await payment(CARDS.approved);
  const { body } = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${data.ventaId}`, {
    token,
    body: { saleStatusId: 2, cancelNotes: '', refundShown: 615 },
  });
  const refundId: number = body.data.refunds[0].id;
  await answers(refundId, code);
  return refundId;
}

/** The provider is asked for a refund, and answers that. */
async function answers(refundId: number, code: string): Promise<void> {
  await fault(shop, {
    call: 'createRefund',
    kind: 'status',
    status: 409,
    times: 1,
    body: { error_code: code },
  });
  await shop.job.refund_card({ refundId }, log);
}
