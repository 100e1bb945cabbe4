import { expect, test } from 'vitest';
import * as v from 'valibot';
import { type ErrorBody, refund, type Refund } from '@aparta/provider-wire/clip';
import { startSandbox } from '../testing.ts';

const paid = '4555128482797669';
const dayMs = 24 * 3_600_000;

async function startWithPayment(more: Record<string, unknown> = {}) {
  const sandbox = await startSandbox();
  const { body } = await sandbox.charge(paid, more);
  const giveBack = (amount: number, id = body.id, headers = {}) =>
    sandbox.call<Refund & ErrorBody>(
      'POST',
      '/refunds',
      { amount, reason: 'cancel', reference: { type: 'payment', id } },
      headers,
    );
  return { ...sandbox, paymentId: body.id, giveBack };
}

test('a refund in part, then of the rest, leaves nothing to refund', async () => {
  const { giveBack, call, paymentId } = await startWithPayment();
  const part = await giveBack(15);
  expect(part.status).toBe(201);
  expect(v.parse(refund, part.body)).toMatchObject({ status: 'approved', amount: 15 });
  const read = () => call('GET', `/payments/${paymentId}`);
  expect((await read()).body).toMatchObject({
    status: 'approved',
    status_detail: { code: 'AP-REF01' },
    amount_refunded: 15,
  });
  await giveBack(600);
  expect((await read()).body).toMatchObject({
    status: 'refunded',
    status_detail: { code: 'RE-REF01' },
    amount_refunded: 615,
  });
  expect((await giveBack(0.01)).body.error_code).toBe('AI1802');
});

test('within a day a refund carries the id of the payment, later its own', async () => {
  const { giveBack, call, control, charge, paymentId } = await startWithPayment();
  expect((await giveBack(10)).body.id).toBe(paymentId);
  await control('clock', { advanceMs: dayMs + 1 });
  await charge(paid);
  const later = await giveBack(20);
  expect(later.body.id).not.toBe(paymentId);
  expect((await call('GET', `/refunds/${later.body.id}`)).body).toEqual(later.body);
});

test('the same key within a minute refunds once, after it once more', async () => {
  const { giveBack, call, control, paymentId } = await startWithPayment();
  const key = { 'idempotency-key': 'refund-1' };
  const first = await giveBack(10, paymentId, key);
  expect((await giveBack(10, paymentId, key)).body).toEqual(first.body);
  const refunded = async () => (await call('GET', `/payments/${paymentId}`)).body;
  expect(await refunded()).toMatchObject({ amount_refunded: 10 });
  await control('clock', { advanceMs: 60_000 });
  await giveBack(10, paymentId, key);
  expect(await refunded()).toMatchObject({ amount_refunded: 20 });
});

test('more than the payment, and more than today’s sales, are refused', async () => {
  const { giveBack, control, charge } = await startWithPayment();
  expect((await giveBack(615.01)).body.error_code).toBe('AI1801');
  await control('clock', { advanceMs: 2 * dayMs });
  const noBalance = await giveBack(615);
  expect([noBalance.status, noBalance.body.error_code]).toEqual([409, 'AI1400']);
  await charge(paid);
  expect((await giveBack(615)).status).toBe(201);
});

test('each rule of a refund has its code', async () => {
  const { giveBack, control, charge, merchant, paymentId } = await startWithPayment();
  const codeOf = async (id: string) => (await giveBack(1, id)).body.error_code;
  expect(await codeOf('00000000-0000-4000-8000-000000000000')).toBe('CL301');
  expect(await codeOf((await charge('4555126387272952')).body.id)).toBe('AI1800');
  expect(await codeOf((await charge(paid, { installments: 3 })).body.id)).toBe('AI1806');

  const disputed = await charge(paid);
  await control(`payments/${disputed.body.id}`, { move: 'dispute' });
  expect(await codeOf(disputed.body.id)).toBe('AI1804');

  await control('merchants', { apiKey: merchant.id, secret: merchant.secret, refunds: false });
  expect(await codeOf(paymentId)).toBe('AI1805');
  await control('merchants', { apiKey: merchant.id, secret: merchant.secret });

  await control('clock', { advanceMs: 180 * dayMs + 1 });
  expect(await codeOf(paymentId)).toBe('AI1803');
});

test('a refund made in the panel of Clip shows on the payment', async () => {
  const { control, call, paymentId } = await startWithPayment();
  await control(`payments/${paymentId}`, { move: 'refund', amount: 615 });
  expect((await call('GET', `/payments/${paymentId}`)).body).toMatchObject({
    status: 'refunded',
    amount_refunded: 615,
    refunds: [{ reason: 'panel' }],
  });
});
