import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import {
  alerts,
  answer3ds,
  chargeElsewhere,
  fault,
  MINUTE,
  openRecordedShop,
  panel,
  purchases,
} from '../../../test/card-acts.ts';
import { makeProduct } from '../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { asOwner } from '../../../test/store-acts.ts';

let shop: Shop;
afterEach(() => shop.close());

const notify = (nonce: string, body: unknown = {}) => shop.ask(`POST /webhooks/clip/${nonce}`, { body });
const queued = async (key: string): Promise<number> => {
  const client = new pg.Client({ connectionString: shop.ownerUrl });
  await client.connect();
  const { rows } = await client.query('select count(*) from graphile_worker.jobs where key = $1', [key]);
  await client.end();
  return Number(rows[0].count);
};

describe('a notice', () => {
  test('only makes us ask: what it says is not believed, whose it is neither', async () => {
    shop = await openShop();
    const intentId = randomUUID();
    await shop.pay(await shop.reference(), CARDS.threeDs, { intentId });
    const { webhook_nonce: nonce } = await shop.attempt(intentId);
    await chargeElsewhere(shop, randomUUID(), CARDS.approved);
    const foreign = (await shop.charges()).find((charge) => charge.status === 'approved');
    for (const body of [
      { id: foreign?.id, status: 'approved', event_type: 'UPDATE' },
      { id: '../refunds/1' },
      { id: randomUUID() },
      {},
    ])
      expect((await notify(nonce, body)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'pending_3ds', captured_centavos: 0 });

    await answer3ds(shop, intentId, 'approve');
    await Promise.all(Array.from({ length: 6 }, () => notify(nonce, { id: foreign?.id })));
    await expect.poll(async () => (await shop.attempt(intentId)).state).toBe('applied');
    expect(await purchases(shop)).toHaveLength(1);
  });

  test('before the reply of the charge is read resolves it; the reply then changes nothing', async () => {
    shop = await openShop({ clocks: { chargeTimeoutMs: 10_000 } });
    const intentId = randomUUID();
    const reference = await shop.reference();
    await fault(shop, { call: 'createPayment', kind: 'hold' });
    const reply = shop.pay(reference, CARDS.approved, { intentId });
    await expect.poll(() => shop.charges()).toHaveLength(1);
    const attempt = await shop.attempt(intentId);
    expect(attempt.state).toBe('submitting');
    await notify(attempt.webhook_nonce, { id: (await shop.charges())[0]?.id });
    await expect.poll(async () => (await shop.attempt(intentId)).state).toBe('applied');
    await shop.control('POST /control/release');
    expect((await reply).body.data).toMatchObject({ state: 'applied', applied: true });
    expect(await purchases(shop)).toHaveLength(1);
  });

  test('of a lost reply finds the charge within seconds by its hint', async () => {
    shop = await openShop();
    const intentId = randomUUID();
    await shop.pay(await shop.reference(), CARDS.replyLost, { intentId });
    const { webhook_nonce: nonce } = await shop.attempt(intentId);
    await shop.control('POST /control/list', { lagMs: 3_600_000 });
    await notify(nonce, { id: (await shop.charges())[0]?.id });
    await expect.poll(async () => (await shop.attempt(intentId)).state).toBe('applied');
  });

  test('that comes right after a poll keeps its hint, and does not hurry the proof that nothing was charged', async () => {
    shop = await openShop({ clocks: { coalesceMs: 60_000 } });
    const [found, nothing] = [randomUUID(), randomUUID()];
    const productId = await makeProduct(shop.db, { merchantId: shop.merchantId });
    await shop.pay(await shop.reference(), CARDS.replyLost, { intentId: found });
    await shop.pay(await shop.reference({ productId }), CARDS.nothingHappened, { intentId: nothing });
    await shop.control('POST /control/list', { lagMs: 3_600_000 });
    for (const intentId of [found, nothing]) {
      const { id, webhook_nonce: nonce } = await shop.attempt(intentId);
      await shop.ask(`GET /v1/Clib/GetAttemptAsync/${intentId}`, { token: shop.buyer.token });
      await shop.age(intentId, 18 * MINUTE);
      await notify(nonce, { id: (await shop.charges())[0]?.id });
      await expect.poll(() => queued(`notice:${id}`)).toBe(1);
      const [{ payload }] = await asOwner(
        shop,
        'select payload from graphile_worker._private_jobs where key = $1',
        [`notice:${id}`],
      );
      for (let n = 0; n < 3; n += 1) await shop.job.resolve_attempt(payload, shop.jobs.log);
    }
    expect((await shop.attempt(found)).state).toBe('applied');
    expect(await shop.attempt(nothing)).toMatchObject({ state: 'unknown', not_found_count: 0 });
  });

  test('of a lost reply that names another payment, or none that exists, still finds ours', async () => {
    shop = await openShop();
    await chargeElsewhere(shop, randomUUID(), CARDS.approved);
    const foreign = (await shop.charges())[0]?.id;
    for (const hint of [foreign, randomUUID(), undefined]) {
      const intentId = randomUUID();
      const productId = await makeProduct(shop.db, { merchantId: shop.merchantId });
      await shop.pay(await shop.reference({ productId }), CARDS.replyLost, { intentId });
      await notify((await shop.attempt(intentId)).webhook_nonce, { id: hint });
      await expect.poll(async () => (await shop.attempt(intentId)).state).toBe('applied');
    }
    expect(await alerts(shop)).toEqual([]);
  });

  test('old ones out of order, after a rejection and after a purchase, do nothing', async () => {
    shop = await openShop();
    const reference = await shop.reference();
    const [rejected, bought] = [randomUUID(), randomUUID()];
    await shop.pay(reference, CARDS.insufficientFunds, { intentId: rejected });
    await shop.pay(reference, CARDS.approved, { intentId: bought });
    await answer3ds(shop, bought, 'approve');
    await shop.poll(bought);
    for (const intentId of [bought, rejected, bought, rejected]) {
      const attempt = await shop.attempt(intentId);
      await notify(attempt.webhook_nonce, { id: attempt.provider_payment_id });
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await shop.attempt(rejected)).state).toBe('rejected');
    expect((await shop.attempt(bought)).state).toBe('applied');
    expect(await purchases(shop)).toHaveLength(1);
    expect(await shop.db.selectFrom('receipts').select('id').execute()).toHaveLength(1);
  });
});

