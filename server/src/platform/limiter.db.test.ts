import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { openDb, type Db } from './db/db.ts';
import { createLimiter, ipPrefixOf } from './limiter.ts';
import { Refusal } from './refusal.ts';

let database: TestDatabase;
let db: Db;
let otherServer: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, role: 'none' });
  otherServer = openDb({ url: database.url, role: 'none' });
});
afterAll(async () => {
  await Promise.all([db.destroy(), otherServer.destroy()]);
  await database.drop();
});

test('of a hundred at once on two servers, exactly as many pass as the limit says', async () => {
  const limit = { times: 7, seconds: 60 };
  const [one, two] = [createLimiter(db), createLimiter(otherServer)];
  const tries = await Promise.allSettled(
    Array.from({ length: 100 }, (_, turn) => (turn % 2 === 0 ? one : two).take('race', 'ana', limit)),
  );
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
});

test('a refusal says when to come back', async () => {
  const limiter = createLimiter(db);
  await limiter.take('wait', 'ana', { times: 1, seconds: 60 });
  const refusal = await limiter
    .take('wait', 'ana', { times: 1, seconds: 60 })
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  const { code, facts } = refusal as Refusal;
  expect(code).toBe('TOO_MANY');
  expect(facts.retryAfterSeconds).toBeGreaterThan(50);
  expect(facts.retryAfterSeconds).toBeLessThanOrEqual(60);
});

test('a window that is over starts anew', async () => {
  const limiter = createLimiter(db);
  const limit = { times: 1, seconds: 60 };
  await limiter.take('short', 'ana', limit);
  await expect(limiter.take('short', 'ana', limit)).rejects.toThrow('TOO_MANY');
  await db
    .updateTable('rate_counters')
    .set((counter) => ({ expire: counter('expire', '-', 60_000) }))
    .where('key', 'like', 'short:%')
    .execute();
  await limiter.take('short', 'ana', limit);
});

test('beyond its tries each waits after the one before, twice as long each time, and a day makes them forgotten', async () => {
  const limiter = createLimiter(db);
  const limit = { times: 3, seconds: 200 };
  const waits: number[] = [];
  const passes = async (ms: number) =>
    db
      .updateTable('rate_counters')
      .set((counter) => ({ expire: counter('expire', '-', ms) }))
      .where('key', 'like', 'pace:%')
      .execute();
  for (let tries = 0; tries < 8; tries += 1) {
    const refusal = await limiter.pace('pace', 'ana', limit).then(
      () => undefined,
      (error: Refusal) => error,
    );
    if (refusal === undefined) continue;
    const seconds = Math.round(Number(refusal.facts.retryAfterSeconds));
    waits.push(seconds);
    await passes(seconds * 1000 + 1);
  }
  // What came too early moved nothing.
  expect(waits).toEqual([60, 120, 200]);
  await passes(25 * 60 * 60 * 1000);
  for (let tries = 0; tries < 3; tries += 1) await limiter.pace('pace', 'ana', limit);
});

test('of a hundred at once exactly as many pass as may come without a wait', async () => {
  const limiter = createLimiter(db);
  const tries = await Promise.allSettled(
    Array.from({ length: 100 }, () => limiter.pace('crowd', 'ana', { times: 5, seconds: 900 })),
  );
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  await limiter.forgive('crowd', 'ana');
  await limiter.pace('crowd', 'ana', { times: 5, seconds: 900 });
});

test('of two at once the one that began first is not told to wait, though the other was counted later than it began', async () => {
  const limiter = createLimiter(db);
  const limit = { times: 3, seconds: 900 };
  const countedLater = () =>
    db
      .updateTable('rate_counters')
      .set((counter) => ({ expire: counter('expire', '+', 50_000) }))
      .where('key', 'like', 'beside:%')
      .execute();
  for (let tries = 0; tries < 3; tries += 1) {
    await limiter.pace('beside', 'ana', limit);
    await countedLater();
  }
  await expect(limiter.pace('beside', 'ana', limit)).rejects.toThrow('TOO_MANY');
});

test('one that is given back does not count', async () => {
  const limiter = createLimiter(db);
  for (let time = 0; time < 5; time += 1) {
    await limiter.take('back', 'ana', { times: 1, seconds: 60 });
    await limiter.giveBack('back', 'ana');
  }
  await expect(limiter.take('back', 'ana', { times: 1, seconds: 60 })).resolves.toBeUndefined();
});

test('what is remembered is forgotten when its time is over', async () => {
  const limiter = createLimiter(db);
  await limiter.remember('known', 'ana', 60);
  await limiter.remember('known', 'eva', 0.01);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(await limiter.remembers('known', 'ana')).toBe(true);
  expect(await limiter.remembers('known', 'eva')).toBe(false);
});

test('nobody reads an email address out of the counters', async () => {
  await createLimiter(db).take('secret', 'ana@example.mx', { times: 1, seconds: 60 });
  const rows = await db.selectFrom('rate_counters').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain('ana@');
});

test('an IPv6 prefix counts as one caller, two prefixes as two', () => {
  expect(ipPrefixOf('2001:db8:1:2:aaaa::1')).toBe(ipPrefixOf('2001:db8:1:2:bbbb:1:2:3'));
  expect(ipPrefixOf('2001:db8:1:2::1')).not.toBe(ipPrefixOf('2001:db8:1:3::1'));
  expect(ipPrefixOf('2001:db8::1')).toBe('2001:db8:0:0');
  expect(ipPrefixOf('203.0.113.9')).toBe('203.0.113.9');
});
