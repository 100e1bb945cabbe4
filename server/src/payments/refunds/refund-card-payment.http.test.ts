import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  alerts,
  balance,
  fault,
  givenBack,
  emails,
  MINUTE,
  openRecordedShop,
  panel,
  type ProviderCall,
  purchases,
  refunds,
  runRefunds,
  till,
} from '../../../test/card-acts.ts';
import { CARDS, MERCHANT_KEYS, type Shop } from '../../../test/shop.ts';
import { asOwner } from '../../../test/store-acts.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { readExternalRefund } from '../../back-office/operations/book-external-refund.ts';
import { findPayments } from '../../back-office/operations/find-payment.ts';
import { type Happening, readStory } from '../../back-office/operations/payment-history.read-model.ts';
import { listWaiting } from '../../back-office/operations/waiting.read-model.ts';
import { askRefundAgain, payRefundInCash } from './decide-refund.ts';
import { setCardKeys } from '../card-keys/save-card-keys.ts';
import { readGivenBack } from './read-given-back.ts';
import { refundCardPayment } from './refund-card-payment.ts';

let shop: Shop & { readonly calls: ProviderCall[] };
let paymentId: string;

/** A card that was approved after the till took the deposit: 615.00 are owed back. */
beforeEach(async () => {
  shop = await openRecordedShop();
  const reference = await shop.reference();
  const intentId = randomUUID();
  await shop.pay(reference, CARDS.slow, { intentId });
  await till(shop, reference);
  paymentId = (await shop.attempt(intentId)).provider_payment_id;
  await panel(shop, paymentId, { move: 'approve' });
  await shop.poll(intentId);
  if ((await shop.attempt(intentId)).state !== 'returned') throw new Error('nothing is owed');
  shop.calls.length = 0;
});
afterEach(() => shop.close());

const asked = () => shop.calls.filter((call) => call.url === '/refunds').length;
const only = async () => {
  const [first] = await refunds(shop);
  if (first === undefined) throw new Error('no refund');
  return first;
};
const refuse = (error_code: string, status = 409, times = 1) =>
  fault(shop, { call: 'createRefund', kind: 'status', status, times, body: { error_code } });
/** Lets so much time pass for a refund that waits. */
const pass = async (ms: number) => {
  const { sent_at: sent, checked_at: checked } = await only();
  const back = (at: Date | null) => (at === null ? null : new Date(at.getTime() - ms));
  await shop.db
    .updateTable('refunds')
    .set({ sent_at: back(sent), checked_at: back(checked) })
    .execute();
};
/** The provider takes another secret of the merchant's from now on. */
const changeKey = (secret: string) =>
  shop.control('POST /control/merchants', { apiKey: MERCHANT_KEYS.publicKey, secret });
const setKey = (secret: string) =>
  transaction(shop.db, (tx) =>
    setCardKeys({ keyRing: shop.settings.keyRing, allowTestKeys: true }, tx, shop.merchantId, {
      ...MERCHANT_KEYS,
      secret,
    }),
  );
/** Refunds whose job is to be run now. */
const queued = async () => {
  const [{ count }] = await asOwner(
    shop,
    "select count(*)::int from graphile_worker.jobs where key like 'refund:%' and run_at <= now()",
  );
  return count;
};
/** How many seconds its last step put the refund's job off: whatever nobody queues again is never sent. */
const putOff = async () => {
  const [job] = await asOwner(
    shop,
    `select extract(epoch from run_at - updated_at)::float as seconds,
      to_char(run_at at time zone 'America/Mexico_City', 'HH24:MI:SS') as at
      from graphile_worker.jobs where key = $1`,
    [`refund:${(await only()).id}`],
  );
  return job as { seconds: number; at: string };
};
/** As a claim leaves it. */
const asSent = () =>
  shop.db
    .updateTable('refunds')
    .set({
      state: 'sending',
      sent_at: new Date(),
      refunded_before_centavos: 0 as never,
      idempotency_key: randomUUID(),
    })
    .execute();
const owed = () => balance(shop, 'card_refund_payable');

