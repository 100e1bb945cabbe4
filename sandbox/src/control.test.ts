import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { Payment, PaymentList } from '@aparta/provider-wire/clip';
import type { ChargeAttempt } from './card/acquirer.ts';
import type { Email } from './email/smtp.ts';
import { startSandbox } from './testing.ts';

const paid = '4555128482797669';

test('a call that is cut before the work charges nothing, one that is cut after it charges once', async () => {
  const { charge, call, control } = await startSandbox();
  const charged = async () =>
    (await call<{ payments: Payment[] }>('GET', '/control/log?externalReference=attempt-1')).body.payments
      .length;
  await control('faults', { call: 'createPayment', kind: 'unreachable' });
  await expect(charge(paid)).rejects.toThrow('fetch failed');
  expect(await charged()).toBe(0);
  await control('faults', { call: 'createPayment', kind: 'lost' });
  await expect(charge(paid)).rejects.toThrow('fetch failed');
  expect(await charged()).toBe(1);
  expect((await charge(paid)).status).toBe(201);
});

test('a fault meets as many calls as it was asked to, of the one merchant it names', async () => {
  const { call, control } = await startSandbox();
  await control('faults', {
    call: 'listPayments',
    kind: 'status',
    status: 503,
    times: 2,
    apiKey: 'a0000000-0000-4000-8000-000000000002',
  });
  const as = async (key: string) =>
    (await call('GET', '/payments', undefined, { authorization: `Bearer test_${key}` })).status;
  expect(await as('a0000000-0000-4000-8000-000000000001')).toBe(200);
  const other = 'a0000000-0000-4000-8000-000000000002';
  expect([await as(other), await as(other), await as(other)]).toEqual([503, 503, 200]);
});

test('a held reply is charged at once and answered when it is released', async () => {
  const { charge, call, control } = await startSandbox();
  await control('faults', { call: 'createPayment', kind: 'hold' });
  const held = charge(paid);
  await expect
    .poll(async () => (await call<{ attempts: ChargeAttempt[] }>('GET', '/control/log')).body.attempts.length)
    .toBe(1);
  expect(await Promise.race([held, Promise.resolve('held')])).toBe('held');
  expect((await call('POST', '/control/release')).body).toEqual({ released: 1 });
  expect((await held).status).toBe(201);
});

test('the list can lag behind the payments', async () => {
  const { charge, call, control } = await startSandbox();
  await control('list', { lagMs: 60_000 });
  const { body } = await charge(paid);
  const listed = async () => (await call<PaymentList>('GET', '/payments')).body.results.length;
  expect(await listed()).toBe(0);
  expect((await call('GET', `/payments/${body.id}`)).status).toBe(200);
  await control('clock', { advanceMs: 60_001 });
  expect(await listed()).toBe(1);
});

test('reset forgets everything but the demo merchants', async () => {
  const { charge, call, control } = await startSandbox();
  await charge(paid);
  await control('merchants', { apiKey: 'extra', secret: 'extra' });
  await control('reset', {});
  expect((await call<PaymentList>('GET', '/payments')).body.results).toEqual([]);
  expect((await call('GET', '/payments', undefined, { authorization: 'Bearer extra' })).status).toBe(401);
});

test('a page of another origin cannot drive the sandbox', async () => {
  const { call } = await startSandbox();
  const { status } = await call('POST', '/control/reset', {}, { origin: 'https://example.com' });
  expect(status).toBe(403);
});

test('an email that the product sends is in the inbox', async () => {
  const { smtpPort, call, apiUrl } = await startSandbox();
  await sendEmail(smtpPort, 'ana@example.com', 'Tu apartado', 'Abre http://localhost:3399/login?ref=1');
  const { body } = await call<{ emails: Email[] }>('GET', '/control/emails?to=ana@example.com');
  expect(body.emails).toMatchObject([{ subject: 'Tu apartado', to: ['ana@example.com'] }]);
  const page = await (await fetch(new URL(`/email/${body.emails[0]?.id}`, apiUrl))).text();
  expect(page).toContain('<a href="http://localhost:3399/login?ref=1"');
});

test('a product that is killed in the middle of its emails leaves the sandbox as it was', async () => {
  const { smtpPort, call } = await startSandbox();
  for (let email = 0; email < 3; email += 1) {
    const socket = connect(smtpPort, '127.0.0.1');
    for (const line of ['EHLO test', 'MAIL FROM:<aparta@example.com>']) {
      await once(socket, 'data');
      socket.write(`${line}\r\n`);
    }
    await once(socket, 'data');
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  await sendEmail(smtpPort, 'ana@example.com', 'Tu apartado', 'Está pagado');
  const { body } = await call<{ emails: Email[] }>('GET', '/control/emails?to=ana@example.com');
  expect(body.emails).toHaveLength(1);
});

/** The shortest conversation that delivers an email. */
async function sendEmail(port: number, to: string, subject: string, text: string): Promise<void> {
  const lines = [
    'EHLO test',
    'MAIL FROM:<aparta@example.com>',
    `RCPT TO:<${to}>`,
    'DATA',
    `From: aparta@example.com\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\n${text}\r\n.`,
    'QUIT',
  ];
  const socket = connect(port, '127.0.0.1');
  let answers = '';
  for await (const chunk of socket) {
    answers += String(chunk);
    // A code with a space ends a reply; one with a hyphen continues it.
    if (!/(^|\n)\d{3} [^\n]*\r\n$/.test(answers)) continue;
    answers = '';
    const next = lines.shift();
    if (next === undefined) socket.end();
    else socket.write(`${next}\r\n`);
  }
}
