import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { noticeReply, operation, type Operation, type ReferenceReply } from '@aparta/provider-wire/tapi';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import type { SandboxOptions } from '../app.ts';
import { startProduct, startSandbox } from '../testing.ts';
import { demoAccount } from './network.ts';
import type { NoticeRow } from './notices.ts';

const received = () => ({ body: noticeReply });

/** A sandbox with a cash reference of 1,200.00 pesos, and a product that gets its notices. */
async function openNetwork(
  answer: Parameters<typeof startProduct>[0] = received,
  options: Partial<SandboxOptions> = {},
) {
  const product = await startProduct(answer);
  const sandbox = await startSandbox({ productOrigin: product.origin, ...options });
  const { call, control } = sandbox;

  const signIn = (given: object = {}, key: string = demoAccount.loginKey) =>
    call<{ accessToken: string }>(
      'POST',
      '/login',
      { clientUsername: demoAccount.clientUsername, password: demoAccount.password, ...given },
      { 'x-api-key': key },
    );
  const { accessToken } = (await signIn()).body;
  const headers = { 'x-api-key': demoAccount.referencesKey, 'x-authorization-token': accessToken };
  const { modalityId, identifierName, companyCode } = demoAccount;
  const body = {
    generationData: [{ modalityId, identifierName, identifierValue: '21234567894' }],
    additionalData: { email: 'ana@example.com', debtExpirationDate: mexicoCityDate(new Date()) },
    externalRequestId: randomUUID(),
    companyCode,
    externalClientId: '7',
    amountType: 'OPEN',
    amount: 1200,
    currency: 'MXN',
  };
  const ask = (more: object = {}, as: object = {}) =>
    call<ReferenceReply>('POST', '/reference', { ...body, ...more }, { ...headers, ...as });
  const reference = (await ask()).body.references[0]?.value ?? '';

  const notices = () => product.seen.map(({ body: sent }) => sent as Operation);
  const heard = async (count: number) => {
    await expect.poll(notices, { interval: 20 }).toHaveLength(count);
    return notices();
  };
  const pay = async (more: object = {}) =>
    (await control<Operation>('cash/pay', { reference, ...more })).body;
  const move = (id: string, how: object) => control<Operation>(`cash/operations/${id}`, how);
  const rows = async () => (await call<{ notices: NoticeRow[] }>('GET', '/control/cash')).body.notices;
  const press = async (path: string, form: Record<string, string>) =>
    (await fetch(new URL(path, sandbox.apiUrl), { method: 'POST', body: new URLSearchParams(form) })).text();
  return {
    ...sandbox,
    product,
    signIn,
    ask,
    body,
    headers,
    reference,
    notices,
    heard,
    pay,
    move,
    rows,
    press,
  };
}

test('a sign-in needs its own key and the right password', async () => {
  const { signIn } = await openNetwork();
  expect((await signIn({}, demoAccount.referencesKey)).status).toBe(403);
  const wrong = await signIn({ password: 'guess' });
  expect([wrong.status, wrong.body]).toMatchObject([401, { code: 'ALO04140' }]);
});

test('a reference needs its own key and a token that lives', async () => {
  const { ask, control } = await openNetwork();
  expect((await ask({}, { 'x-api-key': demoAccount.loginKey })).status).toBe(403);
  expect((await ask({}, { 'x-authorization-token': 'made-up' })).status).toBe(401);
  await control('clock', { advanceMs: 15_480_000 });
  expect((await ask()).status).toBe(401);
});

test('the same request gets the same reference, and its id with other content none', async () => {
  const { ask, reference } = await openNetwork();
  expect((await ask()).body.references[0]?.value).toBe(reference);
  expect((await ask({ amount: 1201 })).status).toBe(409);
  const other = await ask({ externalRequestId: randomUUID() });
  expect(other.body.references[0]?.value).not.toBe(reference);
});

