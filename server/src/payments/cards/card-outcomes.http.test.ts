import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  alerts,
  answer3ds,
  balance,
  chargeElsewhere,
  DAY,
  endReference,
  fault,
  givenBack,
  HOUR,
  emails,
  MINUTE,
  panel,
  purchases,
  refunds,
  runRefunds,
  till,
} from '../../../test/card-acts.ts';
import { makeBuyer } from '../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { asOwner } from '../../../test/store-acts.ts';

let shop: Shop;
let intentId: string;
beforeEach(async () => {
  shop = await openShop();
  intentId = randomUUID();
});
afterEach(() => shop.close());

const pay = async (card: string, reference?: any) =>
  (await shop.pay(reference ?? (await shop.reference()), card, { intentId })).body.data;
const state = async (intent = intentId) => (await shop.attempt(intent)).state;
const poll = async (intent = intentId) =>
  (await shop.ask(`GET /v1/Clib/GetAttemptAsync/${intent}`, { token: shop.buyer.token })).body.data;
/** Money stands where it should: `card` taken, `owed` back, `waiting` for a person. */
const money = async () => ({
  card: await balance(shop, 'card_clearing'),
  owed: await balance(shop, 'card_refund_payable'),
  waiting: await balance(shop, 'suspense'),
});

/** A job that waits: how many seconds its last step put it off, and when that was. */
const waiting = async (key: string) => {
  const [job] = await asOwner(
    shop,
    `select extract(epoch from run_at - updated_at)::float as seconds, updated_at as since
      from graphile_worker.jobs where key = $1`,
    [key],
  );
  return job as { seconds: number; since: Date } | undefined;
};

