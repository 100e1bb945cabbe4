import { randomUUID } from 'node:crypto';
import { addDays, mexicoCityDate } from '@aparta/domain/calendar';
import { centavos } from '@aparta/domain/money';
import { createSandbox } from '@aparta/sandbox/app';
import { afterEach, expect, test } from 'vitest';
import { readSettings } from '../../env.ts';
import { httpClient } from '../../platform/http-client.ts';
import { type Instrumentation, NOOP_INSTRUMENTATION } from '../../platform/telemetry/instrumentation.ts';
import type { CashReferenceRequest } from './port.ts';
import { tapi, type TapiAccount } from './tapi.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

const HOUR_MS = 3_600_000;
const TOKEN_LIFE_MS = 4.3 * HOUR_MS;

/** The adapter with the settings of development, and Tapi that it talks to. `sinceStart` is its own clock. */
async function openNetwork(given: Partial<TapiAccount> = {}, timeoutMs = 5_000) {
  const sandbox = await createSandbox({ productOrigin: 'http://localhost:3899' });
  const called: string[] = [];
  const instrumentation: Instrumentation = {
    ...NOOP_INSTRUMENTATION,
    during(work, run) {
      if (work.kind === 'provider') called.push(`${work.provider}: ${work.operation}`);
      return run();
    },
  };
  const http = httpClient({ connectTimeoutMs: 5_000, instrumentation });
  opened.push(sandbox.close, http.close);
  const read = readSettings({
    DATABASE_URL: 'postgres://unused',
    TAPI_LOGIN_BASE: sandbox.apiUrl,
    TAPI_API_BASE: sandbox.apiUrl,
  });
  if ('problems' in read) throw new Error(read.problems.join());
  const clock = { sinceStart: 0 };
  const start = Date.now();
  const cash = tapi({
    account: { ...read.settings.tapi, ...given },
    http,
    timeoutMs,
    now: () => new Date(start + clock.sinceStart),
  });
  const control = async (path: string, body?: unknown): Promise<any> => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const answer = await fetch(`${sandbox.apiUrl}/control/${path}`, body === undefined ? {} : init);
    return answer.json();
  };
  const oracle = async () => {
    const { signIns, references } = await control('cash');
    return { signIns: signIns as number, references: references.map(({ id }: { id: string }) => id) };
  };
  const fault = (call: string, kind: string, more = {}) => control('faults', { call, kind, ...more });
  return { cash, clock, control, oracle, fault, called };
}

const aRequest = (more: Partial<CashReferenceRequest> = {}): CashReferenceRequest => ({
  externalRequestId: randomUUID(),
  identifier: '21234567894',
  amountCentavos: centavos(120_050),
  payerEmail: 'ana@example.com',
  buyerId: 7,
  expiresOn: addDays(mexicoCityDate(new Date()), 2),
  ...more,
});

test('a reference is asked for as Tapi wants it, and is what the buyer gets', async () => {
  const { cash, control } = await openNetwork();
  const request = aRequest();
  const outcome = await cash.issue(request);
  const [made] = (await control('cash')).references;
  expect(outcome).toEqual({ kind: 'issued', reference: made.id });
  expect(made.request).toEqual({
    generationData: [
      {
        modalityId: 'b0000000-0000-4000-8000-000000000001',
        identifierName: 'referencia',
        identifierValue: '21234567894',
      },
    ],
    additionalData: { email: 'ana@example.com', debtExpirationDate: request.expiresOn },
    externalRequestId: request.externalRequestId,
    companyCode: 'MX-S-00001',
    externalClientId: '7',
    amountType: 'OPEN',
    amount: 1200.5,
    currency: 'MXN',
  });
});

test('many buyers at once are served with one sign-in', async () => {
  const { cash, oracle, called } = await openNetwork();
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => cash.issue(aRequest())));
  await cash.findOperation('none');
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(8).fill('issued'));
  expect(await oracle()).toMatchObject({ signIns: 1 });
  await cash.findOperationsOf(randomUUID());
  await cash.check();
  expect([...new Set(called)]).toEqual([
    'tapi: sign in',
    'tapi: issue',
    'tapi: find operation',
    'tapi: find reference',
    'tapi: check',
  ]);
});