test.each([
  ['29.99 pesos', { amount: 29.99 }, 'AMOUNT_OUT_OF_RANGE'],
  ['10,000.01 pesos', { amount: 10_000.01 }, 'AMOUNT_OUT_OF_RANGE'],
  [
    'an expiry in the past',
    { additionalData: { email: 'a@example.com', debtExpirationDate: '2020-01-01' } },
    'EXPIRATION_OUT_OF_RANGE',
  ],
  ['a closed amount', { amountType: 'CLOSED' }, 'INVALID_REQUEST'],
  ['another company', { companyCode: 'MX-S-99999' }, 'COMPANY_NOT_FOUND'],
])('%s gets no reference', async (_what, more, code) => {
  const { ask } = await openNetwork();
  const { status, body } = await ask({ externalRequestId: randomUUID(), ...more });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(body).toMatchObject({ code });
});

test('cash at a store is told to the product with its key, and reads the same when looked up', async () => {
  const { pay, heard, product, call, headers, reference, body } = await openNetwork();
  const { operationId } = await pay({ store: 'Soriana', agent: 'Caja 3' });
  const [notice] = await heard(1);
  expect(product.seen[0]).toMatchObject({
    path: '/webhooks/tapi',
    headers: { 'x-api-key': demoAccount.noticeKey },
  });
  expect(v.parse(operation, notice)).toMatchObject({
    operationId,
    reference,
    externalRequestId: body.externalRequestId,
    externalClientId: '7',
    amount: 1200,
    currency: 'MXN',
    status: 'confirmed',
    store: 'Soriana',
    agent: 'Caja 3',
  });
  expect((await call('GET', `/operation/${operationId}`, undefined, headers)).body).toEqual(notice);
  expect((await call('GET', '/operation/none', undefined, headers)).status).toBe(404);
});

test('a store takes less, more, twice, in dollars, and for a reference that nobody issued', async () => {
  const { pay, heard, control } = await openNetwork();
  await pay({ amount: 600 });
  await heard(1);
  await pay({ amount: 1250.5 });
  await heard(2);
  await pay({ amount: 1200, currency: 'USD' });
  await heard(3);
  await pay({ reference: '0000', amount: 50 });
  const notices = await heard(4);
  expect(notices.map(({ amount, currency }) => [amount, currency])).toEqual([
    [600, 'MXN'],
    [1250.5, 'MXN'],
    [1200, 'USD'],
    [50, 'MXN'],
  ]);
  expect(new Set(notices.map(({ operationId }) => operationId)).size).toBe(4);
  expect((await control('cash/pay', { reference: '0000' })).status).toBe(404);
});

test('a notice that is not answered 200 comes again, and no more once it is', async () => {
  const statuses = [500, 200];
  const { pay, heard, rows } = await openNetwork(() => ({ status: statuses.shift() ?? 500 }));
  await pay();
  const [first, second] = await heard(2);
  expect(second).toEqual(first);
  await expect.poll(rows).toMatchObject([{ state: 'delivered' }]);
  expect((await rows())[0]?.tries.map(({ result }) => result)).toEqual([500, 200]);
});

test('a notice can be lost, doubled and delayed', async () => {
  const { pay, heard, notices, control, rows } = await openNetwork();
  await control('cash/notices', { drop: true });
  await pay();
  await control('cash/notices', { copies: 2 });
  const doubled = await pay();
  expect((await heard(2)).map(({ operationId }) => operationId)).toEqual([
    doubled.operationId,
    doubled.operationId,
  ]);
  await control('cash/notices', {});
  await pay({ notice: { delayMs: 1_000 } });
  expect(notices()).toHaveLength(2);
  await heard(3);
  expect((await rows())[0]).toMatchObject({ state: 'dropped', tries: [] });
});

test('held notices are let go in order or the other way round', async () => {
  const { pay, move, control, notices } = await openNetwork();
  await control('cash/notices', { hold: true });
  const paid = await pay();
  const reversal = (await move(paid.operationId, { move: 'reverse' })).body;
  expect(notices()).toEqual([]);
  expect((await control('cash/release', { order: 'reverse' })).body).toEqual({ released: 2 });
  expect(notices().map(({ operationId }) => operationId)).toEqual([reversal.operationId, paid.operationId]);
  expect((await control('cash/release', {})).body).toEqual({ released: 0 });
});

test('an operation is told again as it was, or with another sum under the same number', async () => {
  const { pay, move, heard } = await openNetwork();
  const paid = await pay();
  await heard(1);
  await move(paid.operationId, { move: 'repeat' });
  await heard(2);
  await move(paid.operationId, { move: 'alter' });
  await heard(3);
  await move(paid.operationId, { move: 'alter', amount: 9 });
  const [first, again, more, nine] = await heard(4);
  expect(again).toEqual(first);
  expect(more).toEqual({ ...first, amount: 1201 });
  expect(nine).toEqual({ ...first, amount: 9 });
});