describe('an answer that does not come', () => {
  test.each([
    ['lost', CARDS.replyLost],
    ['unreadable', '4000002004000004'],
    ['late', CARDS.answersLate],
  ])('charged and the reply %s: the buyer is told to wait, the job applies it once', async (_how, card) => {
    const reference = await shop.reference();
    expect(await pay(card, reference)).toMatchObject({ state: 'unknown', status: 'pending', applied: false });
    const again = await shop.pay(reference, CARDS.approved);
    expect([again.status, again.body.code, again.body.facts]).toEqual([
      409,
      'ATTEMPT_OPEN',
      { intentoId: intentId, state: 'unknown' },
    ]);
    await shop.poll(intentId, 2);
    expect(await state()).toBe('applied');
    expect(await shop.charges()).toHaveLength(1);
    expect(await purchases(shop)).toHaveLength(1);
    expect(await emails(shop)).toEqual(['layaway_paid']);
  });

  test.each([
    ['no reply', '4000002002000006'],
    ['500', '4000002005000003'],
    ['429', '4000002006000002'],
  ])('%s and nothing charged: only two whole lists after the card token died say so', async (_how, card) => {
    const reference = await shop.reference();
    expect(await pay(card, reference)).toMatchObject({ state: 'unknown' });
    await shop.poll(intentId, 3);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'unknown', not_found_count: 0 });

    await shop.age(intentId, 16 * MINUTE);
    await shop.poll(intentId, 3);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'unknown', not_found_count: 0 });

    await shop.age(intentId, 1.1 * MINUTE);
    await shop.poll(intentId);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'unknown', not_found_count: 1 });
    expect(await emails(shop)).toEqual([]);
    await shop.poll(intentId);
    expect(await state()).toBe('not_charged');
    expect(await emails(shop)).toEqual(['payment_not_charged']);
    expect(await shop.charges()).toEqual([]);

    intentId = randomUUID();
    expect(await pay(CARDS.approved, reference)).toMatchObject({ state: 'applied' });
  });

  test('it is asked for by itself, later each time, whatever the buyer’s polls do', async () => {
    await pay(CARDS.nothingHappened);
    const { id } = await shop.attempt(intentId);
    const first = await waiting(`resolve:${id}`);
    expect(first?.seconds).toBe(15);
    await poll();
    expect([(await shop.attempt(intentId)).polls, await waiting(`resolve:${id}`)]).toEqual([0, first]);
    await shop.age(intentId, 10 * MINUTE);
    await shop.poll(intentId, 7);
    await shop.poll(intentId);
    expect((await shop.attempt(intentId)).polls).toBe(8);
    const { seconds = 0 } = (await waiting(`resolve:${id}`)) ?? {};
    expect([seconds > 5 * 60, seconds <= 10 * 60]).toEqual([true, true]); // twenty minutes after the charge
  });

  test('a buyer’s polls do not hurry the proof that nothing was charged', async () => {
    await pay(CARDS.nothingHappened);
    await shop.age(intentId, 18 * MINUTE);
    for (let n = 0; n < 4; n += 1) expect((await poll()).state).toBe('unknown');
    expect(await shop.attempt(intentId)).toMatchObject({ not_found_count: 0 });
    await shop.poll(intentId, 2);
    expect(await state()).toBe('not_charged');
  });

  test('once the reference is free, the payment is looked for in one list, and not in the hours around', async () => {
    await pay(CARDS.nothingHappened);
    await shop.age(intentId, 18 * MINUTE);
    await shop.poll(intentId, 2);
    expect(await state()).toBe('not_charged');
    await fault(shop, { call: 'listPayments', kind: 'slowReply', delayMs: 0, times: 9 });
    await shop.poll(intentId);
    expect(await shop.control('GET /control/faults')).toMatchObject({ faults: [{ times: 8 }] });
  });

  test('a list that fails or is half a JSON proves nothing', async () => {
    await pay(CARDS.nothingHappened);
    await shop.age(intentId, 18 * MINUTE);
    for (const kind of ['unreachable', 'malformed', 'status'] as const) {
      await fault(shop, { call: 'listPayments', kind });
      await shop.poll(intentId);
    }
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'unknown', not_found_count: 0 });
  });

  test.each([
    ['three minutes ahead', -3],
    ['twenty minutes ahead', -20],
    ['twenty minutes behind', 20],
  ])('with our clock %s of the provider’s, a charge whose reply was lost is found', async (_how, minutes) => {
    await shop.close();
    shop = await openShop({ clocks: { notFoundCountsAfterMs: 0 } });
    await shop.control('POST /control/clock', { advanceMs: minutes * MINUTE });
    await pay(CARDS.replyLost);
    await shop.poll(intentId, 2);
    expect(await state()).toBe('applied');
    expect(await alerts(shop)).toEqual(['provider_clock_off']);
    await shop.control('POST /control/clock', { advanceMs: -minutes * MINUTE });
    await shop.job.sweep_card_payments(undefined, shop.jobs.log);
    const open = shop.db.selectFrom('alerts').select('kind').where('resolved_at', 'is', null);
    expect(await open.execute()).toEqual([]);
  });

  test.each([-6 * 60, -10, 10, 6 * 60])(
    'a clock off by %i min, set right after a charge, hides nothing',
    async (minutes) => {
      await shop.control('POST /control/clock', { advanceMs: minutes * MINUTE });
      await pay(CARDS.replyLost);
      await shop.control('POST /control/clock', { advanceMs: -minutes * MINUTE });
      await shop.age(intentId, 18 * MINUTE);
      await shop.poll(intentId, 2);
      expect(await state()).toBe('applied');
      expect(await emails(shop)).toEqual(['layaway_paid']);
    },
  );

  test('a clock of ours that leaps ahead after a charge does not hurry the proof that nothing was charged', async () => {
    await pay(CARDS.nothingHappened);
    // We believe that it is twenty minutes later, and the provider does not.
    await shop.control('POST /control/clock', { advanceMs: -20 * MINUTE });
    await shop.age(intentId, 20 * MINUTE);
    await shop.poll(intentId, 3);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'unknown', not_found_count: 0 });
    await shop.age(intentId, 18 * MINUTE);
    await shop.poll(intentId, 2);
    expect(await state()).toBe('not_charged');
  });

  test('a provider’s clock that is days off proves nothing', async () => {
    await pay(CARDS.nothingHappened);
    await shop.age(intentId, 18 * MINUTE);
    await shop.control('POST /control/clock', { advanceMs: 2 * DAY });
    await shop.poll(intentId, 2);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'unknown', not_found_count: 0 });
  });

  test('a list without the provider’s time proves nothing', async () => {
    await pay(CARDS.nothingHappened);
    await shop.age(intentId, 18 * MINUTE);
    await fault(shop, { call: 'listPayments', kind: 'undated', times: 2 });
    await shop.poll(intentId, 2);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'unknown', not_found_count: 0 });
  });

  test('a charge that shows in the list only after it was given up is applied all the same', async () => {
    await pay(CARDS.replyLost);
    await shop.control('POST /control/list', { lagMs: HOUR });
    await shop.age(intentId, 18 * MINUTE);
    await shop.poll(intentId, 2);
    expect(await state()).toBe('not_charged');
    await shop.control('POST /control/list', { lagMs: 0 });
    await shop.poll(intentId);
    expect(await state()).toBe('applied');
    expect(await alerts(shop)).toEqual(['attempt_mismatch']);
  });

  test('a refusal for the request itself (422) is known at once: not charged, no email', async () => {
    expect(await pay('4000002007000001')).toMatchObject({ state: 'not_charged', applied: false });
    expect(await emails(shop)).toEqual([]);
  });

  test('a refused merchant key (401) is not charged, and raises an alert', async () => {
    await shop.control('POST /control/merchants', {
      apiKey: 'a0000000-0000-4000-8000-000000000001',
      secret: 'rotated',
    });
    expect(await pay(CARDS.approved)).toMatchObject({ state: 'not_charged' });
    expect((await shop.attempt(intentId)).detail_code).toMatch(/^401/);
    expect(await alerts(shop)).toEqual(['merchant_key_refused']);
    expect(await shop.charges()).toEqual([]);
  });

  test('an unknown charge raises an alert after an hour and frees the buyer after a day', async () => {
    await pay(CARDS.nothingHappened);
    await fault(shop, { call: 'listPayments', kind: 'unreachable', times: 9 });
    await shop.age(intentId, 59 * MINUTE);
    await shop.poll(intentId);
    expect(await alerts(shop)).toEqual([]);
    await shop.age(intentId, MINUTE);
    await shop.poll(intentId);
    expect(await alerts(shop)).toEqual(['attempt_overdue']);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'unknown', detail_code: null });
    await shop.age(intentId, 23 * HOUR);
    await shop.poll(intentId);
    expect(await state()).toBe('abandoned');
    expect(await emails(shop)).toEqual(['payment_abandoned']);
  });

  test('a key that cannot be opened any more does not keep the buyer waiting for ever', async () => {
    await pay(CARDS.nothingHappened);
    await shop.db.updateTable('provider_credentials').set({ secret_key_id: 'lost' }).execute();
    await shop.age(intentId, 24 * HOUR);
    await shop.poll(intentId);
    expect(await state()).toBe('abandoned');
    expect(await alerts(shop)).toEqual(['attempt_mismatch', 'attempt_overdue']);
  });

  test('a server that died before it sent is found out by the job a minute later', async () => {
    await pay(CARDS.nothingHappened);
    await shop.db.updateTable('card_attempts').set({ state: 'submitting' }).execute();
    await shop.poll(intentId);
    expect(await state()).toBe('submitting');
    await shop.age(intentId, MINUTE);
    await shop.poll(intentId);
    expect(await state()).toBe('unknown');
  });

  test('a charge whose turn came too late is not sent, and the buyer may pay at once', async () => {
    await shop.close();
    shop = await openShop({ clocks: { sendWithinMs: -1 } });
    expect(await pay(CARDS.approved)).toMatchObject({ state: 'not_charged' });
    expect((await shop.control('GET /control/log')).attempts).toEqual([]);
  });

  test('a slow payment is watched by its id until it is approved', async () => {
    expect(await pay(CARDS.slow)).toMatchObject({ state: 'unknown' });
    await expect.poll(async () => (await shop.charges())[0]?.status).toBe('approved');
    expect(await poll()).toMatchObject({ state: 'applied', applied: true });
  });
});