test('a token that does not say when it ends is good for an hour', async () => {
  const { cash, clock, control, fault } = await openNetwork();
  await fault('signIn', 'status', { status: 200, body: { accessToken: 'opaque' }, times: 9 });
  await fault('createReference', 'status', {
    status: 200,
    body: { references: [{ value: '9000' }] },
    times: 9,
  });
  for (const sinceStart of [0, 40 * 60_000, 61 * 60_000]) {
    clock.sinceStart = sinceStart;
    expect(await cash.issue(aRequest())).toEqual({ kind: 'issued', reference: '9000' });
  }
  expect((await control('faults')).faults).toMatchObject([{ times: 7 }, { times: 6 }]);
});

test('a token is renewed before it expires, without a call waiting for it', async () => {
  const { cash, clock, oracle, fault } = await openNetwork();
  await cash.issue(aRequest());
  clock.sinceStart = TOKEN_LIFE_MS - 11 * 60_000;
  await cash.issue(aRequest());
  expect(await oracle()).toMatchObject({ signIns: 1 });

  clock.sinceStart = TOKEN_LIFE_MS - 9 * 60_000;
  await fault('signIn', 'hold');
  expect(await cash.issue(aRequest())).toMatchObject({ kind: 'issued' });
  await expect.poll(oracle).toMatchObject({ signIns: 2 });
});

test('one that lives for minutes only is good for three quarters of them', async () => {
  const { cash, clock, control, oracle } = await openNetwork();
  await control('cash/tokens', { lifeMs: 8 * 60_000 });
  await cash.issue(aRequest());
  clock.sinceStart = 5 * 60_000;
  await cash.issue(aRequest());
  expect(await oracle()).toMatchObject({ signIns: 1 });
  clock.sinceStart = 7 * 60_000;
  await cash.issue(aRequest());
  await expect.poll(oracle).toMatchObject({ signIns: 2 });
});

test('a dead token is not tried: the next buyer waits for a new one', async () => {
  const { cash, clock, oracle, fault } = await openNetwork();
  await cash.issue(aRequest());
  clock.sinceStart = TOKEN_LIFE_MS + 60_000;
  await fault('signIn', 'unreachable');
  expect(await cash.issue(aRequest())).toMatchObject({
    kind: 'not_sent',
    why: expect.stringMatching(/^sign-in/),
  });
  expect(await cash.issue(aRequest())).toMatchObject({ kind: 'issued' });
  expect(await oracle()).toMatchObject({ signIns: 2 });
});

test('when Tapi refuses the token, the refused calls sign in once and go on', async () => {
  const { cash, control, oracle } = await openNetwork();
  await cash.issue(aRequest());
  await control('cash/tokens', { endAll: true });
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => cash.issue(aRequest())));
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(5).fill('issued'));
  const { signIns, references } = await oracle();
  expect([signIns, new Set(references).size]).toEqual([2, 6]);
});

test.each([
  ['knows no such operation', undefined, { kind: 'works' }],
  ['knows it by chance', { status: 200, body: { operationId: 'x', status: 'failed' } }, { kind: 'works' }],
  ['answers like any web server', { status: 404, body: {} }, { kind: 'in_trouble', why: '404' }],
  ['is in trouble', { status: 500, body: {} }, { kind: 'in_trouble' }],
  [
    'refuses every token',
    { status: 401, body: { code: 'NO' }, times: 9 },
    { kind: 'refused', why: '401 NO' },
  ],
])('asked whether our keys work, a network that %s says so or not', async (_what, answer, check) => {
  const { cash, fault } = await openNetwork();
  if (answer !== undefined) await fault('findOperation', 'status', answer);
  expect(await cash.check()).toMatchObject(check);
});

test('a sign-in that is refused the second time too says that it was the sign-in', async () => {
  const { cash, control, fault } = await openNetwork();
  await cash.issue(aRequest());
  await control('cash/tokens', { endAll: true });
  await fault('signIn', 'status', { status: 403, body: { code: 'NO' } });
  expect(await cash.issue(aRequest())).toMatchObject({ why: expect.stringMatching(/^sign-in.*403 NO/) });
});

test('a network that refuses every token is asked twice, and no more', async () => {
  const { cash, fault, oracle, control } = await openNetwork();
  await fault('createReference', 'status', { status: 401, body: { code: 'NO' }, times: 9 });
  expect(await cash.issue(aRequest())).toEqual({ kind: 'refused', code: 'NO' });
  expect((await control('faults')).faults).toMatchObject([{ times: 7 }]);
  expect(await oracle()).toEqual({ signIns: 2, references: [] });
});

