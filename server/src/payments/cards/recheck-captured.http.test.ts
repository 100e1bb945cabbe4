import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  alerts,
  chargeElsewhere,
  fault,
  openRecordedShop,
  panel,
  purchases,
  runRefunds,
} from '../../../test/card-acts.ts';
import { makeBuyer } from '../../../test/make.ts';
import { CARDS, MERCHANT_KEYS } from '../../../test/shop.ts';
import { openTill } from '../../../test/store-acts.ts';
import { resolveAlerts } from '../../platform/alerts.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { listWaiting } from '../../back-office/operations/waiting.read-model.ts';
import { setCardKeys } from '../card-keys/save-card-keys.ts';

let shop: Awaited<ReturnType<typeof openRecordedShop>>;
beforeEach(async () => {
  shop = await openRecordedShop({ clocks: { attemptsPerAddress: 99_999 } });
});
afterEach(() => shop.close());

/** A deposit paid by card, each by a buyer of its own. */
async function paid(given?: string): Promise<string> {
  const token = given ?? (await makeBuyer(shop.db)).token;
  const intentId = randomUUID();
  await shop.pay(await shop.reference({ token }), CARDS.approved, { token, intentId });
  return (await shop.attempt(intentId)).id;
}
const paymentOf = async (id: string) => {
  const { provider_payment_id: paymentId } = await shop.db
    .selectFrom('card_attempts')
    .select('provider_payment_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return paymentId ?? '';
};
/** So much time passes for all that is read again. */
const pass = (time: string) =>
  sql`update card_attempts set recheck_at = recheck_at - ${time}::interval,
    created_at = created_at - ${time}::interval`.execute(shop.db);
/** Runs the job; answers how many payments it read. */
async function recheck(): Promise<number> {
  shop.calls.length = 0;
  await shop.job.recheck_captured(undefined, shop.jobs.log);
  return shop.calls.filter(({ url }) => /^\/payments\/[^/]+$/.test(url)).length;
}

test('a refund in the provider’s panel is seen within the week, and waits for a person', async () => {
  const [one] = [await paid(), await paid()];
  await panel(shop, await paymentOf(one), { move: 'refund', amount: 200 });
  await pass('5 days');
  expect(await recheck()).toBe(0);
  await pass('1 day');
  expect(await recheck()).toBe(2);
  expect(await recheck()).toBe(0);
  expect(await listWaiting(shop.db)).toMatchObject([
    { kind: 'alert', id: `attempt_mismatch:${one}`, detail: 'reversed' },
  ]);
  await pass('6 days');
  expect(await recheck()).toBe(2);
  expect(await alerts(shop)).toEqual(['attempt_mismatch']);
});

test('a payment whose keys were revoked is read with the current ones, without an alert for the old ones', async () => {
  const id = await paid();
  await shop.control('POST /control/merchants', {
    apiKey: MERCHANT_KEYS.publicKey,
    secret: 'its-next-secret',
  });
  const keys = { ...MERCHANT_KEYS, secret: 'its-next-secret' };
  const { keyRing } = shop.settings;
  await transaction(shop.db, (tx) =>
    setCardKeys({ keyRing, allowTestKeys: true }, tx, shop.merchantId, keys),
  );
  await pass('6 days');
  await recheck();
  await panel(shop, await paymentOf(id), { move: 'refund', amount: 200 });
  await pass('6 days');
  await recheck();
  expect(await alerts(shop)).toEqual(['attempt_mismatch']);
});

test('our own refunds raise no alert', async () => {
  const { token } = await makeBuyer(shop.db);
  await paid(token);
  const [purchase] = await purchases(shop);
  await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${purchase?.id}`, { token, body: {} });
  await pass('6 days');
  expect(await recheck()).toBe(1);
  await runRefunds(shop);
  await pass('6 days');
  expect(await recheck()).toBe(1);
  expect(await alerts(shop)).toEqual([]);
});

/** A purchase that was cancelled at once, and whose money the provider gave back `days` ago. */
async function givenBackAgo(days: number): Promise<string> {
  const { token } = await makeBuyer(shop.db);
  const id = await paid(token);
  const [purchase] = await purchases(shop);
  await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${purchase?.id}`, { token, body: {} });
  await runRefunds(shop);
  await sql`update refunds set done_at = done_at - interval '1 day' * ${days}`.execute(shop.db);
  return id;
}
/** The provider says once of the only payment what it would not say by itself. */
const saysOnce = async (odd: Record<string, unknown>) => {
  const [payment] = await shop.charges();
  await fault(shop, {
    call: 'getPayment',
    kind: 'status',
    status: 200,
    times: 1,
    body: { ...payment, ...odd },
  });
};
const SENT_BACK = {
  status: 'approved',
  status_detail: { code: 'AP-PAI01', message: 'paid' },
  amount_refunded: 0,
};

test('a refund that came back to the provider, from a closed card, raises an alert', async () => {
  const id = await givenBackAgo(6);
  await pass('6 days');
  await saysOnce(SENT_BACK);
  expect(await recheck()).toBe(1);
  expect(await listWaiting(shop.db)).toMatchObject([{ kind: 'alert', id: `refund_undone:${id}` }]);
  await transaction(shop.db, (tx) => resolveAlerts(tx, ['refund_undone'], [id]));
  await pass('6 days');
  await saysOnce(SENT_BACK);
  expect(await recheck()).toBe(1);
  expect(await listWaiting(shop.db)).toEqual([]);
});

test('a refund of which the provider does not know yet is none that came back', async () => {
  await givenBackAgo(0);
  await pass('6 days');
  await saysOnce(SENT_BACK);
  expect(await recheck()).toBe(1);
  expect(await alerts(shop)).toEqual([]);
});

test('a whole refund ends the rechecks when no bank sends it back any more', async () => {
  const id = await givenBackAgo(59);
  await pass('6 days');
  expect(await recheck()).toBe(1);
  await sql`update refunds set done_at = done_at - interval '2 days'`.execute(shop.db);
  await pass('6 days');
  expect(await recheck()).toBe(0);
  expect(await alerts(shop)).toEqual([]);
  const { recheck_at: next } = await shop.db
    .selectFrom('card_attempts')
    .select('recheck_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(next).toBeNull();
});

test('a second payment, which names the first one’s attempt, is read like any other', async () => {
  const first = await paid();
  await chargeElsewhere(shop, first, CARDS.approved);
  await shop.job.sweep_card_payments(undefined, shop.jobs.log);
  await pass('6 days');
  expect(await recheck()).toBe(2);
  expect(await alerts(shop)).toEqual(['second_payment']);
  const second = (await shop.charges())[1];
  await panel(shop, second?.id ?? '', { move: 'refund', amount: 1 });
  await pass('6 days');
  await recheck();
  expect(await alerts(shop)).toEqual(['attempt_mismatch', 'second_payment']);
});

test('an unfinished purchase is read however old it is, a paid-off one as long as it can be disputed', async () => {
  await paid();
  await pass('400 days');
  expect(await recheck()).toBe(1);
  const { id } = await shop.db
    .selectFrom('instalments')
    .select('id')
    .where('number', '=', 2)
    .executeTakeFirstOrThrow();
  const { body } = await (await openTill(shop)).pay({ referencia: `2${id}`, importe: 2_400 });
  expect(body.error).toBe(0);
  await pass('6 days');
  expect(await recheck()).toBe(0);
});

test('a paid-off payment is read for three hundred days', async () => {
  await paid();
  const { id } = await shop.db
    .selectFrom('instalments')
    .select('id')
    .where('number', '=', 2)
    .executeTakeFirstOrThrow();
  await (await openTill(shop)).pay({ referencia: `2${id}`, importe: 2_400 });
  await pass('299 days');
  expect(await recheck()).toBe(1);
  await pass('6 days');
  expect(await recheck()).toBe(0);
});

test('of a cancelled purchase a payment that kept a penalty is read for half a year, and as long as it can be disputed', async () => {
  const { token } = await makeBuyer(shop.db);
  await paid(token);
  await sql`update purchases set penalty_free_until = now() - interval '1 minute'`.execute(shop.db);
  const [purchase] = await purchases(shop);
  await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${purchase?.id}`, { token, body: {} });
  await runRefunds(shop);
  const cancelled = (days: number) =>
    sql`update purchases set cancelled_at = now() - interval '1 day' * ${days}`.execute(shop.db);
  await pass('200 days');
  await cancelled(195);
  expect(await recheck()).toBe(1);
  await pass('94 days');
  expect(await recheck()).toBe(1);
  await pass('106 days');
  await cancelled(179);
  expect(await recheck()).toBe(1);
  await pass('6 days');
  await cancelled(181);
  expect(await recheck()).toBe(0);
  await pass('6 days');
  await cancelled(1);
  expect(await recheck()).toBe(0); // it was the last time
});

test('a payment that the provider does not know any more raises an alert, and is read again in a week', async () => {
  await paid();
  await pass('6 days');
  await fault(shop, { call: 'getPayment', kind: 'status', status: 404, times: 1, body: {} });
  expect(await recheck()).toBe(1);
  expect(await alerts(shop)).toEqual(['attempt_mismatch']);
  await pass('5 days');
  expect(await recheck()).toBe(0);
  await pass('1 day');
  expect(await recheck()).toBe(1);
});

test('a run reads at most fifty payments of a merchant', async () => {
  await paid();
  await pass('6 days');
  await sql`insert into card_attempts (merchant_id, credential_id, state, principal_centavos, fee_centavos,
      captured_centavos, provider_payment_id, recheck_at)
    select merchant_id, credential_id, 'returned', 1, 0, 1, 'x' || n, now() - interval '1 hour' * n
    from card_attempts, generate_series(1, 60) n`.execute(shop.db);
  expect(await recheck()).toBe(50);
  expect(await recheck()).toBe(11);
  // They were never ours: the books are proved without them.
  await sql`update card_attempts set state = 'held', captured_centavos = 0 where provider_payment_id like 'x%'`.execute(
    shop.db,
  );
});

test('a provider that does not answer is asked once, and again tomorrow', async () => {
  await paid();
  await paid();
  await pass('6 days');
  await fault(shop, { call: 'getPayment', kind: 'status', status: 401, times: 1, body: {} });
  expect(await recheck()).toBe(1);
  expect(await alerts(shop)).toEqual(['merchant_key_refused']);
  expect(await recheck()).toBe(1); // the other one
  await pass('1 day');
  expect(await recheck()).toBe(1);
});