describe('3DS', () => {
  test('rejected in the bank’s window costs nothing and leaves the reference payable', async () => {
    const reference = await shop.reference();
    await pay(CARDS.threeDsRejected, reference);
    await answer3ds(shop, intentId, 'approve');
    expect(await poll()).toMatchObject({ state: 'rejected', status_detail: { code: 'RE-3DS01' } });
    intentId = randomUUID();
    expect(await pay(CARDS.approved, reference)).toMatchObject({ state: 'pending_3ds' });
    await answer3ds(shop, intentId, 'approve');
    expect(await poll()).toMatchObject({ state: 'applied' });
  });

  test('left alone, it frees the buyer after half an hour, with an email', async () => {
    const reference = await shop.reference();
    await pay(CARDS.threeDs, reference);
    await shop.age(intentId, 29.9 * MINUTE);
    await shop.poll(intentId);
    expect(await state()).toBe('pending_3ds');
    await shop.age(intentId, 1.1 * MINUTE);
    await shop.poll(intentId);
    expect(await state()).toBe('abandoned');
    expect(await poll()).toMatchObject({ status: 'cancelled', pending_action: { url: '' } });
    expect(await emails(shop)).toEqual(['payment_abandoned']);
  });

  test('approved after it was given up, it is applied', async () => {
    await pay(CARDS.threeDs);
    await shop.age(intentId, 31 * MINUTE);
    await shop.poll(intentId);
    await answer3ds(shop, intentId, 'approve');
    await shop.poll(intentId);
    expect(await state()).toBe('applied');
    expect(await purchases(shop)).toHaveLength(1);
  });

  test('approved after the till took the deposit, all of it goes back, fee included', async () => {
    const reference = await shop.reference();
    await pay(CARDS.threeDs, reference);
    expect((await till(shop, reference)).body.error).toBe(0);
    await answer3ds(shop, intentId, 'approve');
    expect(await poll()).toMatchObject({
      state: 'returned',
      paidAt: null,
      refund: { amount: 615, done: false },
    });
    expect(await money()).toEqual({ card: 61_500, owed: 61_500, waiting: 0 });
    const [refund] = await refunds(shop);
    expect((await waiting(`refund:${refund?.id}`))?.seconds).toBe(0);
    await runRefunds(shop);
    expect(await poll()).toMatchObject({ state: 'returned', refund: { amount: 615, done: true } });
    expect(await money()).toEqual({ card: 0, owed: 0, waiting: 0 });
    expect(await givenBack(shop)).toBe(615);
    expect(await emails(shop)).toEqual(['layaway_paid', 'payment_returned', 'refund_done']);
    expect(await purchases(shop)).toHaveLength(1);
  });

  test('the first approval wins: the new card’s is applied, the old one’s goes back to the end', async () => {
    const reference = await shop.reference();
    await pay(CARDS.threeDs, reference);
    const old = intentId;
    await shop.age(old, 31 * MINUTE);
    await shop.poll(old);
    intentId = randomUUID();
    await pay(CARDS.threeDs, reference);
    await answer3ds(shop, old, 'approve');
    await answer3ds(shop, intentId, 'approve');
    await shop.poll(intentId);
    await shop.poll(old);
    expect([await state(intentId), await state(old)]).toEqual(['applied', 'returned']);
    await runRefunds(shop);
    await runRefunds(shop);
    expect(await givenBack(shop)).toBe(615);
    expect(await purchases(shop)).toHaveLength(1);
  });

  test('the first approval wins: the old one’s is applied, the new card’s goes back', async () => {
    const reference = await shop.reference();
    await pay(CARDS.threeDs, reference);
    const old = intentId;
    await shop.age(old, 31 * MINUTE);
    await shop.poll(old);
    intentId = randomUUID();
    await pay(CARDS.threeDs, reference);
    await answer3ds(shop, old, 'approve');
    await shop.poll(old);
    await answer3ds(shop, intentId, 'approve');
    await shop.poll(intentId);
    expect([await state(old), await state(intentId)]).toEqual(['applied', 'returned']);
    await runRefunds(shop);
    expect(await money()).toEqual({ card: 61_500, owed: 0, waiting: 0 });
  });

  test('an old answer that comes late changes nothing that is known', async () => {
    await fault(shop, { call: 'createPayment', kind: 'hold' });
    const reply = pay(CARDS.threeDs);
    await expect.poll(() => shop.charges()).toHaveLength(1);
    await panel(shop, (await shop.charges())[0]?.id ?? '', { move: 'reject', detail: 'RE-ISS05' });
    await shop.poll(intentId);
    expect(await state()).toBe('rejected');
    await shop.control('POST /control/release');
    expect(await reply).toMatchObject({
      state: 'rejected',
      status_detail: { code: 'RE-ISS05' },
      advice: 'other_card',
    });
  });

  test('a payment that the provider does not know any more raises an alert and keeps its clock', async () => {
    await pay(CARDS.threeDs);
    const body = { error_code: 'CL301' };
    await fault(shop, { call: 'getPayment', kind: 'status', status: 404, times: 2, body });
    await shop.poll(intentId);
    expect(await state()).toBe('pending_3ds');
    expect(await alerts(shop)).toEqual(['attempt_mismatch']);
    await shop.age(intentId, 31 * MINUTE);
    await shop.poll(intentId);
    expect(await state()).toBe('abandoned');
  });

  test('a 3DS that the buyer left can be finished once nothing else is under way', async () => {
    const reference = await shop.reference();
    await pay(CARDS.threeDs, reference);
    await shop.age(intentId, 31 * MINUTE);
    await shop.poll(intentId);
    const { provider_payment_id: paymentId } = await shop.attempt(intentId);
    const resume = async (token = shop.buyer.token) => {
      await shop.db.updateTable('card_attempts').set({ polled_at: null }).execute();
      const path = `/v1/Clib/GetPaymentsAsync/${paymentId}/${shop.merchantId}`;
      return (await shop.ask(`GET ${path}`, { token })).body.data;
    };
    expect((await poll()).state).toBe('abandoned'); // polling alone does not take the reference
    const other = randomUUID();
    await shop.pay(reference, CARDS.threeDs, { intentId: other });
    expect((await resume()).state).toBe('abandoned');
    await answer3ds(shop, other, 'reject');
    await shop.poll(other);
    expect(await resume((await makeBuyer(shop.db)).token)).toBeNull();
    expect(await resume()).toMatchObject({
      state: 'pending_3ds',
      pending_action: { url: expect.any(String) },
    });
    expect((await shop.pay(reference, CARDS.approved)).body.code).toBe('ATTEMPT_OPEN');
    await shop.age(intentId, 31 * MINUTE);
    await shop.poll(intentId);
    expect(await state()).toBe('abandoned');
    await resume();
    await answer3ds(shop, intentId, 'approve');
    await shop.poll(intentId);
    expect(await state()).toBe('applied');
    expect(await emails(shop)).toEqual(['payment_abandoned', 'layaway_paid']);
  });

  test('a day later, or when it is paid otherwise, there is nothing to finish', async () => {
    const reference = await shop.reference();
    await pay(CARDS.threeDs, reference);
    await shop.age(intentId, 31 * MINUTE);
    await shop.poll(intentId);
    const { provider_payment_id: paymentId } = await shop.attempt(intentId);
    const resume = async () => {
      await shop.db.updateTable('card_attempts').set({ polled_at: null }).execute();
      const path = `/v1/Clib/GetPaymentsAsync/${paymentId}/${shop.merchantId}`;
      return (await shop.ask(`GET ${path}`, { token: shop.buyer.token })).body.data.state;
    };
    await shop.age(intentId, DAY);
    expect(await resume()).toBe('abandoned');
    await shop.age(intentId, -DAY);
    await till(shop, reference);
    expect(await resume()).toBe('abandoned');
  });

  test('another buyer’s payment in place of ours changes nothing, and raises an alert', async () => {
    await pay(CARDS.threeDs);
    const body = { ...(await shop.charges())[0], status: 'approved', external_reference: randomUUID() };
    await fault(shop, { call: 'getPayment', kind: 'status', status: 200, body });
    await shop.poll(intentId);
    expect(await state()).toBe('pending_3ds');
    expect(await alerts(shop)).toEqual(['attempt_mismatch']);
    expect(await purchases(shop)).toEqual([]);
  });

  test('a 3DS page on a host that is not listed is never sent to a buyer', async () => {
    await shop.close();
    shop = await openShop({ env: { CLIP_3DS_ORIGINS: 'https://3ds.payclip.com' } });
    expect(await pay(CARDS.threeDs)).toMatchObject({ state: 'unknown', pending_action: { url: '' } });
  });
});