test('a reference is retrieved with all that stores did with it, by our own id', async () => {
  const { cash, control, fault } = await openNetwork();
  const request = aRequest();
  const issued = await cash.issue(request);
  const reference = issued.kind === 'issued' ? issued.reference : '';
  const find = () => cash.findOperationsOf(request.externalRequestId);
  expect(await find()).toEqual({ kind: 'found', operations: [] });
  const { operationId } = await control('cash/pay', { reference });
  const reversal = await control(`cash/operations/${operationId}`, { move: 'reverse' });
  expect(await find()).toMatchObject({
    operations: [
      { operationId, status: 'reversed', reference },
      { operationId: reversal.operationId, status: 'reversed', reverses: operationId },
    ],
  });
  expect(await cash.findOperationsOf(aRequest().externalRequestId)).toEqual({ kind: 'not_found' });
  const another = { externalRequestId: 'another', operations: [] };
  await fault('findReference', 'status', { status: 200, body: another });
  expect(await find()).toMatchObject({ kind: 'unreachable' });
});

test('an operation that cannot be read hides no other of its reference, and is not passed over in silence', async () => {
  const { cash, fault } = await openNetwork();
  const { externalRequestId, operationId } = notice;
  const body = { externalRequestId, operations: [{ ...notice, operationId: 'a b' }, notice] };
  await fault('findReference', 'status', { status: 200, body });
  expect(await cash.findOperationsOf(externalRequestId)).toMatchObject({
    kind: 'found',
    operations: [{ operationId, amountCentavos: 120_050 }],
    isPartial: true,
  });
});

test.each([
  ['a wrong password', { password: 'wrong' }, '401 ALO04140'],
  ['a wrong key', { loginKey: 'wrong' }, '403 FORBIDDEN'],
  ['nobody at the address', { loginBase: 'http://127.0.0.1:3898' }, 'ECONNREFUSED'],
])('%s at the sign-in makes no reference', async (_what, given, why) => {
  const { cash, oracle } = await openNetwork(given);
  expect(await cash.issue(aRequest())).toEqual({ kind: 'not_sent', why: `sign-in: ${why}` });
  expect(await cash.findOperation('op-1')).toEqual({ kind: 'unreachable', why: `sign-in: ${why}` });
  expect(await oracle()).toEqual({ signIns: 0, references: [] });
});

test('an answer that does not come in time leaves it open, and asking again finds the same reference', async () => {
  const { cash, fault, oracle } = await openNetwork({}, 1_000);
  await fault('createReference', 'slowReply', { delayMs: 2_000 });
  const request = aRequest();
  expect(await cash.issue(request)).toMatchObject({ kind: 'unreachable' });
  const { references } = await oracle();
  expect(references).toHaveLength(1);
  expect(await cash.issue(request)).toEqual({ kind: 'issued', reference: references[0] });
  expect((await oracle()).references).toEqual(references);
});

test.each([
  ['cut', 'lost', {}],
  ['half a JSON', 'malformed', {}],
  ['500', 'status', { status: 500 }],
  ['429', 'status', { status: 429 }],
  ['200 without a reference', 'status', { status: 200, body: { references: [] } }],
])('an answer that is %s says nothing', async (_what, kind, more) => {
  const { cash, fault } = await openNetwork();
  await fault('createReference', kind, more);
  expect(await cash.issue(aRequest())).toMatchObject({ kind: 'unreachable' });
});

test('a connection that never was made no reference', async () => {
  const { cash } = await openNetwork({ apiBase: 'http://127.0.0.1:3898' });
  expect(await cash.issue(aRequest())).toEqual({ kind: 'not_sent', why: 'ECONNREFUSED' });
});

test.each([2_999, 1_000_001])('a reference for %d centavos is refused, with the reason', async (amount) => {
  const { cash } = await openNetwork();
  const outcome = await cash.issue(aRequest({ amountCentavos: centavos(amount) }));
  expect(outcome).toEqual({ kind: 'refused', code: 'AMOUNT_OUT_OF_RANGE' });
});

test('an operation is read in our words, a reversal with the operation that it reverses', async () => {
  const { cash, control } = await openNetwork();
  const request = aRequest();
  const issued = await cash.issue(request);
  const reference = issued.kind === 'issued' ? issued.reference : '';
  const paidAt = '2026-11-20T18:30:00.000Z';
  const { operationId } = await control('cash/pay', { reference, paidAt, store: 'Extra', agent: 'Caja 2' });
  const operation = {
    operationId,
    status: 'confirmed',
    reverses: undefined,
    reference,
    externalRequestId: request.externalRequestId,
    amountCentavos: 120_050,
    currency: 'MXN',
    paidAt: new Date(paidAt),
    store: 'Extra Caja 2',
  };
  expect(await cash.findOperation(operationId)).toEqual({ kind: 'found', operation });

  const reversal = await control(`cash/operations/${operationId}`, { move: 'reverse' });
  expect(await cash.findOperation(reversal.operationId)).toMatchObject({
    kind: 'found',
    operation: { operationId: reversal.operationId, status: 'reversed', reverses: operationId },
  });
});

