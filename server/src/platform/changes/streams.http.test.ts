import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { type EventStream, openEventStream } from '../../../test/event-stream.ts';
import { makeBuyer, type MadeBuyer } from '../../../test/make.ts';
import { payPurchase } from '../../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { asOwner, type Bought, buy, openTill, type Till } from '../../../test/store-acts.ts';

let shop: Shop;
let till: Till;
let origin: string;
const open: EventStream[] = [];

beforeAll(async () => {
  shop = await openShop({
    clocks: { streamTickMs: 20, streamBeatMs: 40 },
    env: { OPEN_STREAMS: '20' },
  });
  till = await openTill(shop);
  origin = await shop.app.listen({ host: '127.0.0.1', port: 0 });
  // The first of a server begins to listen, and is told to ask once it hears.
  const first = await streamOf(shop.buyer);
  await vi.waitUntil(() => first.changes() === 1, 20_000);
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(() => shop.close());

async function streamOf({ token }: Pick<MadeBuyer, 'token'>): Promise<EventStream> {
  const stream = await openEventStream(origin, token);
  open.push(stream);
  return stream;
}

const deposit = (reference: any) =>
  till.deposit({ referencia: reference.paymentReference, importe: reference.tillTotal });

test("a deposit that a till takes is told to the buyer's open screen, and to nobody else's", async () => {
  const other = await makeBuyer(shop.db);
  const [theirs, others] = [await streamOf(shop.buyer), await streamOf(other)];
  expect(theirs.status).toBe(200);
  expect(theirs.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  const [before, othersBefore] = [theirs.changes(), others.changes()];
  expect((await deposit(await shop.reference())).body.error).toBe(0);
  await expect.poll(theirs.changes).toBe(before + 1);
  // Theirs came over the same connection, in the order of the commits.
  await deposit(await shop.reference({ token: other.token }));
  await expect.poll(others.changes).toBe(othersBefore + 1);
  expect(theirs.changes()).toBe(before + 1);
});

test('a card, a store and a reversal are told like a till', async () => {
  const buyer = await makeBuyer(shop.db);
  const stream = await streamOf(buyer);
  let acts = 0;
  const isHeard = async (act: () => Promise<unknown>) => {
    await act();
    await expect.poll(stream.changes).toBe((acts += 1));
  };
  const { token } = buyer;
  await isHeard(async () => shop.pay(await shop.reference({ token }), CARDS.approved, { token }));
  let bought: Bought | undefined;
  await isHeard(async () => (bought = await buy(shop, { buyer })));
  await isHeard(() => payPurchase(shop.db, bought!.id, 1_000, { channel: 'cash' }));
  const ticket = { referencia: bought!.numbers[2]!, importe: 100, idtransaccion: 'una' };
  await isHeard(async () => expect((await till.pay(ticket)).body.error).toBe(0));
  await isHeard(async () => expect((await till.reverse(ticket)).body.error).toBe(0));
});

test('of many payments that are taken together each buyer is told, and the books notify once', async () => {
  const buyers = await Promise.all(Array.from({ length: 8 }, () => makeBuyer(shop.db)));
  const streams = await Promise.all(buyers.map(streamOf));
  const references = await Promise.all(buyers.map(({ token }) => shop.reference({ token })));
  const before = streams.map((stream) => stream.changes());
  const taken = await Promise.all(references.map(deposit));
  expect(taken.map(({ body }) => body.error)).toEqual(taken.map(() => 0));
  for (const [place, stream] of streams.entries())
    await expect.poll(stream.changes).toBe((before[place] ?? 0) + 1);
});

test('a stream ends with its session', async () => {
  const buyer = await makeBuyer(shop.db);
  const stream = await streamOf(buyer);
  expect(stream.isOver()).toBe(false);
  await shop.ask('POST /v1/TokenBuyer/Logout', { token: buyer.token });
  await expect.poll(stream.isOver).toBe(true);
  expect((await streamOf(buyer)).status).toBe(401);
  // A till's token, or none, opens nothing.
  expect((await streamOf(till)).status).toBe(403);
  const inUrl = `/v1/Changes/Stream?token=${shop.buyer.token}`;
  expect((await openEventStream(origin, '', inUrl)).status).toBe(401);
});

test('when the connection that listens is ended, another listens, and open screens are told to ask', async () => {
  const stream = await streamOf(shop.buyer);
  const before = stream.changes();
  const ended = await asOwner(
    shop,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query like 'select pg_is_in_recovery%'`,
  );
  expect(ended).toHaveLength(1);
  await expect.poll(stream.changes, { timeout: 10_000 }).toBe(before + 1);
  await deposit(await shop.reference());
  await expect.poll(stream.changes).toBe(before + 2);
});

test('a buyer has so many streams, and a server: one more is told to ask by itself for a while', async () => {
  const streams = await Promise.all(Array.from({ length: 6 }, () => streamOf(shop.buyer)));
  const seventh = await streamOf(shop.buyer);
  expect([seventh.status, seventh.headers['retry-after']]).toEqual([429, '60']);
  streams[0]!.close();
  await expect.poll(async () => (await streamOf(shop.buyer)).status).toBe(200);
  const strangers = await Promise.all(Array.from({ length: 15 }, () => makeBuyer(shop.db)));
  const statuses = (await Promise.all(strangers.map(streamOf))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test('who hangs up before their stream is open keeps no place of it', async () => {
  const buyer = await makeBuyer(shop.db);
  const { port } = new URL(origin);
  for (let tries = 0; tries < 12; tries += 1) {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(
      `GET /v1/Changes/Stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${buyer.token}\r\n\r\n`,
    );
    await sleep(1); // it is being found out who calls
    socket.resetAndDestroy();
    await sleep(50);
  }
  expect((await streamOf(buyer)).status).toBe(200);
});

test('a server that stops ends them, and waits for none', async () => {
  const stream = await streamOf(shop.buyer);
  await shop.app.close();
  await expect.poll(stream.isOver).toBe(true);
});