describe('approved, but not as agreed', () => {
  test.each([
    ['another detail', CARDS.oddDetail, 61_500],
    ['one peso more', CARDS.oneMore, 61_600],
    ['only authorised', CARDS.authorisedOnly, 0],
  ])('%s: a person checks it, the money waits and no second payment begins', async (_how, card, waiting) => {
    const reference = await shop.reference();
    expect(await pay(card, reference)).toMatchObject({ state: 'held', status: 'pending', applied: false });
    expect(await money()).toEqual({ card: waiting, owed: 0, waiting });
    expect(await emails(shop)).toEqual(['payment_in_review']);
    expect(await alerts(shop)).toEqual(['attempt_mismatch']);
    expect((await shop.pay(reference, CARDS.approved)).body).toMatchObject({
      code: 'ATTEMPT_OPEN',
      facts: { state: 'held' },
    });
    await shop.poll(intentId, 3);
    expect(await state()).toBe('held');
    expect(await purchases(shop)).toEqual([]);
  });

  test('it raises an alert after a day and all that was captured goes back after three', async () => {
    await pay(CARDS.oneMore);
    await shop.age(intentId, 24 * HOUR);
    await shop.poll(intentId);
    expect(await alerts(shop)).toEqual(['attempt_mismatch', 'attempt_overdue']);
    expect(await state()).toBe('held');
    await shop.age(intentId, 48 * HOUR);
    await shop.poll(intentId);
    expect(await state()).toBe('returned');
    expect(await money()).toEqual({ card: 61_600, owed: 61_600, waiting: 0 });
    await runRefunds(shop);
    expect(await givenBack(shop)).toBe(616);
    expect(await money()).toEqual({ card: 0, owed: 0, waiting: 0 });
  });

  test('an authorisation that is never captured frees the reference once; captured after all, it is applied', async () => {
    await pay(CARDS.authorisedOnly);
    const { provider_payment_id: paymentId, webhook_nonce: nonce } = await shop.attempt(intentId);
    await shop.age(intentId, 72 * HOUR);
    await shop.poll(intentId);
    expect(await emails(shop)).toEqual(['payment_in_review', 'payment_abandoned']);
    // Whoever asks, the provider goes on saying the same: that is no reason to hold it again.
    await shop.poll(intentId);
    await shop.ask(`POST /webhooks/clip/${nonce}`, { body: { id: paymentId } });
    await shop.job.sweep_card_payments(undefined, shop.jobs.log);
    expect((await poll()).state).toBe('abandoned');
    expect(await alerts(shop)).toEqual(['attempt_mismatch', 'attempt_overdue']);
    await panel(shop, paymentId, { move: 'approve' });
    await shop.poll(intentId);
    expect(await state()).toBe('applied');
  });

  test('a buyer who waits for an authorisation gets an email when the provider refuses it', async () => {
    await pay(CARDS.authorisedOnly);
    await panel(shop, (await shop.attempt(intentId)).provider_payment_id, { move: 'reject' });
    await shop.poll(intentId);
    expect(await state()).toBe('rejected');
    expect(await emails(shop)).toEqual(['payment_in_review', 'payment_not_charged']);
  });

  test('an authorisation that is captured as agreed is applied', async () => {
    await pay(CARDS.authorisedOnly);
    await panel(shop, (await shop.attempt(intentId)).provider_payment_id, { move: 'approve' });
    await shop.poll(intentId);
    expect(await state()).toBe('applied');
    expect(await money()).toEqual({ card: 61_500, owed: 0, waiting: 0 });
  });

  test('an authorisation that is captured for another sum is in the books from then on', async () => {
    await pay(CARDS.authorisedOnly);
    const payment = (await shop.charges())[0];
    const body = { ...payment, status: 'approved', status_detail: { code: 'AP-PAI01' }, amount: 616 };
    await fault(shop, { call: 'getPayment', kind: 'status', status: 200, times: 2, body });
    await shop.poll(intentId, 2);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'held', captured_centavos: 61_600 });
    // Another sum again: what is in the books stays, for a person.
    await fault(shop, { call: 'getPayment', kind: 'status', status: 200, body: { ...body, amount: 617 } });
    await shop.poll(intentId);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'held', captured_centavos: 61_600 });
    expect(await money()).toEqual({ card: 61_600, owed: 0, waiting: 61_600 });
  });

  test('held money of another sum is not applied when the provider takes back what it said', async () => {
    await pay(CARDS.oneMore);
    const body = { ...(await shop.charges())[0], amount: 615 };
    await fault(shop, { call: 'getPayment', kind: 'status', status: 200, body });
    await shop.poll(intentId);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'held', captured_centavos: 61_600 });
  });

  test('held money that the provider rejects afterwards came and left: booked both ways', async () => {
    await pay(CARDS.oddDetail);
    await panel(shop, (await shop.attempt(intentId)).provider_payment_id, { move: 'reject' });
    await shop.poll(intentId, 2);
    expect(await state()).toBe('returned');
    expect(await money()).toEqual({ card: 0, owed: 0, waiting: 0 });
  });

  test('held money that matches after all is taken out of suspense and applied', async () => {
    await pay(CARDS.oddDetail);
    await panel(shop, (await shop.attempt(intentId)).provider_payment_id, { move: 'approve' });
    await shop.poll(intentId);
    expect(await state()).toBe('applied');
    expect(await money()).toEqual({ card: 61_500, owed: 0, waiting: 0 });
  });

  test('held money that the merchant refunded in the panel is booked both ways', async () => {
    await pay(CARDS.oneMore);
    await panel(shop, (await shop.attempt(intentId)).provider_payment_id, { move: 'refund', amount: 616 });
    await shop.poll(intentId, 2);
    expect(await state()).toBe('returned');
    expect(await money()).toEqual({ card: 0, owed: 0, waiting: 0 });
    expect((await refunds(shop)).map((row) => [row.cause, row.state])).toEqual([['external', 'done']]);
  });
});