test('an operation is taken back once, by another that names it', async () => {
  const { pay, move, heard, call, headers } = await openNetwork();
  const { operationId } = await pay();
  await heard(1);
  expect((await move(operationId, { move: 'reverse' })).status).toBe(200);
  const [, reversal] = await heard(2);
  expect(reversal).toMatchObject({ status: 'reversed', reversedOperationId: operationId, amount: 1200 });
  expect(reversal?.operationId).not.toBe(operationId);
  expect((await call('GET', `/operation/${operationId}`, undefined, headers)).body).toMatchObject({
    status: 'reversed',
  });
  expect((await move(operationId, { move: 'reverse' })).status).toBe(404);
});

test('a notice on its way survives a restart of the network', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const first = await openNetwork(received, { dataDir });
  const { operationId } = await first.pay({ notice: { delayMs: 400 } });
  await first.close();
  expect(first.notices()).toEqual([]);
  await startSandbox({ dataDir, productOrigin: first.product.origin });
  expect(await first.heard(1)).toMatchObject([{ operationId }]);
});

test('at the counter, the reference says what is due and is paid as it is typed, in groups', async () => {
  const { apiUrl, reference, press, heard } = await openNetwork();
  const grouped = reference.replace(/(\d{4})(?=\d)/g, '$1 ');
  const page = async (path: string) => (await fetch(new URL(path, apiUrl))).text();
  expect(await page('/')).toContain(`/tiendas?referencia=${reference}`);
  const counter = await page(`/tiendas?${String(new URLSearchParams({ referencia: grouped }))}`);
  expect(counter).toContain('$1,200.00');
  for (const chain of ['7-Eleven', 'Bodega Aurrera', 'Circle K, hasta $6,000.00'])
    expect(counter).toContain(chain);
  await press('/tiendas', { referencia: grouped, escrito: '1,200.00', cadena: 'Soriana' });
  expect(await heard(1)).toMatchObject([{ reference, amount: 1200, store: 'Soriana' }]);
  expect(await page('/')).not.toContain(`/tiendas?referencia=${reference}`);
});

test('at the counter, cash can come late, and a till takes no more than its chain allows', async () => {
  const { reference, press, heard, notices, body } = await openNetwork();
  const over = await press('/tiendas', { referencia: reference, importe: '6000.01', cadena: 'Circle K' });
  expect(over).toContain('Circle K cobra hasta $6,000.00');
  expect(notices()).toEqual([]);
  await press('/tiendas', { referencia: reference, escrito: '1200', cadena: 'Circle K', vencida: '1' });
  const [late] = await heard(1);
  const paidOn = mexicoCityDate(new Date(late?.paidAt ?? ''));
  expect(paidOn > body.additionalData.debtExpirationDate).toBe(true);
});

test('at the counter, what was done can be taken back and told again', async () => {
  const { pay, press, heard } = await openNetwork();
  const { operationId } = await pay();
  await heard(1);
  await press('/tiendas/operacion', { operacion: operationId, mover: 'alter' });
  await heard(2);
  await press('/tiendas/operacion', { operacion: operationId, mover: 'reverse', aviso: 'retenido' });
  const page = await press('/tiendas/soltar', { orden: 'reverse' });
  expect((await heard(3)).map(({ status, amount }) => [status, amount])).toEqual([
    ['confirmed', 1200],
    ['confirmed', 1201],
    ['reversed', 1200],
  ]);
  expect(page).toContain('Reversa');
});

test('reset forgets references, how notices travel and their key', async () => {
  const { control, call, ask, reference, pay, heard, product } = await openNetwork();
  await control('cash/notices', { drop: true });
  await control('cash/key', { key: 'another' });
  await pay();
  await control('reset', {});
  expect((await call('GET', '/control/cash')).body).toMatchObject({
    references: [],
    notices: [],
    signIns: 0,
  });
  expect((await ask()).status).toBe(401);
  await pay({ reference, amount: 10 });
  await heard(1);
  expect(product.seen[0]?.headers['x-api-key']).toBe(demoAccount.noticeKey);
});
