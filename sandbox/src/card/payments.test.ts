import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as v from 'valibot';
import { errorBody, payment, type Payment, paymentList, type PaymentList } from '@aparta/provider-wire/clip';
import { startSandbox } from '../testing.ts';
import type { ChargeAttempt } from './acquirer.ts';
import { cardGroups } from './cards.ts';

const paid = '4555128482797669';
const cardWith = (label: RegExp): string => {
  const card = cardGroups.flatMap((group) => group.cards).find((one) => label.test(one.label));
  if (card === undefined) throw new Error(`no card ${label}`);
  return card.number;
};
type Log = { attempts: ChargeAttempt[]; payments: Payment[] };

test('an approved card pays the whole sum, and the payment reads the same afterwards', async () => {
  const { charge, call } = await startSandbox();
  const made = await charge(paid);
  expect(made.status).toBe(201);
  expect(v.parse(payment, made.body)).toMatchObject({
    amount: 615,
    paid_amount: 615,
    currency: 'MXN',
    status: 'approved',
    status_detail: { code: 'AP-PAI01' },
    external_reference: 'attempt-1',
    payment_method: { id: 'visa', type: 'credit_card', card: { bin: '455512', last_digits: '7669' } },
  });
  expect((await call('GET', `/payments/${made.body.id}`)).body).toEqual(made.body);
});

test.each(
  cardGroups
    .flatMap((group) => group.cards)
    .flatMap(({ number, outcome }) => (outcome.kind === 'reject' ? [[outcome.detail, number] as const] : [])),
)('a card that is refused with %s (%s) takes no money', async (detail, number) => {
  const { charge } = await startSandbox();
  const { body } = await charge(number);
  expect(body).toMatchObject({ status: 'rejected', status_detail: { code: detail }, captured_amount: 0 });
});

test('a card that needs no 3DS is asked for it when the merchant wants it, and then pays as the buyer says', async () => {
  const { charge, call, threeDsOrigin } = await startSandbox();
  const asked = { prevention_data: { request_3ds: true } };
  const { body } = await charge(paid, asked);
  expect(body).toMatchObject({ status: 'pending', status_detail: { code: 'PE-3DS01' }, captured_amount: 0 });
  const window = `${threeDsOrigin}/challenge/${body.id}`;
  expect(body.pending_action).toMatchObject({ url: window });
  await call('POST', window, { answer: 'approve' }, { origin: threeDsOrigin });
  expect((await call('GET', `/payments/${body.id}`)).body).toMatchObject({
    status: 'approved',
    paid_amount: 615,
  });
  expect((await charge(cardWith(/Fondos insuficientes/), asked)).body.status).toBe('rejected');
});

test('a card token pays once, and not after 15 minutes', async () => {
  const { call, tokenOf, control } = await startSandbox();
  const pay = (token: string) =>
    call('POST', '/payments', {
      amount: 10,
      currency: 'MXN',
      payment_method: { token },
      customer: { email: 'ana@example.com', phone: '5512345678' },
    });
  const token = await tokenOf(paid);
  expect((await pay(token)).status).toBe(201);
  const again = await pay(token);
  expect([again.status, v.parse(errorBody, again.body).error_code]).toEqual([400, 'CL2200']);

  const old = await tokenOf(paid);
  await control('clock', { advanceMs: 15 * 60_000 + 1 });
  expect((await pay(old)).status).toBe(400);
});

test('the same request twice with two tokens charges twice: there is no idempotency to lean on', async () => {
  const { charge, call } = await startSandbox();
  await charge(paid);
  await charge(paid);
  expect((await call<Log>('GET', '/control/log?externalReference=attempt-1')).body.payments).toHaveLength(2);
});

test.each([
  ['Basic with a wrong secret', `Basic ${btoa('a0000000-0000-4000-8000-000000000001:wrong')}`],
  ['Bearer with an unknown key', 'Bearer test_ffffffff-0000-4000-8000-000000000001'],
  ['nothing', ''],
])('%s is refused', async (_how, authorization) => {
  const { call } = await startSandbox();
  expect((await call('GET', '/payments', undefined, { authorization })).status).toBe(401);
});