describe('money that came and went before we saw it', () => {
  test.each([
    ['refunded', { move: 'refund', amount: 615 }],
    ['cancelled', { move: 'cancel' }],
  ])(
    'charged, the reply lost, then %s by hand: nothing is owed, both ways are booked',
    async (_how, move) => {
      await pay(CARDS.replyLost);
      await panel(shop, (await shop.charges())[0]?.id ?? '', move);
      await shop.poll(intentId, 2);
      expect(await state()).toBe('returned');
      expect(await poll()).toMatchObject({ state: 'returned', refund: { amount: 615, done: true } });
      expect(await money()).toEqual({ card: 0, owed: 0, waiting: 0 });
      await runRefunds(shop);
      expect(await givenBack(shop)).toBe(615);
    },
  );

  test('a part that was given back by hand stays with a person, and no refund of the whole is asked', async () => {
    await pay(CARDS.replyLost);
    await panel(shop, (await shop.charges())[0]?.id ?? '', { move: 'refund', amount: 100 });
    await shop.poll(intentId, 2);
    expect(await state()).toBe('held');
    await shop.age(intentId, 72 * HOUR);
    await shop.poll(intentId);
    expect(await state()).toBe('returned');
    await runRefunds(shop);
    expect((await refunds(shop)).map((row) => row.state)).toEqual(['blocked']);
    expect(await givenBack(shop)).toBe(100);
  });

  test('a refund by hand of an applied payment raises an alert and touches no book', async () => {
    await pay(CARDS.approved);
    await panel(shop, (await shop.attempt(intentId)).provider_payment_id, { move: 'refund', amount: 615 });
    await shop.poll(intentId);
    expect(await state()).toBe('applied');
    expect(await alerts(shop)).toEqual(['attempt_mismatch']);
  });
});