describe('the buyer gets their money back once', () => {
  test('owed when it is known, sent by the job, done with an email', async () => {
    expect(await only()).toMatchObject({ state: 'owed', amount_centavos: 61_500, cause: 'not_applicable' });
    expect([await owed(), (await putOff()).seconds]).toEqual([61_500, 0]);
    await runRefunds(shop);
    expect(await only()).toMatchObject({ state: 'done', provider_refund_id: paymentId });
    expect([await owed(), await givenBack(shop), asked()]).toEqual([0, 615, 1]);
    expect(shop.calls.find(({ url }) => url === '/refunds')?.body.reason).toBe('Pago no aplicado');
    expect(await emails(shop)).toEqual(['layaway_paid', 'payment_returned', 'refund_done']);
  });

  test('and its email leads to the purchase that the till made of the same reference, where it is seen', async () => {
    await runRefunds(shop);
    const [purchase] = await purchases(shop);
    const sent = await shop.db
      .selectFrom('outbox')
      .select('facts')
      .where('topic', '=', 'refund_done')
      .execute();
    expect(sent).toMatchObject([{ facts: { purchaseId: purchase?.id } }]);
  });

  test('however often and however many at once the job runs', async () => {
    await Promise.all(Array.from({ length: 6 }, () => runRefunds(shop)));
    const calls = shop.calls.length;
    await runRefunds(shop);
    expect([await givenBack(shop), asked(), shop.calls.length]).toEqual([615, 1, calls]);
  });

  test('without balance it is asked again at the next hour, and ten days long', async () => {
    await refuse('AI1400', 409, 30);
    await runRefunds(shop);
    expect(await only()).toMatchObject({ state: 'owed', tries: 1, detail_code: 'AI1400' });
    expect((await putOff()).at).toMatch(/^(14|18|22):00:00$/);
    const { id, created_at: since } = await only();
    expect(await listWaiting(shop.db)).toMatchObject([
      { kind: 'refund_declined', id: String(id), since, amountCentavos: 61_500, detail: 'AI1400 1x' },
    ]);
    for (let n = 0; n < 28; n += 1) await runRefunds(shop);
    expect(await only()).toMatchObject({ state: 'owed', tries: 29 });
    await runRefunds(shop);
    expect((await refunds(shop)).map((row) => [row.method, row.state])).toEqual([
      ['card', 'moved_to_cash'],
      ['cash', 'owed'],
    ]);
    expect([await owed(), await balance(shop, 'cash_refund_payable')]).toEqual([0, 61_500]);
    expect(await alerts(shop)).toEqual(['refund_moved_to_cash']);
    expect(await emails(shop)).toEqual(['layaway_paid', 'payment_returned', 'refund_in_cash']);
    await runRefunds(shop);
    expect(await givenBack(shop)).toBe(0);
  });

  test('declined and then with balance, it is done', async () => {
    await fault(shop, {
      call: 'createRefund',
      kind: 'status',
      status: 201,
      body: { id: randomUUID(), status: 'declined', amount: 615 },
    });
    await runRefunds(shop);
    expect(await only()).toMatchObject({ state: 'owed', tries: 1 });
    await runRefunds(shop);
    expect((await only()).state).toBe('done');
    expect(await givenBack(shop)).toBe(615);
  });

  test.each(['a call of ours', 'a refund in Clip’s panel'])(
    'done at last by %s, it is followed as done, without why it had not been before',
    async (how) => {
      await refuse('AI1400');
      await runRefunds(shop);
      const { attempt_id: attemptId } = await only();
      const last = async () => {
        const [match] = await findPayments(shop.db, { by: 'text', text: attemptId ?? '' });
        const story = match === undefined ? [] : await readStory(shop.db, match);
        const ofRefund = ({ kind, facts }: Happening) => kind === 'refund_owed' || facts['of'] === 'refund';
        return story.filter(ofRefund).map(({ facts }) => [facts['state'] ?? facts['to'], facts['detail']]);
      };
      expect(await last()).toEqual(expect.arrayContaining([['owed', 'AI1400']]));
      if (how === 'a call of ours') await runRefunds(shop);
      else {
        await panel(shop, paymentId, { move: 'refund', amount: 615 });
        const external = { isLoss: false, isNotDelivered: false, providerRefundId: undefined };
        await transaction(shop.db, await readExternalRefund(shop.jobs, attemptId ?? '', external));
      }
      const done = (await last()).filter(([state]) => state === 'done');
      expect(done.map(([, detail]) => detail ?? '')).toEqual(['', '']);
    },
  );

  test.each(['AI1803', 'AI1805', 'AI1806'])('%s never works by card, so it is owed in cash', async (code) => {
    await refuse(code);
    await runRefunds(shop);
    await runRefunds(shop);
    expect((await refunds(shop)).map((row) => [row.method, row.state, row.amount_centavos])).toEqual([
      ['card', 'moved_to_cash', 61_500],
      ['cash', 'owed', 61_500],
    ]);
    expect([asked(), await givenBack(shop)]).toEqual([1, 0]);
    expect(await emails(shop)).toEqual(['layaway_paid', 'payment_returned', 'refund_in_cash']);
  });

  test('a disputed payment is not refunded too', async () => {
    await panel(shop, paymentId, { move: 'dispute' });
    await runRefunds(shop);
    await runRefunds(shop);
    expect(await only()).toMatchObject({ state: 'blocked', detail_code: 'AI1804' });
    expect(await alerts(shop)).toEqual(['refund_blocked']);
    expect([await owed(), asked()]).toEqual([61_500, 1]);
  });

  test('in dispute, asked for again and never answered, it is not paid in cash: the bank may pay', async () => {
    await panel(shop, paymentId, { move: 'dispute' });
    await runRefunds(shop);
    await transaction(shop.db, async (tx) => askRefundAgain(tx, (await only()).id));
    await asOwner(shop, 'update refunds set tries = 29');
    await fault(shop, { call: 'createRefund', kind: 'unreachable' });
    await runRefunds(shop);
    await runRefunds(shop);
    await pass(11 * MINUTE);
    await runRefunds(shop);
    expect((await refunds(shop)).map((row) => [row.method, row.state, row.detail_code])).toEqual([
      ['card', 'blocked', 'AI1804'],
    ]);
    expect([await owed(), await balance(shop, 'cash_refund_payable')]).toEqual([61_500, 0]);
    expect(await alerts(shop)).toEqual(['refund_blocked', 'refund_blocked']); // told anew
    expect(await emails(shop)).toEqual(['layaway_paid', 'payment_returned']);
  });

  test('in dispute once, and without balance since, it is owed in cash after its tries: the dispute is over', async () => {
    await panel(shop, paymentId, { move: 'dispute' });
    await runRefunds(shop);
    await transaction(shop.db, async (tx) => askRefundAgain(tx, (await only()).id));
    await asOwner(shop, 'update refunds set tries = 29');
    await refuse('AI1400');
    await runRefunds(shop);
    expect((await refunds(shop)).map((row) => [row.method, row.state])).toEqual([
      ['card', 'moved_to_cash'],
      ['cash', 'owed'],
    ]);
  });

  test.each(['AI1801', 'AI1802'])(
    '%s and nothing went back: a person checks it, no repetition',
    async (code) => {
      await refuse(code, 409, 9);
      await runRefunds(shop);
      expect([(await only()).state, (await putOff()).seconds]).toEqual(['unknown', 0]);
      for (let n = 0; n < 3; n += 1) {
        await runRefunds(shop);
        await pass(11 * MINUTE);
      }
      expect(await only()).toMatchObject({ state: 'blocked', detail_code: code });
      expect([asked(), await givenBack(shop)]).toEqual([1, 0]);
    },
  );

  test('AI1802 because ours is there already: done', async () => {
    await fault(shop, { call: 'createRefund', kind: 'lost' });
    await runRefunds(shop);
    await shop.db.updateTable('refunds').set({ detail_code: 'AI1802' }).execute();
    await runRefunds(shop);
    expect(await only()).toMatchObject({ state: 'done' });
    expect(await givenBack(shop)).toBe(615);
  });

  test.each(['lost', 'malformed'] as const)('the reply %s, it is read and not repeated', async (kind) => {
    await fault(shop, { call: 'createRefund', kind });
    await runRefunds(shop);
    expect((await only()).state).toBe('unknown');
    expect(await listWaiting(shop.db)).toMatchObject([{ kind: 'refund_unanswered' }]);
    expect(await owed()).toBe(61_500);
    await runRefunds(shop);
    expect((await only()).state).toBe('done');
    expect([asked(), await givenBack(shop), await owed()]).toEqual([1, 615, 0]);
  });

  test.each([
    ['no reply', { kind: 'unreachable' }],
    ['500', { kind: 'status', status: 500 }],
    ['AI1807', { kind: 'status', status: 409, body: { error_code: 'AI1807' } }],
    ['429', { kind: 'status', status: 429 }],
  ])('%s and it did not happen: two reads ten minutes apart, then it is asked again', async (_how, kind) => {
    await fault(shop, { call: 'createRefund', ...kind });
    await runRefunds(shop);
    expect(await only()).toMatchObject({ state: 'unknown', detail_code: expect.stringMatching(/./) });
    expect((await putOff()).seconds).toBe(60);
    await runRefunds(shop);
    expect((await putOff()).seconds).toBe(600);
    await pass(9.5 * MINUTE);
    await runRefunds(shop);
    expect([(await only()).state, asked()]).toEqual(['unknown', 1]);
    const { seconds } = await putOff();
    expect([seconds > 0, seconds <= 30]).toEqual([true, true]);
    await pass(0.5 * MINUTE);
    await runRefunds(shop);
    expect([(await only()).state, asked(), (await putOff()).seconds]).toEqual(['owed', 1, 0]);
    await runRefunds(shop);
    expect([(await only()).state, asked(), await givenBack(shop)]).toEqual(['done', 2, 615]);
  });

  test('in process at the provider for ten days, it is a person’s and never cash: it may be on its way', async () => {
    await refuse('AI1807', 409, 30);
    for (let tries = 1; tries <= 30; tries += 1) {
      await runRefunds(shop);
      await runRefunds(shop);
      await pass(11 * MINUTE);
      await runRefunds(shop);
      expect(await only()).toMatchObject({ tries, detail_code: 'it did not happen' });
      const { seconds, at } = await putOff();
      if (tries === 1) expect(seconds).toBe(0);
      else if (tries < 30) expect(at).toMatch(/^(14|18|22):00:00$/);
    }
    expect((await refunds(shop)).map((row) => [row.method, row.state])).toEqual([['card', 'blocked']]);
    expect([asked(), await owed(), await balance(shop, 'cash_refund_payable')]).toEqual([30, 61_500, 0]);
    expect(await alerts(shop)).toEqual(['refund_blocked']);
    expect(await emails(shop)).toEqual(['layaway_paid', 'payment_returned']);
    // The provider carries one out after all.
    await panel(shop, paymentId, { move: 'refund', amount: 615 });
    await transaction(shop.db, async (tx) => askRefundAgain(tx, (await only()).id));
    await runRefunds(shop);
    expect([(await only()).state, await givenBack(shop), await owed()]).toEqual(['done', 615, 0]);
  });

  test('unanswered until its last call was not even sent, it is a person’s: an earlier one may be on its way', async () => {
    await asOwner(shop, `update refunds set tries = 29, detail_code = 'it did not happen'`);
    const refund = async () => ({ kind: 'declined', code: 'ENOTFOUND' }) as const;
    const { id } = await only();
    await refundCardPayment({ ...shop.jobs, card: { ...shop.jobs.card, refund } }, id, shop.jobs.log);
    expect((await refunds(shop)).map((row) => [row.method, row.state, row.detail_code])).toEqual([
      ['card', 'blocked', 'ENOTFOUND'],
    ]);
  });

  test('one that was thought not to have happened and did is found before it is asked again', async () => {
    await fault(shop, { call: 'createRefund', kind: 'unreachable' });
    await runRefunds(shop);
    await runRefunds(shop);
    await pass(11 * MINUTE);
    await runRefunds(shop);
    expect((await only()).state).toBe('owed');
    // The provider carries out the first call now.
    await panel(shop, paymentId, { move: 'refund', amount: 615 });
    await runRefunds(shop);
    expect([(await only()).state, asked(), await givenBack(shop)]).toEqual(['done', 1, 615]);
    expect(await owed()).toBe(0);
    expect(await alerts(shop)).toEqual(['refund_found_back']);
  });

  test('a part is refunded in the panel while ours is unknown: a person checks it', async () => {
    await fault(shop, { call: 'createRefund', kind: 'unreachable' });
    await runRefunds(shop);
    await panel(shop, paymentId, { move: 'refund', amount: 100 });
    await runRefunds(shop);
    expect((await only()).state).toBe('blocked');
    await runRefunds(shop);
    expect([asked(), await givenBack(shop)]).toEqual([1, 100]);
  });

  test('a key that may not refund pauses all of the merchant’s refunds until another is set', async () => {
    await refuse('CL1500', 401);
    await runRefunds(shop);
    await runRefunds(shop);
    expect(await only()).toMatchObject({ state: 'owed', tries: 0 });
    expect([asked(), await alerts(shop)]).toEqual([1, ['refunds_paused']]);
    expect(await listWaiting(shop.db)).toMatchObject([
      { kind: 'refunds_paused', id: String(shop.merchantId), amountCentavos: 61_500 },
    ]);
    await changeKey('new-secret');
    await setKey('new-secret');
    expect(await listWaiting(shop.db)).toEqual([]);
    expect(await queued()).toBe(1);
    await runRefunds(shop);
    expect([(await only()).state, await givenBack(shop), asked()]).toEqual(['done', 615, 2]);
  });

  test('paused refunds resume when the operator says that the key may refund now; meanwhile nothing is read', async () => {
    const again = async () => transaction(shop.db, async (tx) => askRefundAgain(tx, (await only()).id));
    await expect(again()).rejects.toThrow('refund_not_blocked');
    await changeKey('rotated-secret');
    await runRefunds(shop);
    const reads = shop.calls.length;
    await runRefunds(shop);
    expect([(await only()).state, asked(), shop.calls.length, await owed()]).toEqual([
      'owed',
      0,
      reads,
      61_500,
    ]);
    await changeKey('demo-secret-1');
    await again();
    expect([await listWaiting(shop.db), await queued()]).toEqual([[], 1]);
    await runRefunds(shop);
    expect([(await only()).state, await givenBack(shop)]).toEqual(['done', 615]);
    await expect(again()).rejects.toThrow('refund_not_blocked');
  });

  test('a key that was replaced meanwhile: the refund is asked for at once with the new one', async () => {
    await changeKey('rotated-secret');
    await asOwner(shop, `select graphile_worker.remove_job('refund:${(await only()).id}')`);
    await setKey('rotated-secret');
    expect(await queued()).toBe(0); // nothing had paused
    await runRefunds(shop);
    expect([(await only()).state, asked(), await queued()]).toEqual(['owed', 0, 1]);
    await runRefunds(shop);
    expect([(await only()).state, await givenBack(shop), await alerts(shop)]).toEqual(['done', 615, []]);
  });

  test('what may have arrived is not taken for owed because the key was changed meanwhile', async () => {
    await fault(shop, { call: 'createRefund', kind: 'lost' });
    await runRefunds(shop);
    await changeKey('rotated-secret');
    await runRefunds(shop);
    expect((await only()).state).toBe('unknown');
    await setKey('rotated-secret');
    await runRefunds(shop);
    expect([(await only()).state, await givenBack(shop), asked()]).toEqual(['done', 615, 1]);
  });

  test('stopped while it was on its way, it is not forgotten when it arrives', async () => {
    await fault(shop, { call: 'createRefund', kind: 'hold', times: 1 });
    const under = runRefunds(shop);
    await expect.poll(async () => (await only()).state, { interval: 10 }).toBe('sending');
    await expect.poll(asked, { interval: 10 }).toBe(1);
    // Should this process die now, another reads what became of it.
    expect((await putOff()).seconds).toBe(90);
    const { secret_key_id: kept } = await shop.db
      .selectFrom('provider_credentials')
      .select('secret_key_id')
      .executeTakeFirstOrThrow();
    await shop.db.updateTable('provider_credentials').set({ secret_key_id: 'lost' }).execute();
    await runRefunds(shop);
    expect((await only()).state).toBe('blocked');
    await shop.control('POST /control/release');
    await under;
    expect(await alerts(shop)).toEqual(['refund_approved_late', 'refund_blocked']);
    // Asked for again, it is found and not repeated.
    await shop.db.updateTable('provider_credentials').set({ secret_key_id: kept }).execute();
    await transaction(shop.db, async (tx) => askRefundAgain(tx, (await only()).id));
    await runRefunds(shop);
    expect([(await only()).state, await givenBack(shop), asked()]).toEqual(['done', 615, 1]);
  });

  test('a key that cannot be opened blocks it', async () => {
    await shop.db.updateTable('provider_credentials').set({ secret_key_id: 'lost' }).execute();
    await runRefunds(shop);
    expect((await only()).state).toBe('blocked');
    expect(shop.calls).toEqual([]);
  });

  test.each(['AI1300', 'CL301', 'AI1800'])(
    '%s: asked once more by the receipt, then a person',
    async (code) => {
      await refuse(code, 404, 2);
      await runRefunds(shop);
      await runRefunds(shop);
      expect(await only()).toMatchObject({ state: 'blocked', detail_code: code });
      const references = shop.calls.flatMap(({ url, body }) =>
        url === '/refunds' ? [body.reference.type] : [],
      );
      expect(references).toEqual(['payment', 'receipt']);
    },
  );

  test('found by its receipt, it is done', async () => {
    await refuse('CL301', 404);
    await runRefunds(shop);
    expect([(await only()).state, await givenBack(shop), asked()]).toEqual(['done', 615, 2]);
  });

  test('that has no receipt is a person’s at once', async () => {
    await refuse('CL301', 404);
    const { card } = shop.jobs;
    const find: typeof card.find = async (...request) => {
      const found = await card.find(...request);
      return found.kind === 'payment'
        ? { ...found, payment: { ...found.payment, receipt: undefined } }
        : found;
    };
    const { id } = await only();
    await refundCardPayment({ ...shop.jobs, card: { ...card, find } }, id, shop.jobs.log);
    expect([(await only()).state, asked()]).toEqual(['blocked', 1]);
  });

  test('stopped before it is asked for by its receipt, it is not asked for', async () => {
    await refuse('CL301', 404);
    const { card } = shop.jobs;
    const refund: typeof card.refund = async (...request) => {
      const answer = await card.refund(...request);
      await shop.db.updateTable('provider_credentials').set({ secret_key_id: 'lost' }).execute();
      await runRefunds(shop);
      return answer;
    };
    const { id } = await only();
    await refundCardPayment({ ...shop.jobs, card: { ...card, refund } }, id, shop.jobs.log);
    expect([(await only()).state, await givenBack(shop), asked()]).toEqual(['blocked', 0, 1]);
  });

  test('taken for unanswered while the answer was on its way, it is done when that comes', async () => {
    const { card } = shop.jobs;
    const refund: typeof card.refund = async (...request) => {
      const answer = await card.refund(...request);
      await shop.db.updateTable('refunds').set({ state: 'unknown' }).execute();
      return answer;
    };
    const { id } = await only();
    await refundCardPayment({ ...shop.jobs, card: { ...card, refund } }, id, shop.jobs.log);
    expect([(await only()).state, await givenBack(shop), asked()]).toEqual(['done', 615, 1]);
  });

  test('claimed by another worker while it was read, it is left to that one', async () => {
    const { card } = shop.jobs;
    const find: typeof card.find = async (...request) => {
      const found = await card.find(...request);
      await asSent();
      return found;
    };
    const { id } = await only();
    await refundCardPayment({ ...shop.jobs, card: { ...card, find } }, id, shop.jobs.log);
    expect([(await only()).state, asked()]).toEqual(['sending', 0]);
  });

  test('moved to cash while its payment was looked for in vain, it is not blocked too', async () => {
    const { id } = await only();
    const find = async () => {
      const givenBack = await readGivenBack(shop.jobs, id);
      await transaction(shop.db, (tx) => payRefundInCash(tx, id, { givenBack, isSeenUnpaid: false }));
      return { kind: 'failed', why: '404 AI1300' } as never;
    };
    await refundCardPayment({ ...shop.jobs, card: { ...shop.jobs.card, find } }, id, shop.jobs.log);
    expect([(await only()).state, asked()]).toEqual(['moved_to_cash', 0]);
  });

  test('read before another refund of its payment was booked, it is read again before it is asked for', async () => {
    const { card } = shop.jobs;
    const refunded = (centavos: number) =>
      asOwner(shop, 'update card_attempts set refunded_centavos = $1', [centavos]);
    const find: typeof card.find = async (...request) => {
      const found = await card.find(...request);
      await refunded(100);
      return found;
    };
    const { id } = await only();
    await refundCardPayment({ ...shop.jobs, card: { ...card, find } }, id, shop.jobs.log);
    expect([(await only()).state, asked(), (await putOff()).seconds]).toEqual(['owed', 0, 300]);
    await refunded(0);
  });

  test('the reply lost, and of the payment it is only told that it is cancelled: done', async () => {
    await fault(shop, { call: 'createRefund', kind: 'lost', times: 1 });
    await runRefunds(shop);
    const [payment] = await shop.charges();
    const body = {
      ...payment,
      status: 'cancelled',
      status_detail: { code: 'CA-MER01' },
      amount_refunded: null,
    };
    await fault(shop, { call: 'getPayment', kind: 'status', status: 200, times: 1, body });
    await runRefunds(shop);
    expect([(await only()).state, asked(), await owed()]).toEqual(['done', 1, 0]);
  });

  test('of a payment that has less refunded than was booked long ago, it is for a person', async () => {
    const { id, attempt_id: attemptId } = await only();
    await panel(shop, paymentId, { move: 'refund', amount: 100 });
    const external = { isLoss: false, isNotDelivered: false, providerRefundId: undefined };
    await transaction(shop.db, await readExternalRefund(shop.jobs, attemptId ?? '', external));
    const [payment] = await shop.charges();
    const sentBack = { ...payment, status_detail: { code: 'AP-PAI01' }, amount_refunded: 0 };
    await fault(shop, { call: 'getPayment', kind: 'status', status: 200, times: 2, body: sentBack });
    const now = async () => (await refunds(shop)).find((one) => one.id === id);
    await runRefunds(shop);
    expect([(await now())?.state, (await putOff()).seconds]).toEqual(['owed', 300]);
    await asOwner(shop, `update refunds set done_at = done_at - interval '2 days' where done_at is not null`);
    await runRefunds(shop);
    expect(await now()).toMatchObject({ state: 'blocked', detail_code: 'less refunded than booked' });
    expect([asked(), await alerts(shop)]).toEqual([0, ['refund_blocked']]);
  });

  test('an unknown refusal blocks it for a person', async () => {
    await refuse('ZZ9999');
    await runRefunds(shop);
    await runRefunds(shop);
    expect(await only()).toMatchObject({ state: 'blocked', detail_code: 'ZZ9999' });
    expect(asked()).toBe(1);
  });

  test('a provider that cannot be read is not asked to refund', async () => {
    await fault(shop, { call: 'getPayment', kind: 'unreachable', times: 2 });
    await runRefunds(shop);
    await runRefunds(shop);
    expect([(await only()).state, asked(), (await putOff()).seconds]).toEqual(['owed', 0, 300]);
    expect(await listWaiting(shop.db)).toEqual([]);
    await asOwner(shop, `update refunds set created_at = created_at - interval '11 minutes'`);
    expect(await listWaiting(shop.db)).toMatchObject([{ kind: 'refund_unanswered' }]);
    await runRefunds(shop);
    expect([(await only()).state, await listWaiting(shop.db)]).toEqual(['done', []]);
  });

  test('whose payment the provider does not know any more is for a person', async () => {
    await fault(shop, { call: 'getPayment', kind: 'status', status: 404 });
    await runRefunds(shop);
    expect(await only()).toMatchObject({ state: 'blocked', detail_code: expect.stringMatching(/^404/) });
    expect([asked(), await alerts(shop)]).toEqual([0, ['refund_blocked']]);
  });

  test('a refund that was made by hand before ours pays the debt', async () => {
    await panel(shop, paymentId, { move: 'refund', amount: 615 });
    await runRefunds(shop);
    expect([(await only()).state, asked(), await givenBack(shop), await owed()]).toEqual(['done', 0, 615, 0]);
    expect(await alerts(shop)).toEqual(['refund_found_back']);
  });

  test('a part that was given back by hand before ours is for a person', async () => {
    await panel(shop, paymentId, { move: 'refund', amount: 100 });
    await runRefunds(shop);
    expect([(await only()).state, asked(), await givenBack(shop)]).toEqual(['blocked', 0, 100]);
  });

  test('a word that is neither yes nor no is for a person: it may still come', async () => {
    const body = { id: randomUUID(), status: 'in_process', amount: 615 };
    await fault(shop, { call: 'createRefund', kind: 'status', status: 201, body });
    await runRefunds(shop);
    await runRefunds(shop);
    expect([(await only()).state, asked()]).toEqual(['blocked', 1]);
  });

  test('another sum than was asked is for a person', async () => {
    await fault(shop, {
      call: 'createRefund',
      kind: 'status',
      status: 201,
      body: { id: randomUUID(), status: 'approved', amount: 600 },
    });
    await runRefunds(shop);
    expect((await only()).state).toBe('blocked');
  });

  test.each([
    ['another payment', { reference: { type: 'payment', id: randomUUID() } }],
    ['dollars', { currency: 'USD' }],
  ])('a yes about %s is for a person: nobody knows what went back', async (_what, odd) => {
    const body = { id: randomUUID(), status: 'approved', amount: 615, ...odd };
    await fault(shop, { call: 'createRefund', kind: 'status', status: 201, body });
    await runRefunds(shop);
    await runRefunds(shop);
    expect([(await only()).state, asked(), await owed()]).toEqual(['blocked', 1, 61_500]);
  });

  test('a crash between the claim and the call: read after ninety seconds, asked again after ten minutes', async () => {
    await asSent();
    await runRefunds(shop);
    expect([(await only()).state, asked()]).toEqual(['sending', 0]);
    await pass(60_000);
    await runRefunds(shop);
    expect([(await only()).state, asked()]).toEqual(['sending', 0]);
    const { seconds } = await putOff();
    expect([seconds > 0, seconds <= 30]).toEqual([true, true]);
    await pass(30_000);
    await runRefunds(shop);
    expect([(await only()).state, asked()]).toEqual(['unknown', 0]);
    await pass(11 * MINUTE);
    await runRefunds(shop);
    await runRefunds(shop);
    expect([(await only()).state, asked(), await givenBack(shop)]).toEqual(['done', 1, 615]);
  });

  test('a crash between the provider’s yes and our book: found done, not asked again', async () => {
    await panel(shop, paymentId, { move: 'refund', amount: 615 });
    await shop.db
      .updateTable('refunds')
      .set({ state: 'sending', sent_at: new Date(Date.now() - 91_000), refunded_before_centavos: 0 as never })
      .execute();
    await runRefunds(shop);
    expect([(await only()).state, asked(), await givenBack(shop), await owed()]).toEqual(['done', 0, 615, 0]);
  });
});
