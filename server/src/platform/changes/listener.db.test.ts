import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { openRelay, type Relay } from '../../../test/relay.ts';
import { type Db, openDb } from '../db/db.ts';
import { transaction } from '../db/transaction.ts';
import { createLog } from '../logging.ts';
import { announce, type Topic } from './announce.ts';
import { type Listener, openListener } from './listener.ts';

let database: TestDatabase;
let db: Db;
let relay: Relay;
let listener: Listener;
let heard: string[] = [];
let gaps = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.serverUrl, max: 2 });
  relay = await openRelay(database.serverUrl);
  listener = openListener({
    databaseUrl: relay.url,
    log: createLog('silent'),
    onTopics: (topics) => heard.push(...topics),
    onGap: () => (gaps += 1),
    silenceMs: 200,
    probeEveryMs: 100,
  });
  await vi.waitUntil(() => gaps === 1, 20_000);
});
afterAll(async () => {
  await listener.stop();
  await relay.close();
  await db.destroy();
  await database.drop();
});

const tell = (...topics: Topic[]) =>
  transaction(db, async (tx) => {
    for (const topic of topics) await announce(tx, topic);
  });

test('what a transaction announces is heard when it stands, and never when it does not', async () => {
  heard = [];
  await transaction(db, async (tx) => {
    await announce(tx, 'buyer:1');
    throw new Error('changed their mind');
  }).catch(() => {});
  await tell('buyer:2', 'buyer:3', 'buyer:2');
  await expect.poll(() => heard).toEqual(['buyer:2', 'buyer:3']);
});

test.each([
  ['stops', (isOut: boolean) => relay.setDown(isOut)],
  ['says nothing any more', (isOut: boolean) => (isOut ? relay.setSilent(true) : relay.cut())],
])('a database that %s makes it deaf; it hears again by itself, and knows of the gap', async (_how, out) => {
  const before = gaps;
  out(true);
  await expect.poll(() => listener.deafMs(), { timeout: 10_000 }).toBeGreaterThan(300);
  relay.setSilent(false);
  out(false);
  await expect.poll(() => gaps, { timeout: 20_000 }).toBeGreaterThan(before);
  expect(listener.deafMs()).toBe(0);
  heard = [];
  await tell('buyer:4');
  await expect.poll(() => heard).toEqual(['buyer:4']);
});