describe('the end of a reference', () => {
  test('a payment that began before the end and is approved after it still buys', async () => {
    const reference = await shop.reference();
    await pay(CARDS.threeDs, reference);
    await endReference(shop, reference, 10 * MINUTE);
    await shop.age(intentId, 20 * MINUTE);
    await shop.job.expire_references(undefined, shop.jobs.log);
    await answer3ds(shop, intentId, 'approve');
    await shop.poll(intentId);
    expect(await state()).toBe('applied');
  });

  /** Leaves a new reference's 3DS until it is given up and the reference is over. */
  const leave = async (intent = intentId) => {
    const reference = await shop.reference();
    await shop.pay(reference, CARDS.threeDs, { intentId: intent });
    await endReference(shop, reference, 10 * MINUTE);
    await shop.age(intent, 45 * MINUTE);
    await shop.poll(intent);
    await shop.job.expire_references(undefined, shop.jobs.log);
  };

  test('also when the reference was closed meanwhile because the attempt had been given up', async () => {
    await leave();
    const row = await shop.db.selectFrom('layaway_references').select('state').executeTakeFirstOrThrow();
    expect(row.state).toBe('expired');
    await answer3ds(shop, intentId, 'approve');
    await shop.poll(intentId);
    expect(await state()).toBe('applied');
  });

  test.each(['reserved it again', 'is paying for it again'])(
    'a buyer who meanwhile %s gets a late approval back: he reserves it once',
    async (how) => {
      await leave();
      await shop.pay(await shop.reference(), how === 'reserved it again' ? CARDS.approved : CARDS.threeDs);
      await answer3ds(shop, intentId, 'approve');
      await shop.poll(intentId);
      expect(await state()).toBe('returned');
      expect(await emails(shop)).toContain('payment_returned');
    },
  );

  test('late approvals of two references at the same moment reserve it once', async () => {
    const intents = [randomUUID(), randomUUID()];
    for (const each of intents) await leave(each);
    for (const each of intents) await answer3ds(shop, each, 'approve');
    await Promise.all(intents.map((each) => shop.poll(each)));
    const states = await Promise.all(intents.map(async (each) => (await shop.attempt(each)).state));
    expect(states.toSorted()).toEqual(['applied', 'returned']);
    expect(await purchases(shop)).toHaveLength(1);
  });

  test('a late approval that buys cancels the reference that the buyer took meanwhile: they pay one of them', async () => {
    await leave();
    const later = await shop.reference();
    await answer3ds(shop, intentId, 'approve');
    await shop.poll(intentId);
    expect(await state()).toBe('applied');
    expect((await shop.pay(later, CARDS.approved)).body.code).toBe('REFERENCE_CANCELLED');
    expect((await till(shop, later)).body.error).toBe(5);
    expect(await purchases(shop)).toHaveLength(1);
  });

  test('an expired reference begins no payment', async () => {
    const reference = await shop.reference();
    await endReference(shop, reference, 1);
    const { status, body } = await shop.pay(reference, CARDS.approved);
    expect([status, body.code]).toEqual([409, 'REFERENCE_EXPIRED']);
    expect(await shop.charges()).toEqual([]);
  });

  test('a cancelled reference gives late money back', async () => {
    const reference = await shop.reference();
    await pay(CARDS.threeDs, reference);
    await shop.db
      .updateTable('layaway_references')
      .set({ state: 'cancelled', closed_at: new Date() })
      .execute();
    await answer3ds(shop, intentId, 'approve');
    await shop.poll(intentId);
    expect(await state()).toBe('returned');
  });
});