describe('a flood of notices', () => {
  test('forged ones reach neither the provider nor any attempt, and all read the same answer', async () => {
    const recorded = await openRecordedShop();
    shop = recorded;
    const intentId = randomUUID();
    await shop.pay(await shop.reference(), CARDS.threeDs, { intentId });
    const before = await shop.attempt(intentId);
    recorded.calls.length = 0;
    const answers = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const some = await Promise.all(
        Array.from({ length: 20 }, () =>
          notify(randomBytes(32).toString('hex'), { id: before.provider_payment_id, event_type: 'UPDATE' }),
        ),
      );
      for (const { status, body } of some) answers.add(`${status} ${JSON.stringify(body)}`);
    }
    expect([...answers]).toEqual(['200 {"isSuccess":true,"message":"","data":null}']);
    expect(recorded.calls).toEqual([]);
    expect(await shop.attempt(intentId)).toEqual(before);
  });

  test('with the right nonce cost one read per window, and the last one is not lost', async () => {
    const recorded = await openRecordedShop({ clocks: { coalesceMs: 3_000 } });
    shop = recorded;
    const intentId = randomUUID();
    await shop.pay(await shop.reference(), CARDS.threeDs, { intentId });
    const { id, webhook_nonce: nonce, provider_payment_id: paymentId } = await shop.attempt(intentId);
    recorded.calls.length = 0;
    const from = performance.now();
    for (let round = 0; round < 10; round += 1)
      await Promise.all(Array.from({ length: 20 }, () => notify(nonce, { id: paymentId })));
    for (let n = 0; n < 20; n += 1)
      await shop.ask(`GET /v1/Clib/GetAttemptAsync/${intentId}`, { token: shop.buyer.token });
    await expect.poll(() => queued(`notice:${id}`)).toBe(1);
    const windows = Math.ceil((performance.now() - from) / 3_000);
    expect(recorded.calls.length).toBeGreaterThan(0);
    expect(recorded.calls.length).toBeLessThanOrEqual(windows);
  });

  test('a body that is too big, not JSON or not a notice is refused without a read', async () => {
    shop = await openShop();
    const intentId = randomUUID();
    await shop.pay(await shop.reference(), CARDS.threeDs, { intentId });
    const { webhook_nonce: nonce, provider_payment_id: paymentId } = await shop.attempt(intentId);
    await panel(shop, paymentId, { move: 'approve' });
    for (const body of [{ id: 'x'.repeat(5_000) }, '{"id":', { id: { $ne: 1 } }])
      expect((await notify(nonce, body)).status).toBeGreaterThanOrEqual(400);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await shop.attempt(intentId)).state).toBe('pending_3ds');
  });
});
