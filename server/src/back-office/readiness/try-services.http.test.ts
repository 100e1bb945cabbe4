import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fault } from '../../../test/card-acts.ts';
import { openShop, type Shop } from '../../../test/shop.ts';
import { smtp } from '../../platform/email/smtp.ts';
import { readKeyRing } from '../../platform/secrets.ts';
import { type Trial, tryServices } from './try-services.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ merchant: { invoices: true }, clocks: { cashTimeoutMs: 300 } });
});
afterAll(() => shop.close());

const tryAll = async (given = {}) => tryServices({ ...shop.jobs, ...given }, new Date());
const failed = async (given = {}) =>
  (await tryAll(given)).flatMap(({ service, found, stops }) =>
    found.kind === 'works' || found.kind === 'opened' ? [] : [[service, found.kind, stops]],
  );
const failing = (call: string, how: object) => fault(shop, { call, kind: 'status', ...how });
const business = (uuid: string) =>
  shop.db.updateTable('merchants').set({ invoicing_business_uuid: uuid }).execute();

test('a shop whose money can be taken opens its keys and is let in everywhere, and nothing is charged, stamped or sent', async () => {
  const trials: Trial[] = await tryAll();
  expect(trials.map(({ service, found }) => [service, found.kind])).toEqual([
    ['keys', 'opened'],
    ['card', 'works'],
    ['invoicing', 'works'],
    ['cash', 'works'],
    ['email', 'works'],
  ]);
  expect(trials.filter(({ stops }) => stops)).toEqual([]);
  expect(await shop.charges()).toEqual([]);
  expect(await shop.control('GET /control/emails')).toMatchObject({ emails: [] });
});

test('a key that opens no stored secret stops the money, and Clip is not asked with it', async () => {
  const keyRing = readKeyRing(`9:${Buffer.alloc(32, 'x').toString('base64')}`);
  expect(await failed({ keyRing })).toEqual([['keys', 'opens_not', true]]);
  expect((await tryAll({ keyRing })).map(({ service }) => service)).not.toContain('card');
});

test.each([
  ['Clip refuses a merchant’s key', 'listPayments', { status: 401 }, ['card', 'refused', true]],
  ['Clip is in trouble', 'listPayments', { status: 503 }, ['card', 'in_trouble', true]],
  ['Tapi’s other key is refused', 'findOperation', { status: 403 }, ['cash', 'refused', true]],
  [
    'Something else is at Tapi’s address',
    'findOperation',
    { status: 404, body: {} },
    ['cash', 'in_trouble', true],
  ],
  ['Tapi hangs', 'findOperation', { kind: 'slowReply', delayMs: 2_000 }, ['cash', 'unreachable', true]],
  ['FacturaGreen is in trouble', 'getInvoiceFile', { status: 500 }, ['invoicing', 'in_trouble', false]],
  [
    'Something else is at FacturaGreen’s address',
    'getInvoiceFile',
    { status: 404, body: '<html>' },
    ['invoicing', 'in_trouble', false],
  ],
])('%s: that is told, and the rest is tried', async (_, call, how, trial) => {
  await failing(call, how);
  expect(await failed()).toEqual([trial]);
});

test('Tapi forgets the session and then refuses the account: that is told', async () => {
  await failing('findOperation', { status: 401 });
  await failing('signIn', { status: 401 });
  expect(await failed()).toEqual([['cash', 'refused', true]]);
});

test('a merchant’s garbage where their uuid at FacturaGreen belongs is told, and stops no payment', async () => {
  for (const garbage of ['d0000000-0000-4000-8000-00000000dead', 'no sé']) {
    await business(garbage);
    expect(await failed()).toEqual([['invoicing', 'refused', false]]);
  }
  await business('');
  expect(await failed()).toEqual([]);
});

test('a mail server that refuses the password, hangs up or is not there is told, and stops no payment', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 ready\r\n');
    socket.on('data', (chunk) => {
      const line = chunk.toString();
      if (/^EHLO/i.test(line)) socket.write('250-ready\r\n250 AUTH PLAIN\r\n');
      else if (/^AUTH/i.test(line)) socket.write('535 5.7.8 no such user\r\n');
      else socket.end('421 bye\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { mailFrom: from } = shop.settings;
  const refusing = smtp({ url: `smtp://ana:wrong@127.0.0.1:${port}`, from });
  expect(await failed({ mailer: refusing })).toEqual([['email', 'refused', false]]);
  server.close();
  const nobody = smtp({ url: 'smtp://127.0.0.1:9', from });
  expect(await failed({ mailer: nobody })).toEqual([['email', 'unreachable', false]]);
  for (const mailer of [refusing, nobody]) mailer.close();
});