describe('more than one payment with our reference', () => {
  test('both found by the list: the first is applied, the second goes back to the end', async () => {
    await pay(CARDS.replyLost);
    const { id } = await shop.attempt(intentId);
    await chargeElsewhere(shop, id, CARDS.approved);
    await shop.poll(intentId);
    const rows = await shop.db.selectFrom('card_attempts').selectAll().orderBy('state').execute();
    expect(rows.map((row) => row.state)).toEqual(['applied', 'returned']);
    const known = rows.map((row) => row.provider_payment_id ?? '').toSorted();
    expect(known).toEqual((await shop.charges()).map((charge) => charge.id).toSorted());
    expect(await alerts(shop)).toEqual(['second_payment']);
    await runRefunds(shop);
    await shop.poll(intentId, 2);
    await shop.job.sweep_card_payments(undefined, shop.jobs.log);
    await runRefunds(shop);
    expect(await givenBack(shop)).toBe(615);
    expect(await money()).toEqual({ card: 61_500, owed: 0, waiting: 0 });
    expect(await purchases(shop)).toHaveLength(1);
  });

  test('a refused one beside a paid one hides nothing: the paid one counts', async () => {
    await pay(CARDS.nothingHappened);
    const { id } = await shop.attempt(intentId);
    await chargeElsewhere(shop, id, CARDS.approved, { amount: 616 });
    await chargeElsewhere(shop, id, CARDS.insufficientFunds);
    await shop.poll(intentId);
    expect(await state()).toBe('held');
    expect((await money()).waiting).toBe(61_600);
  });
});