test('a test key as bearer is taken, and sees no payment of another merchant', async () => {
  const { charge, call } = await startSandbox();
  const { body } = await charge(paid);
  const path = `/payments/${body.id}`;
  const as = (key: string) => call('GET', path, undefined, { authorization: `Bearer test_${key}` });
  expect((await as('a0000000-0000-4000-8000-000000000001')).status).toBe(200);
  expect((await as('a0000000-0000-4000-8000-000000000002')).status).toBe(404);
});

test.each([
  ['10.005 pesos', { amount: 10.005 }],
  ['zero', { amount: 0 }],
  ['dollars', { currency: 'USD' }],
  ['a reference of 37 letters', { external_reference: 'x'.repeat(37) }],
])('%s is not a payment', async (_what, more) => {
  const { charge, call } = await startSandbox();
  expect((await charge(paid, more)).status).toBe(400);
  expect((await call<Log>('GET', '/control/log')).body.payments).toEqual([]);
});

test('a reply that is lost leaves one charge, which the list finds by its reference', async () => {
  const { charge, call } = await startSandbox();
  await expect(charge(cardWith(/se pierde/))).rejects.toThrow('fetch failed');
  const { body } = await call<PaymentList>('GET', '/payments?from=2020-01-01T00:00:00Z');
  expect(body.results.map((one) => [one.external_reference, one.status])).toEqual([
    ['attempt-1', 'approved'],
  ]);
});

test('no reply can also mean no charge', async () => {
  const { charge, call } = await startSandbox();
  await expect(charge(cardWith(/tampoco hay respuesta/))).rejects.toThrow('fetch failed');
  const { body } = await call<Log>('GET', '/control/log?externalReference=attempt-1');
  expect(body.payments).toEqual([]);
  expect(body.attempts).toMatchObject([{ outcome: 'not charged, no answer', lastDigits: '0006' }]);
});

test('a late reply was charged at once', async () => {
  const { charge, call } = await startSandbox({ waits: { lateReplyMs: 60_000 } });
  const late = charge(cardWith(/60 s/)).catch(() => 'never answered');
  await expect
    .poll(async () => (await call<Log>('GET', '/control/log')).body.payments)
    .toMatchObject([{ status: 'approved' }]);
  expect(await Promise.race([late, Promise.resolve('still waiting')])).toBe('still waiting');
});

test('an unreadable reply was charged', async () => {
  const { charge, call } = await startSandbox();
  await expect(charge(cardWith(/ilegible/))).rejects.toThrow(SyntaxError);
  expect((await call<Log>('GET', '/control/log')).body.payments).toMatchObject([{ status: 'approved' }]);
});

test.each([
  [500, /Error 500/],
  [429, /Error 429/],
  [422, /Error 422/],
])('error %i charges nothing', async (status, label) => {
  const { charge, call } = await startSandbox();
  const answer = await charge(cardWith(label));
  expect(answer.status).toBe(status);
  expect(answer.headers.has('retry-after')).toBe(status === 429);
  expect((await call<Log>('GET', '/control/log')).body.payments).toEqual([]);
});

test('odd approvals are odd in one thing each', async () => {
  const { charge } = await startSandbox();
  const detail = await charge(cardWith(/detalle desconocido/));
  expect(detail.body).toMatchObject({ status: 'approved', amount: 615, status_detail: { code: 'AP-XXX99' } });
  const more = await charge(cardWith(/de más/));
  expect(more.body).toMatchObject({ status: 'approved', amount: 616, status_detail: { code: 'AP-PAI01' } });
  const held = await charge(cardWith(/Solo autorizada/));
  expect(held.body).toMatchObject({ status: 'authorized', amount: 615, captured_amount: 0 });
});

test('a slow card is approved by itself, and a restart in between does not forget it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const first = await startSandbox({ dataDir, waits: { approveLaterMs: 300 } });
  const { body } = await first.charge(cardWith(/En proceso/));
  expect(body).toMatchObject({ status: 'pending', pending_action: {} });
  await first.close();

  const second = await startSandbox({ dataDir });
  await expect
    .poll(async () => (await second.call('GET', `/payments/${body.id}`)).body)
    .toMatchObject({ status: 'approved' });
});

