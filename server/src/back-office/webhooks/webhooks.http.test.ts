import { WEBHOOK_EXAMPLES } from '@aparta/contract/webhooks-explained';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { panel, payLate } from '../../../test/card-acts.ts';
import { makeMerchant, makeProduct, makeStaff } from '../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import {
  asOwner,
  booksAreFinal,
  type Bought,
  buy,
  mustBalance,
  openTill,
  type Till,
} from '../../../test/store-acts.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { createLog } from '../../platform/logging.ts';
import { openOutside } from '../../platform/post-outside.ts';
import { readExternalRefund } from '../operations/book-external-refund.ts';
import { prune } from '../retention/prune.ts';
import { takeWebhooks } from './deliver.ts';
import { resealWebhookSecrets } from './secrets.ts';

let shop: Shop;
let till: Till;
let token: string;
let receiver: Server;
let address: string;

interface Heard {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly text: string;
}
let heard: Heard[] = [];
/** How the receiver answers a path; 204 where nothing is said. */
let answers: Record<string, (reply: ServerResponse) => void> = {};

beforeAll(async () => {
  shop = await openShop();
  till = await openTill(shop);
  ({ token } = await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' }));
  receiver = createServer((request, reply) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      const path = request.url ?? '';
      heard.push({ path, headers: request.headers as Record<string, string>, text });
      const say = answers[path];
      if (say === undefined) reply.writeHead(204).end();
      else say(reply);
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await shop.close();
});
beforeEach(async () => {
  heard = [];
  answers = {};
  // Each test has an endpoint of its own.
  await asOwner(shop, `update webhook_endpoints set off_at = now() where off_at is null`);
});

const fails = (reply: ServerResponse) => void reply.writeHead(500).end();
const ask = async (call: string, body?: unknown) => {
  const [method, path] = call.split(' ');
  const answer = await shop.ask(`${method} /v1/counter/webhooks${path ?? ''}`, {
    token,
    ...(body !== undefined && { body }),
  });
  if (answer.status !== 200) throw new Error(`${call}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
/** One that hears of what is booked from now on. */
async function add(path: string): Promise<{ id: string; secret: string }> {
  await booksAreFinal(shop);
  return (await ask('POST', { url: address + path })).data;
}
const standingOf = async (id: string) =>
  (await ask('GET')).data.find((endpoint: { id: string }) => endpoint.id === id);
const deliveriesOf = async (id: string): Promise<any[]> => (await ask(`GET /${id}/deliveries`)).data;

/** A turn of a server's worker, after all that is booked. */
async function take(deps: Parameters<typeof takeWebhooks>[0] = shop.jobs) {
  await booksAreFinal(shop);
  return takeWebhooks(deps);
}

/** Does all that is due, as a server's worker does it. */
async function work(deps?: Parameters<typeof takeWebhooks>[0]): Promise<void> {
  for (let turn = await take(deps); turn !== undefined; turn = await take(deps)) await turn();
}

/** Lets the waits of an endpoint be over. */
async function waitsAreOver(): Promise<void> {
  await asOwner(shop, `update webhook_endpoints set busy_until = now() where off_at is null`);
  await asOwner(shop, `update webhook_deliveries set due_at = now() where due_at is not null`);
}

async function pay(bought: Bought, importe: number, idtransaccion: string): Promise<void> {
  const { body } = await till.pay({ referencia: bought.numbers[2]!, importe, idtransaccion });
  expect(body.error).toBe(0);
}

const exampleOf: Readonly<Record<string, readonly [string, object]>> = WEBHOOK_EXAMPLES;
const eventOf = ({ text }: Heard) => JSON.parse(text);
const open = (secret: string, { text, headers }: Heard) => new Webhook(secret).verify(text, headers) as any;

test('a shop’s POS hears, signed and in order, of what was taken, given back, paid off and cancelled', async () => {
  await pay(await buy(shop), 100, 'before');
  const { id, secret } = await add('/pos');
  const bought = await buy(shop);
  await pay(bought, 500, 'W-1');
  expect((await till.reverse({ idtransaccion: 'W-1' })).body.error).toBe(0);
  await pay(bought, 2_400, 'W-2');
  const cancelled = await buy(shop);
  await asOwner(shop, `update purchases set penalty_free_until = now() - interval '1 minute' where id = $1`, [
    cancelled.id,
  ]);
  await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${cancelled.id}`, {
    token: cancelled.buyer.token,
    body: {},
  });
  const reference = await shop.reference();
  expect((await shop.pay(reference, CARDS.approved)).status).toBe(200);
  await work();

  const events = heard.map((each) => open(secret, each));
  expect(events.map(({ sequence, type }) => `${sequence} ${type}`)).toEqual([
    // The deposit with which a test buys is booked like any other.
    '1 payment.taken',
    '2 payment.taken',
    '3 payment.reversed',
    '4 payment.taken',
    '5 purchase.paid_off',
    '6 payment.taken',
    '7 purchase.cancelled',
    '8 payment.taken',
  ]);
  const till500 = { compañia: 'ELEKTRA', sucursal: '7', idtransaccion: 'W-1' };
  const [deposit, taken, reversed, , settled, , ended, card] = events.map(({ data }) => data);
  expect(deposit).toMatchObject({ isDeposit: true, amount: 600, balance: 2_400 });
  expect(taken).toMatchObject({
    merchantId: shop.merchantId,
    purchaseId: bought.id,
    channel: 'till',
    amount: 500,
    applied: 500,
    price: 3_000,
    balance: 1_900,
    isDeposit: false,
    till: till500,
  });
  expect(reversed).toMatchObject({ folio: taken.folio, balance: 2_400, applied: 500, till: till500 });
  expect(settled).toMatchObject({ purchaseId: bought.id, balance: 0 });
  expect(ended).toMatchObject({ purchaseId: cancelled.id, kept: 200, returned: 400 });
  expect(card).toMatchObject({ channel: 'card', isDeposit: true, till: null });
  for (const { type, data } of events)
    expect(Object.keys(data), type).toEqual(Object.keys(exampleOf[type]![1]));
  expect(JSON.stringify(events)).not.toContain(bought.buyer.email);
  expect(await standingOf(id)).toMatchObject({ state: 'on', waiting: 0 });
  expect((await deliveriesOf(id)).map(({ sequence, outcome }) => `${sequence} ${outcome}`)[0]).toBe(
    '8 delivered',
  );
});

test('a reversal that ends its purchase, whichever way and however late, is told with that end: nothing is kept, returned or owed', async () => {
  const { secret } = await add('/ended');
  const { paymentReference } = await shop.reference();
  expect(
    (await till.deposit({ referencia: paymentReference, importe: 600, idtransaccion: 'E-1' })).body.error,
  ).toBe(0);
  expect((await till.reverse({ idtransaccion: 'E-1' })).body.error).toBe(0);
  const intentId = randomUUID();
  await shop.pay(await shop.reference(), CARDS.approved, { intentId });
  const { id, provider_payment_id: paymentId } = await shop.attempt(intentId);
  await panel(shop, paymentId, { move: 'refund', amount: 615 });
  const external = { isLoss: false, isNotDelivered: false, providerRefundId: 'panel-1' };
  await transaction(shop.db, await readExternalRefund(shop.jobs, id, external));
  await work();

  const events = heard.map((each) => open(secret, each));
  const ended = ['payment.taken 2400', 'payment.reversed 0', 'purchase.cancelled undefined'];
  expect(events.map(({ type, data }) => `${type} ${data.balance}`)).toEqual([...ended, ...ended]);
  const [, reversed, cancelled, taken, , last] = events;
  expect([reversed.data, taken.data]).toMatchObject([
    { channel: 'till', amount: 600, applied: 600 },
    { channel: 'card', amount: 615, applied: 600 },
  ]);
  expect([cancelled.data.purchaseId, last.data.purchaseId]).toEqual([
    reversed.data.purchaseId,
    taken.data.purchaseId,
  ]);
  for (const { type, data } of [cancelled, last]) {
    expect(data).toMatchObject({ merchantId: shop.merchantId, price: 3_000, kept: 0, returned: 0 });
    expect(Object.keys(data)).toEqual(Object.keys(exampleOf[type]![1]));
  }
});

test('of a purchase that ends free of penalty, the fee that goes back is in what its buyer gets back', async () => {
  const { secret } = await add('/free');
  const { body } = await shop.pay(await shop.reference(), CARDS.approved);
  const { token: buyer } = shop.buyer;
  const call = `PUT /v1/Sales/UpdateCancelByBuyerAsync/${body.data.ventaId}`;
  const ended = await shop.ask(call, { token: buyer, body: {} });
  expect(ended.body.data.refunds).toMatchObject([{ amount: 615 }]);
  await work();
  const [taken, cancelled] = heard.map((each) => open(secret, each));
  expect(taken.data).toMatchObject({ amount: 615, applied: 600 });
  expect(cancelled).toMatchObject({ type: 'purchase.cancelled', data: { kept: 0, returned: 615 } });
});

test('nobody hears of another merchant’s money, nor of what was rolled back, and who has no endpoint costs no row', async () => {
  const merchantId = await makeMerchant(shop.db);
  const productId = await makeProduct(shop.db, { merchantId });
  await add('/mine');
  const { numbers } = await buy({ ...shop, merchantId, productId });
  const theirs = await openTill(shop, 'ELEKTRA', [merchantId]);
  expect((await theirs.pay({ referencia: numbers[2]!, importe: 100 })).body.error).toBe(0);
  const rolledBack = transaction(shop.db, async (tx) => {
    await tx
      .insertInto('ledger_events')
      .values({ merchant_id: shop.merchantId, kind: 'till_receipt', source_id: 'given-up', legs: 1 })
      .execute();
    throw new Error('given up');
  });
  await expect(rolledBack).rejects.toThrow('given up');
  const rows = () => asOwner(shop, 'select count(*)::int as n from webhook_deliveries');
  const before = await rows();
  await work();
  expect([heard, await rows()]).toEqual([[], before]);
});

test('what is not taken is sent again under the same id, others wait behind it, and each is delivered by one server', async () => {
  const { id } = await add('/slow');
  answers['/slow'] = fails;
  const bought = await buy(shop);
  await pay(bought, 100, 'S-1');
  await work();
  expect(heard).toHaveLength(1);
  expect(await standingOf(id)).toMatchObject({ state: 'failing', waiting: 2 });
  expect((await deliveriesOf(id))[1]).toMatchObject({ outcome: 'waiting', tries: 1, problem: '500' });
  answers = {};
  await work(); // let alone for a while
  expect(heard).toHaveLength(1);
  await waitsAreOver();
  await Promise.all([work(), work(), work()]);
  expect(heard.map(eventOf).map(({ sequence }) => sequence)).toEqual([1, 1, 2]);
  expect(heard[1]!.headers['webhook-id']).toBe(heard[0]!.headers['webhook-id']);
  expect(await standingOf(id)).toMatchObject({ state: 'on', waiting: 0 });

  const [last] = await deliveriesOf(id);
  await ask(`POST /${id}/deliveries/${last.id}/resend`);
  await work();
  expect(heard.at(-1)!.headers['webhook-id']).toBe(last.id);
  expect(heard).toHaveLength(4);
});

test('an integrator hears a test, signed and numbered like any event, though no money moved; while one waits there is no other', async () => {
  const { id, secret } = await add('/tested');
  answers['/tested'] = fails;
  const acts = () =>
    asOwner(shop, `select from staff_acts where subject_id = $1 and detail ->> 'did' = 'test'`, [id]);
  // A double tap, and a server that reads the books at that moment.
  await buy(shop);
  await Promise.all([ask(`POST /${id}/test`), ask(`POST /${id}/test`), work()]);
  await work();
  expect(await acts()).toHaveLength(1);
  answers = {};
  await waitsAreOver();
  await work();
  heard = [];
  await ask(`POST /${id}/test`);
  await buy(shop);
  await work();
  const [tested, taken] = heard.map((each) => open(secret, each));
  expect(tested).toMatchObject({ sequence: 3, type: 'webhook.test', data: { merchantId: shop.merchantId } });
  expect(Object.keys(tested.data)).toEqual(Object.keys(exampleOf[tested.type]![1]));
  expect(Math.abs(Date.now() - Date.parse(tested.timestamp))).toBeLessThan(60_000);
  expect(taken).toMatchObject({ sequence: 4, type: 'payment.taken' });
  expect(await acts()).toHaveLength(2);

  // A screen of the version before knows no such type.
  const typesOf = async (query: string) =>
    (await ask(`GET /${id}/deliveries${query}`)).data.map(({ type }: { type: string }) => type);
  expect((await typesOf('?show=all')).toSorted()).toEqual([
    ...Array(2).fill('payment.taken'),
    ...Array(2).fill('webhook.test'),
  ]);
  expect(await typesOf('')).toEqual(['payment.taken', 'payment.taken']);
  const totalOf = async (query: string) => (await ask(`GET /${id}/deliveries${query}`)).total;
  expect([await totalOf('?show=all'), await totalOf('')]).toEqual([4, 2]);
});

test('a test of an address that is another merchant’s, or nobody’s, is not there', async () => {
  const { id } = await add('/theirs');
  const theirs = await makeStaff(shop.db, { merchantId: await makeMerchant(shop.db), role: 'owner' });
  for (const [which, as] of [
    [id, theirs.token],
    [randomUUID(), token],
  ])
    expect((await shop.ask(`POST /v1/counter/webhooks/${which}/test`, { token: as! })).body.code).toBe(
      'NOT_FOUND',
    );
  await work();
  expect(heard).toEqual([]);
});

/** Days ago: of the first purchase an instalment is not due yet, of the others all is late. */
const LATE = [40, 80, 80];
const linesOf = (events: readonly any[]) =>
  events.map(({ type, data }) => [type, data.purchaseId, data.amount, data.applied, data.balance]);
const severalOf = ([first, second, third]: readonly number[]) => [
  ['payment.taken', first, 1_215, 1_200, 1_200],
  ['payment.taken', second, 2_400, 2_400, 0],
  ['purchase.paid_off', second, undefined, undefined, 0],
  ['payment.taken', third, 2_400, 2_400, 0],
  ['purchase.paid_off', third, undefined, undefined, 0],
];

test('one card payment for several purchases is told for each, once, and its shares add up to what the card paid', async () => {
  const { merchantId } = shop;
  const { ids, pay: payAll } = await payLate(shop, { merchantId, daysAgo: LATE, card: CARDS.approved });
  const { id, secret } = await add('/several');
  const { body } = await payAll();
  expect(body.data).toMatchObject({ applied: true, amount: 6_015 });
  // The receiver goes away in the midst of it.
  answers['/several'] = (reply) => void reply.writeHead(heard.length < 3 ? 204 : 500).end();
  await work();
  expect(heard).toHaveLength(3);
  answers = {};
  await waitsAreOver();
  await work();

  const idOf = ({ headers }: Heard) => headers['webhook-id'];
  expect(idOf(heard[3]!)).toBe(idOf(heard[2]!));
  const once = heard.toSpliced(2, 1);
  expect(new Set(once.map(idOf)).size).toBe(once.length);
  const events = once.map((each) => open(secret, each));
  expect(linesOf(events)).toEqual(severalOf(ids));
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
  const taken = events.filter(({ type }) => type === 'payment.taken').map(({ data }) => data);
  expect(taken.map(({ folio }) => folio)).toEqual(ids.map(() => body.data.folio));
  expect(taken.reduce((sum, { amount }) => sum + amount, 0)).toBe(6_015);
  expect(await standingOf(id)).toMatchObject({ state: 'on', waiting: 0 });
});

test('one that was held is told for each of its purchases when it is applied after all', async () => {
  const { merchantId } = shop;
  const late = await payLate(shop, { merchantId, daysAgo: LATE, card: CARDS.oddDetail });
  const { secret } = await add('/held');
  await late.pay();
  await work();
  expect(heard).toEqual([]);
  await panel(shop, (await shop.attempt(late.intentId)).provider_payment_id, { move: 'approve' });
  await shop.poll(late.intentId);
  await work();
  expect(linesOf(heard.map((each) => open(secret, each)))).toEqual(severalOf(late.ids));
});

test('a new secret signs beside the old one for a day, and both open under a new key of ours', async () => {
  const { id, secret } = await add('/rotates');
  const { secret: fresh } = (await ask(`POST /${id}/rotate`)).data;
  await buy(shop);
  const keys = new Map([...shop.settings.keyRing.keys, ['next', randomBytes(32)]]);
  const keyRing = { current: 'next', keys };
  expect(await transaction(shop.db, (tx) => resealWebhookSecrets(keyRing, tx))).toBeGreaterThan(0);
  expect(await transaction(shop.db, (tx) => resealWebhookSecrets(keyRing, tx))).toBe(0);
  const withNext = { ...shop.jobs, keyRing };
  await (
    await take(withNext)
  )?.();
  expect([open(secret, heard[0]!).type, open(fresh, heard[0]!).type]).toEqual(Array(2).fill('payment.taken'));
  expect((await standingOf(id)).bothUntil).not.toBeNull();

  await asOwner(shop, `update webhook_endpoints set previous_until = now() where id = $1`, [id]);
  await buy(shop);
  await (
    await take(withNext)
  )?.();
  expect(open(fresh, heard[1]!).sequence).toBe(2);
  expect(() => open(secret, heard[1]!)).toThrow('No matching signature');
  const old = { ...shop.settings.keyRing };
  await transaction(shop.db, (tx) => resealWebhookSecrets({ ...keyRing, current: old.current }, tx));
});

test('an address that is dead for three days is switched off with an alert; on again, it hears of all it missed', async () => {
  const { id } = await add('/dead');
  answers['/dead'] = fails;
  const bought = await buy(shop);
  await work();
  await asOwner(
    shop,
    `update webhook_endpoints set failing_since = now() - interval '73 hours' where id = $1`,
    [id],
  );
  await waitsAreOver();
  await work();
  expect(await standingOf(id)).toMatchObject({ state: 'dead', waiting: 1 });
  const alerts = () =>
    asOwner(
      shop,
      `select detail from alerts where kind = 'webhook_undelivered' and subject = $1 and resolved_at is null`,
      [id],
    );
  expect(await alerts()).toMatchObject([
    { detail: { merchantId: shop.merchantId, problem: '500', isDead: true } },
  ]);
  await pay(bought, 100, 'D-1');
  await work();
  expect(heard).toHaveLength(2);
  answers = {};
  await ask(`POST /${id}/switch`, { isOn: true });
  await work();
  expect(
    heard
      .slice(2)
      .map(eventOf)
      .map(({ sequence }) => sequence),
  ).toEqual([1, 2]);
  expect([await alerts(), (await standingOf(id)).state]).toEqual([[], 'on']);
  await ask(`POST /${id}/switch`, { isOn: false });
  expect((await standingOf(id)).state).toBe('off');
});

test('an event that is never taken is given up after thirteen tries, with an alert, and forgotten after thirty days', async () => {
  const { id } = await add('/poison');
  answers['/poison'] = fails;
  await buy(shop);
  for (let tries = 0; tries < 13; tries += 1) {
    await waitsAreOver();
    await work();
  }
  expect(heard).toHaveLength(13);
  expect(await deliveriesOf(id)).toMatchObject([{ outcome: 'given_up', tries: 13 }]);
  const alerts = () => asOwner(shop, `select from alerts where subject = $1 and resolved_at is null`, [id]);
  expect(await alerts()).toHaveLength(1);
  await asOwner(
    shop,
    `update webhook_deliveries set created_at = now() - interval '29 days' where endpoint_id = $1`,
    [id],
  );
  await prune(shop.db, createLog('silent'));
  expect(await deliveriesOf(id)).toHaveLength(1);
  await asOwner(
    shop,
    `update webhook_deliveries set created_at = now() - interval '31 days' where endpoint_id = $1`,
    [id],
  );
  await prune(shop.db, createLog('silent'));
  expect(await deliveriesOf(id)).toEqual([]);
  await mustBalance(shop);
});

test('one that is sent once more and taken needs nobody any more', async () => {
  const { id } = await add('/recovers');
  answers['/recovers'] = fails;
  await buy(shop);
  await work();
  await asOwner(shop, `update webhook_deliveries set tries = 12 where endpoint_id = $1`, [id]);
  await waitsAreOver();
  await work();
  const alerts = () => asOwner(shop, `select from alerts where subject = $1 and resolved_at is null`, [id]);
  expect(await alerts()).toHaveLength(1);
  answers = {};
  await buy(shop);
  await waitsAreOver();
  await work();
  expect(await alerts()).toHaveLength(1);
  await ask(`POST /${id}/deliveries/${(await deliveriesOf(id))[1].id}/resend`);
  await work();
  expect([await alerts(), (await standingOf(id)).state]).toEqual([[], 'on']);
});

test('one address that we cannot serve holds up no other, and the operator hears of it', async () => {
  const merchantId = await makeMerchant(shop.db);
  const productId = await makeProduct(shop.db, { merchantId });
  const theirs = await makeStaff(shop.db, { merchantId, role: 'owner' });
  const { body } = await shop.ask('POST /v1/counter/webhooks', {
    token: theirs.token,
    body: { url: `${address}/broken` },
  });
  await add('/whole');
  await buy({ ...shop, merchantId, productId });
  await buy(shop);
  const webhookEvents: typeof shop.jobs.webhookEvents = (entry, fact) => {
    if (entry.merchantId === merchantId) throw new Error('not to be read');
    return shop.jobs.webhookEvents(entry, fact);
  };
  const deps = { ...shop.jobs, webhookEvents };
  await work(deps);
  expect(heard.map(({ path }) => path)).toEqual(['/whole']);
  const alerts = () => asOwner(shop, `select detail from alerts where subject = $1`, [body.data.id]);
  expect(await alerts()).toEqual([]);
  await asOwner(
    shop,
    `update webhook_endpoints set failing_since = now() - interval '1 hour' where id = $1`,
    [body.data.id],
  );
  await waitsAreOver();
  await work(deps);
  expect(await alerts()).toMatchObject([{ detail: { problem: 'OURS' } }]);
  await work();
  await waitsAreOver();
  await work();
  expect(heard.map(({ path }) => path)).toEqual(['/whole', '/broken']);
});

test('an address that answers slowly takes turns with the others', async () => {
  await add('/slow');
  await add('/quick');
  await buy(shop);
  await buy(shop);
  await work({ ...shop.jobs, turnMs: 0 });
  expect(heard.map(({ path }) => path)).toEqual(['/slow', '/quick', '/slow', '/quick']);
});

test('a sixth address is refused, one that is there already, and one that cannot be called', async () => {
  const given = (url: string) => shop.ask('POST /v1/counter/webhooks', { token, body: { url } });
  const { id: first } = await add('/first');
  expect((await given(`${address}/first`)).body).toMatchObject({
    code: 'INVALID_INPUT',
    fields: { url: 'already there' },
  });
  await ask(`POST /${first}/switch`, { isOn: false });
  for (let many = 0; many < 5; many += 1) await add(`/many-${many}`);
  const turned = await shop.ask(`POST /v1/counter/webhooks/${first}/switch`, { token, body: { isOn: true } });
  expect(turned.body).toMatchObject({ code: 'INVALID_INPUT', fields: { url: 'five at most' } });
  for (const url of [`${address}/six`, 'ftp://example.mx/x', 'https://a:b@example.mx/', 'pos'])
    expect((await given(url)).body).toMatchObject({ code: 'INVALID_INPUT' });
});

test('in production only public addresses are called, over TLS, whatever name stands for them; nothing leads on or holds up', async () => {
  const guarded = openOutside({ isGuarded: true });
  const port = new URL(address).port;
  for (const url of [
    address,
    `https://127.0.0.1:${port}/`,
    `https://[::1]:${port}/`,
    'https://169.254.169.254/',
    'https://2130706433/',
  ])
    expect([guarded.mayCall(url), await guarded.post(url, {}, '{}')]).toEqual([
      false,
      { isTaken: false, problem: 'ADDRESS_NOT_ALLOWED' },
    ]);
  const named = `https://localhost:${port}/`;
  expect(guarded.mayCall(named)).toBe(true);
  expect(await guarded.post(named, {}, '{}')).toEqual({ isTaken: false, problem: 'ADDRESS_NOT_ALLOWED' });
  expect(heard).toEqual([]);

  const outside = openOutside({ isGuarded: false, timeoutMs: 300 });
  answers = {
    '/leads-on': (reply) => void reply.writeHead(307, { location: `${address}/secret` }).end(),
    '/silent': () => {},
    '/endless': (reply) => {
      const more = () => {
        while (!reply.destroyed && reply.write('x'.repeat(65_536)));
      };
      reply.on('drain', more);
      more();
    },
  };
  const problemOf = async (path: string) => {
    const posted = await outside.post(address + path, {}, '{}');
    return posted.isTaken ? '' : posted.problem;
  };
  expect(await problemOf('/leads-on')).toBe('307');
  expect(await problemOf('/silent')).toBe('TimeoutError');
  expect(await problemOf('/endless')).toBe('UND_ERR_RES_EXCEEDED_MAX_SIZE');
  expect(heard.map(({ path }) => path)).not.toContain('/secret');
  await Promise.all([guarded.close(), outside.close()]);
});