test('an unknown operation is not mistaken for one that could not be read', async () => {
  const { cash, fault } = await openNetwork();
  expect(await cash.findOperation('../reference')).toEqual({ kind: 'not_found' });
  for (const status of [403, 500]) {
    await fault('findOperation', 'status', { status, body: {} });
    expect(await cash.findOperation('op-1')).toEqual({
      kind: 'unreachable',
      why: expect.stringContaining(String(status)),
    });
  }
  await fault('findOperation', 'status', { status: 200, body: { operationId: 'op-2', status: 'confirmed' } });
  expect(await cash.findOperation('op-1')).toMatchObject({ kind: 'unreachable' });
});

const notice = {
  operationId: 'op-1',
  reference: '9000111122223333',
  externalRequestId: '0e8ee6b3-6a5f-4e4c-9a5e-3b1f2f4c5d6e',
  amount: 1200.5,
  currency: 'MXN',
  status: 'confirmed',
  paidAt: '2026-11-20T12:30:00-06:00',
  store: 'Soriana',
};

test('a notice counts with the old or the new key, and with nothing else', async () => {
  const [old, current] = ['old-key-of-the-notices-2025', 'new-key-of-the-notices-2026'];
  const { cash } = await openNetwork({ noticeKeys: [old, current] });
  const address = '198.51.100.7';
  for (const key of [old, current])
    expect(cash.readNotice({ key, address }, notice)).toMatchObject({ kind: 'notice' });
  for (const key of [undefined, '', old.slice(1), `${old},${current}`, `${current} `])
    expect(cash.readNotice({ key, address }, notice)).toEqual({ kind: 'forged' });
});

test('a notice counts from where Tapi sends alone, where that is known', async () => {
  const { cash } = await openNetwork({ noticeKeys: ['k'], noticeAddresses: ['198.51.100.7'] });
  const read = (address: string) => cash.readNotice({ key: 'k', address }, notice);
  expect(read('198.51.100.7')).toMatchObject({ kind: 'notice' });
  expect(read('198.51.100.8')).toEqual({ kind: 'elsewhere' });
});

test('a notice says in our words what a store did, and what it does not say is left open', async () => {
  const { cash } = await openNetwork({ noticeKeys: ['k'] });
  const read = (more: object) => {
    const reading = cash.readNotice({ key: 'k', address: '198.51.100.7' }, { ...notice, ...more });
    return reading.kind === 'notice' ? reading.operation : reading.kind;
  };
  expect(read({})).toMatchObject({
    status: 'confirmed',
    reverses: undefined,
    amountCentavos: 120_050,
    paidAt: new Date('2026-11-20T18:30:00Z'),
    store: 'Soriana',
  });
  for (const amount of [0, -5, 10.005, 1e12, '1200.50', null])
    expect(read({ amount }), String(amount)).toMatchObject({ amountCentavos: undefined });
  for (const paidAt of ['2026-11-20 12:30', '2026-11-20T12:30:00', '2026-13-40T00:00:00Z', 5])
    expect(read({ paidAt }), String(paidAt)).toMatchObject({ paidAt: undefined });
  for (const paidAt of ['-200000-01-01T00:00:00Z', '1999-12-31T23:59:59Z', '2100-01-01T00:00:00Z'])
    expect(read({ paidAt }), paidAt).toMatchObject({ status: 'confirmed', paidAt: undefined });
  for (const paidAt of ['2000-01-01T00:00:00.000Z', '2099-12-31T23:59:59.999Z'])
    expect(read({ paidAt })).toMatchObject({ paidAt: new Date(paidAt) });
  expect(read({ currency: undefined, status: 'on_hold' })).toMatchObject({ currency: '', status: 'other' });
  expect(read({ status: 'reversed' })).toMatchObject({ reverses: 'op-1' });
  expect(read({ status: 'reversed', reversedOperationId: 'op-0' })).toMatchObject({ reverses: 'op-0' });
  expect(read({ operationId: undefined })).toBe('unreadable');
  for (const operationId of [
    'x;touch /tmp/x;#',
    "a'b",
    '--as=x',
    'a b',
    'a\r\nb',
    'a\u202eb',
    'x'.repeat(101),
  ])
    expect(read({ operationId }), operationId).toBe('unreadable');
});