test('3DS is decided in the window of the bank, once', async () => {
  const { charge, call, threeDsOrigin } = await startSandbox();
  const { body } = await charge(cardWith(/decides con Aprobar o Rechazar$/));
  const url = body.pending_action?.url ?? '';
  expect(body).toMatchObject({
    status: 'pending',
    status_detail: { code: 'PE-3DS01' },
    pending_action: { type: 'open_modal' },
  });
  expect(new URL(url).origin).toBe(threeDsOrigin);

  const page = await fetch(url);
  expect(page.headers.get('content-security-policy')).toContain('frame-ancestors http://localhost:3399');
  expect(await page.text()).toContain('Aprobar');

  await call('POST', url, { answer: 'approve' });
  expect((await call('POST', url, { answer: 'reject' })).body).toMatchObject({ status: 'approved' });
  expect((await call('GET', `/payments/${body.id}`)).body).toMatchObject({
    status: 'approved',
    status_detail: { code: 'AP-PAI01' },
    pending_action: {},
  });
});

test('3DS can be rejected by the buyer, or by the bank whatever the buyer says', async () => {
  const { charge, call } = await startSandbox();
  for (const [label, answer] of [
    [/decides con Aprobar o Rechazar$/, 'reject'],
    [/siempre rechazada/, 'approve'],
  ] as const) {
    const { body } = await charge(cardWith(label));
    await call('POST', body.pending_action?.url ?? '', { answer });
    const after = await call('GET', `/payments/${body.id}`);
    expect(after.body).toMatchObject({ status: 'rejected', status_detail: { code: 'RE-3DS01' } });
  }
});

test('3DS that the buyer left can still be approved by the bank', async () => {
  const { charge, call } = await startSandbox({ waits: { approveAloneMs: 20_000 } });
  const { body } = await charge(cardWith(/aprueba solo/));
  await call('POST', '/control/clock', { advanceMs: 20_000 });
  expect((await call('GET', `/payments/${body.id}`)).body).toMatchObject({ status: 'approved' });
});

test('the list is paged by 50, newest first, and keeps to its window', async () => {
  const { charge, call, control } = await startSandbox();
  for (let count = 1; count <= 51; count += 1) await charge(paid, { external_reference: `attempt-${count}` });
  await control('clock', { advanceMs: 3_600_000 });
  await charge(paid, { external_reference: 'later' });

  const to = new Date(Date.now() + 60_000).toISOString();
  const page = async (number: number) =>
    v.parse(
      paymentList,
      (await call('GET', `/payments?from=2020-01-01T00:00:00Z&to=${to}&page=${number}`)).body,
    );
  const [first, second] = [await page(1), await page(2)];
  expect(first.pages).toEqual({ size: 50, number: 1, total: 2, total_results: 51 });
  expect(first.results[0]?.external_reference).toBe('attempt-51');
  expect(second.results.map((one) => one.external_reference)).toEqual(['attempt-1']);
});

test('a notice of the new payment and of its change reaches the merchant, and nowhere off this machine', async () => {
  const notices: unknown[] = [];
  const merchant = createServer((request, response) => {
    request.on('data', (data) => notices.push(JSON.parse(String(data))));
    request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => merchant.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void merchant.close());
  const { port } = merchant.address() as AddressInfo;

  const { charge, call } = await startSandbox();
  const { body } = await charge(cardWith(/decides con Aprobar o Rechazar$/), {
    webhook_url: `http://127.0.0.1:${port}/notice`,
  });
  await expect.poll(() => notices).toHaveLength(1);
  await call('POST', body.pending_action?.url ?? '', { answer: 'approve' });
  await expect.poll(() => notices).toHaveLength(2);
  expect(notices).toEqual(
    ['INSERT', 'UPDATE'].map((event_type) => ({ id: body.id, origin: 'payments-api', event_type })),
  );

  await charge(paid, { webhook_url: 'https://example.com/notice' });
  const tries = async () =>
    (await call<{ tries: { result: unknown }[] }>('GET', '/control/webhooks')).body.tries;
  await expect
    .poll(async () => (await tries()).at(-1)?.result)
    .toBe('not sent: not an address of this machine');
});

test('what was charged is still known after a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const first = await startSandbox({ dataDir });
  const { body } = await first.charge(paid);
  await first.close();
  const second = await startSandbox({ dataDir });
  expect((await second.call('GET', `/payments/${body.id}`)).body).toMatchObject({ status: 'approved' });
});
