import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { openRelay, type Relay } from '../../../test/relay.ts';
import { afterCommit } from './after-commit.ts';
import { gathered, HELD, leaveBatch, standsOrFallsWithAll, writtenTogether } from './batch.ts';
import { admissions, busy } from './admission.ts';
import { type Db, openDb, type Tx } from './db.ts';
import { isUncertain } from './outage.ts';
import { readTogether } from './read-together.ts';
import { rowsAs } from './rows.ts';
import { type Joining, together } from './together.ts';
import { defer, pipeline, refusedBy, transaction } from './transaction.ts';

let database: TestDatabase;
let relay: Relay;
let db: Db;
let sent: string[] = [];
/** On whose behalf statements were sent. */
let askers = new Set<string | undefined>();
const asker = new AsyncLocalStorage<string>();
beforeAll(async () => {
  database = await createTestDatabase();
  relay = await openRelay(database.url);
  db = openDb({ url: relay.url, role: 'none', max: 6, onStatement: noted });
});
const noted = ({ text }: { text: string }) => {
  sent.push(text.trim());
  askers.add(asker.getStore());
};
beforeEach(async () => {
  await sql`truncate rate_counters`.execute(db);
  // Whom the last test's batches expect is waited for no longer, and after one that was alone nobody is.
  await new Promise((resolve) => setTimeout(resolve, 10));
  await together(db, { keys: [] }, async () => {});
  sent = [];
  askers = new Set();
});
afterAll(async () => {
  await db.destroy();
  await relay.close();
  await database.drop();
});

interface Row {
  readonly key: string;
  readonly points: number;
}
const insert = writtenTogether<Row>(async (tx, rows) => {
  const given = rowsAs('given', { key: 'text', points: 'int' }, rows);
  await defer(tx, sql`insert into rate_counters (key, points, expire) select key, points, 0 from ${given}`);
});
const add = writtenTogether<Row>(async (tx, rows) => {
  const given = rowsAs('given', { key: 'text', points: 'int' }, rows);
  await defer(
    tx,
    sql`update rate_counters c set points = c.points + given.points from ${given} where c.key = given.key`,
  );
});
const lock = gathered<string, number | undefined>({
  async many(tx, keys, locking) {
    const [locked, all] = await pipeline(
      tx,
      sql<Row>`select key from rate_counters where key = any(${keys}) order by key for no key update
        ${locking === 'skip' ? sql`skip locked` : sql``}`.compile(tx),
      sql<Row>`select key, points from rate_counters where key = any(${keys})`.compile(tx),
    );
    const mine = new Set(locked.map(({ key }) => key));
    const points = new Map(all.map((row) => [row.key, row.points]));
    return keys.map((key) => (points.has(key) && !mine.has(key) ? HELD : points.get(key)));
  },
});
/** Calls of one branch, say: what comes while one of them is under way goes together afterwards. */
const shared = <T>(joining: Omit<Joining, 'shares'>, work: (tx: Tx) => Promise<T>): Promise<T> =>
  together(db, { ...joining, shares: ['branch'] }, work);
const commits = () => sent.filter((text) => text === 'commit').length;
const rows = async () =>
  Object.fromEntries(
    (await sql<Row>`select key, points from rate_counters order by key`.execute(db)).rows.map((row) => [
      row.key,
      row.points,
    ]),
  );

/** Calls that come while another is under way: these share the next transaction. */
async function meanwhile<T>(...calls: (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
  const isUnderWay = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const first = shared({ keys: [] }, () => {
    isUnderWay.resolve();
    return gate.promise;
  });
  await isUnderWay.promise;
  const ended = Promise.allSettled(calls.map((call) => call()));
  gate.resolve();
  await first;
  return ended;
}
const pay =
  (key: string, points = 1, work?: (tx: Tx) => Promise<void>) =>
  () =>
    shared({ keys: [key], mayBeRefused: true }, async (tx) => {
      const before = (await lock(tx, key)) ?? 0;
      await insert(tx, { key, points });
      await work?.(tx);
      return before;
    });
const valuesOf = (ended: PromiseSettledResult<unknown>[]) =>
  ended.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'));

test('a call alone waits for nobody: it has a transaction of its own, at once', async () => {
  await pay('a', 7)();
  expect(await rows()).toEqual({ a: 7 });
  expect(commits()).toBe(1);
});

test('what a call asks is planned once for any number of keys, and nothing is sent for one that asks nothing', async () => {
  const mode = (tx: Tx) =>
    sql<{ mode: string }>`select current_setting('plan_cache_mode') as mode`.execute(tx);
  const asked = () => shared({ keys: [] }, mode);
  const answers = [await asked(), ...(await Promise.all([asked(), asked(), asked()]))];
  expect(answers.flatMap(({ rows: those }) => those)).toEqual(Array(4).fill({ mode: 'force_generic_plan' }));
  sent = [];
  await asked();
  // Beginning and settings are one message.
  expect(sent.map((text) => text.split(/[; ]/, 1)[0])).toEqual(['begin', 'select', 'commit']);
  sent = [];
  await shared({ keys: [] }, async () => {});
  expect(sent).toEqual([]);
});

test('what was planned while there was nothing reads no table through when there is much', async () => {
  await sql`analyze rate_counters`.execute(db);
  await pay('first')();
  await sql`insert into rate_counters (key, points, expire) select 'n' || n, 0, 0 from generate_series(1, 1000) n`.execute(
    db,
  );
  const scans = await shared({ keys: ['second'] }, async (tx) => {
    const before = await readsOf(tx);
    await lock(tx, 'second');
    const after = await readsOf(tx);
    return { through: after.through - before.through, byKey: after.byKey - before.byKey };
  });
  expect(scans).toEqual({ through: 0, byKey: 2 });
});
async function readsOf(tx: Tx): Promise<{ through: number; byKey: number }> {
  const { rows: reads } = await sql<{ through: number; byKey: number }>`
    select seq_scan::int as through, idx_scan::int as "byKey" from pg_stat_xact_user_tables
    where relname = 'rate_counters'`.execute(tx);
  return reads[0] ?? { through: 0, byKey: 0 };
}

test('calls that come meanwhile share a transaction, a lock, a write and a commit', async () => {
  const ended = await meanwhile(...Array.from({ length: 20 }, (_, n) => pay(`k${n}`, n)));
  expect(valuesOf(ended)).toEqual(Array(20).fill(0));
  expect(commits()).toBe(1);
  expect(sent.filter((text) => text.startsWith('insert'))).toHaveLength(1);
  expect(Object.keys(await rows())).toHaveLength(20);
});

test('while one batch runs another does, and who waits is shared out among the two', async () => {
  const gate = Promise.withResolvers<void>();
  const call = (n: number) =>
    together(db, { keys: [] }, async (tx) => {
      await insert(tx, { key: `call ${n}`, points: 1 });
      await (n === 0 ? gate.promise : undefined);
    });
  const stuck = call(0);
  await Promise.all([1, 2, 3, 4, 5, 6, 7].map(call));
  // One that was there before the others, then half of eight, then the rest.
  expect(commits()).toBe(3);
  gate.resolve();
  await stuck;
  expect(commits()).toBe(4);
});

test('what calls share is locked by one batch at a time, and whoever shares it with a batch goes with it', async () => {
  let inside = 0;
  const branch = (n: number) =>
    shared({ keys: [`${n}`] }, async (tx) => {
      inside += 1;
      await insert(tx, { key: `call ${n}`, points: 1 });
      const { rows: locks } = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(1) as got`.execute(
        tx,
      );
      return locks[0]?.got;
    });
  const alone = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(branch));
  expect(alone).toEqual(Array(8).fill(true));
  expect(inside).toBe(8);
  expect(commits()).toBe(2);
});

test('callers who were answered together, and ask again at once, share the next transaction too', async () => {
  const again = (key: string) => async () => {
    await pay(key)();
    await pay(`${key}-again`)();
  };
  await meanwhile(again('a'), again('b'), again('c'));
  expect(commits()).toBe(2);
  expect(Object.keys(await rows())).toHaveLength(6);
});

test('nobody waits long for callers who do not come again', async () => {
  await meanwhile(pay('a'), pay('b'), pay('c'));
  await pay('d')();
  expect(commits()).toBe(2);
});

test('nobody waits for others after a call that was alone', async () => {
  await pay('a')();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    await pay('b')();
  } finally {
    vi.useRealTimers();
  }
  expect(await rows()).toEqual({ a: 1, b: 1 });
});

test('one that is poisoned fails alone, with its constraint, and the others are done', async () => {
  await pay('there')();
  const poison = () => shared({ keys: [] }, (tx) => insert(tx, { key: 'there', points: 9 }));
  const ended = await meanwhile<unknown>(pay('a'), poison, pay('b'));
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(ended[1]?.status === 'rejected' && refusedBy(ended[1].reason)).toBe('rate_counters_pkey');
  expect(await rows()).toEqual({ a: 1, b: 1, there: 1 });
});

test('one that throws takes its own writes with it, and costs the others nothing', async () => {
  const ended = await meanwhile(
    pay('a'),
    pay('b', 1, () => Promise.reject(new Error('no'))),
    pay('c'),
  );
  expect(valuesOf(ended)).toEqual([0, 'failed', 0]);
  expect(commits()).toBe(1);
  expect(await rows()).toEqual({ a: 1, c: 1 });
});

test('one that throws after it has written takes nobody along', async () => {
  const late = pay('b', 1, async (tx) => {
    await sql`update rate_counters set points = 5 where key = 'b'`.execute(tx);
    throw new Error('no');
  });
  expect(valuesOf(await meanwhile(pay('a'), late, pay('c')))).toEqual([0, 'failed', 0]);
  expect(await rows()).toEqual({ a: 1, c: 1 });
});

test('a call reads what it wrote before, and its writes keep their order beside those of others', async () => {
  const twice = (key: string) => () =>
    shared({ keys: [] }, async (tx) => {
      await insert(tx, { key, points: 2 });
      await defer(tx, sql`update rate_counters set points = points * 10 where key = ${key}`);
      await add(tx, { key, points: 1 });
      const { rows: read } = await sql<Row>`select points from rate_counters where key = ${key}`.execute(tx);
      await add(tx, { key, points: 100 });
      return read[0]?.points;
    });
  expect(valuesOf(await meanwhile<unknown>(twice('a'), pay('b'), twice('c')))).toEqual([21, 0, 21]);
  expect(await rows()).toEqual({ a: 121, b: 1, c: 121 });
  expect(commits()).toBe(1);
});

test('two that want the same are done one after the other, and the later one sees the earlier', async () => {
  const once = () =>
    shared({ keys: ['same'] }, async (tx) => {
      const before = await lock(tx, 'same');
      if (before === undefined) await insert(tx, { key: 'same', points: 1 });
      return before;
    });
  expect(valuesOf(await meanwhile(once, once, once))).toEqual([undefined, 1, 1]);
});

test('what somebody else holds delays only the call that wants it', async () => {
  await pay('held')();
  const gate = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const holder = transaction(db, async (tx) => {
    await lock(tx, 'held');
    taken.resolve();
    await gate.promise;
    await sql`update rate_counters set points = 50 where key = 'held'`.execute(tx);
  });
  await taken.promise;
  const wants = (key: string) => () => together<number | undefined>(db, { keys: [] }, (tx) => lock(tx, key));
  // In a batch, and in a transaction of its own.
  const delayed = meanwhile(wants('held'));
  const delayedToo = shared({ keys: [] }, (tx) => lock(tx, 'held'));
  expect(valuesOf(await meanwhile(pay('a'), pay('b')))).toEqual([0, 0]);
  await pay('c')();
  gate.resolve();
  await holder;
  expect(valuesOf(await delayed)).toEqual([50]);
  expect(await delayedToo).toBe(50);
});

test('a batch on a connection that says nothing keeps nobody else waiting', async () => {
  const gate = Promise.withResolvers<void>();
  const stuck = Promise.all([
    together(db, { keys: [] }, () => gate.promise),
    shared({ keys: [] }, () => gate.promise),
  ]);
  await pay('a')();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const next = admissions(4, 1).admit('act').inPlace(pay('b'));
  await next.finally(() => gate.resolve());
  await stuck;
  expect(await rows()).toEqual({ a: 1, b: 1 });
});

test('who goes next waits for a batch that takes long, and is not refused', async () => {
  const gate = Promise.withResolvers<void>();
  const first = shared({ keys: [] }, () => gate.promise);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const waits = admissions(4, 1).admit('act').inPlace(pay('a'));
  gate.resolve();
  await first;
  expect(await waits).toBe(0);
});

test('one that took very long has no till refused that nobody is before', async () => {
  await shared({ keys: [] }, () => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(await admissions(4, 1).admit('act').inPlace(pay('a'))).toBe(0);
});

test('one whose head others take again and again is done by itself after the second time', async () => {
  let times = 0;
  const rivals: Promise<unknown>[] = [];
  const head = gathered<string, string>({
    many: (_, keys) => Promise.resolve(keys),
    headOf: (key) => key,
  });
  const rival = () => shared({ keys: [] }, (tx) => head(tx, 'purchase'));
  const late = () =>
    shared({ keys: [] }, async (tx) => {
      times += 1;
      if (times < 9) rivals.push(rival());
      await sql`select 1`.execute(tx);
      return head(tx, 'purchase');
    });
  expect(valuesOf(await meanwhile(rival, late))).toEqual(['purchase', 'purchase']);
  await Promise.all(rivals);
  expect(times).toBe(3);
});

test('what only one at a time may do is done by itself', async () => {
  const alone = (key: string) => () =>
    shared({ keys: [] }, async (tx) => {
      leaveBatch(tx);
      const { rows: before } = await sql`select from rate_counters`.execute(tx);
      await sql`select pg_advisory_xact_lock(1)`.execute(tx);
      await insert(tx, { key, points: before.length });
      return before.length;
    });
  expect(valuesOf(await meanwhile(pay('a'), alone('b')))).toEqual([0, 1]);
  expect(await rows()).toEqual({ a: 1, b: 1 });
});

test('nobody is decided by what one did that failed after all', async () => {
  const seen = new WeakMap<object, { sum: number }>();
  const share = gathered<string, { sum: number }>({
    many: (tx, keys) => {
      const shared = seen.get(tx) ?? { sum: 0 };
      seen.set(tx, shared);
      return Promise.resolve(keys.map(() => shared));
    },
  });
  const count = (key: string, fails = false) =>
    pay(key, 1, async (tx) => {
      const shared = await share(tx, key);
      shared.sum += 1;
      standsOrFallsWithAll(tx);
      if (fails) throw new Error('no');
      await add(tx, { key, points: shared.sum });
    });
  expect(valuesOf(await meanwhile(count('a', true), count('b')))).toEqual(['failed', 0]);
  expect(await rows()).toEqual({ b: 2 });
});

test('a call is answered what it deferred before, also where all are asked together', async () => {
  const call = (key: string) => () =>
    shared({ keys: [] }, async (tx) => {
      await insert(tx, { key, points: 7 });
      return lock(tx, key);
    });
  expect(valuesOf(await meanwhile(call('a'), call('b')))).toEqual([7, 7]);
});

test('batches of two servers over the same in opposite order meet without a deadlock', async () => {
  const other = openDb({ url: database.url, role: 'none', max: 4 });
  try {
    for (const key of ['a', 'b', 'c', 'd']) await pay(key)();
    const change = (on: Db, key: string) =>
      together(on, { keys: [key] }, async (tx) => {
        await lock(tx, key);
        await add(tx, { key, points: 1 });
      });
    const all = Array.from({ length: 10 }, () =>
      ['a', 'b', 'c', 'd'].flatMap((key, n, keys) => [change(db, key), change(other, keys.at(-1 - n)!)]),
    );
    await Promise.all(all.flat());
    expect(await rows()).toEqual({ a: 21, b: 21, c: 21, d: 21 });
  } finally {
    await other.destroy();
  }
});

test('a connection that is lost at the commit leaves each call in doubt, and none is done twice', async () => {
  relay.cutAt('commit', 'after');
  const ended = await meanwhile(pay('a'), pay('b'));
  expect(ended.map((one) => one.status === 'rejected' && isUncertain(one.reason))).toEqual([true, true]);
  // The database may still be at it when the caller already knows that nobody will say.
  await expect.poll(rows).toEqual({ a: 1, b: 1 });
});

test('a connection that is lost before anything was written is made again, and each call is done once', async () => {
  relay.cutAt('begin', 'before');
  expect(valuesOf(await meanwhile(pay('a'), pay('b')))).toEqual([0, 0]);
  expect(await rows()).toEqual({ a: 1, b: 1 });
});

test('after a burst there is one batch of payments at most, and who comes then is told at once', async () => {
  const server = admissions(1, 180);
  const gate = Promise.withResolvers<void>();
  const running = together(db, { keys: [] }, () => gate.promise);
  const batch = Array.from({ length: 63 }, () => shared({ keys: [] }, () => gate.promise));
  const inBurst = server.admit('act').inPlace(pay('a'));
  const place = Promise.withResolvers<void>();
  const held = server.admit('act').inPlace(() => place.promise);
  const waits = server.admit('act').inPlace(async () => {});
  await new Promise((resolve) => setTimeout(resolve, 110));
  place.resolve();
  await held;
  await waits;
  await expect(server.admit('act').inPlace(pay('b'))).rejects.toThrow(busy);
  gate.resolve();
  await Promise.all([running, ...batch, inBurst]);
  expect(await rows()).toEqual({ a: 1 });
});

test('who would wait for too long is told at once, unless they have changed something', async () => {
  const gate = Promise.withResolvers<void>();
  const first = together(db, { keys: [] }, () => gate.promise);
  const next = Array.from({ length: 65 }, () => together(db, { keys: [] }, () => gate.promise));
  const call = admissions(4, 1).admit('act');
  await new Promise((resolve) => setTimeout(resolve, 5));
  await expect(call.inPlace(() => pay('a')())).rejects.toThrow(busy);
  expect(call.mayBeDone).toBe(false);
  const changed = admissions(4, 1).admit('act');
  changed.mayBeDone = true;
  const waits = changed.inPlace(() => pay('b')());
  gate.resolve();
  await first;
  expect(await waits).toBe(0);
  await Promise.all(next);
  expect(await rows()).toEqual({ b: 1 });
});

test('a call knows afterwards that it may have changed something, and one that failed by itself that it has not', async () => {
  const calls = [1, 2].map(() => admissions(4).admit('act'));
  await meanwhile(
    () => calls[0]!.inPlace(pay('a')),
    () => calls[1]!.inPlace(pay('b', 1, () => Promise.reject(new Error('no')))),
  );
  expect(calls.map(({ mayBeDone }) => mayBeDone)).toEqual([true, false]);
});

test('what many calls ask for in one turn is one statement, and each has its own answer', async () => {
  const read = readTogether<string, number | undefined>(async (tx, keys) => {
    const all =
      await sql<Row>`select key, points from rate_counters where key = any(${keys}::text[])`.execute(tx);
    return keys.map((key) => all.rows.find((row) => row.key === key)?.points);
  });
  await pay('a', 3)();
  await pay('b', 4)();
  sent = [];
  expect(await Promise.all(['b', 'nobody', 'a', 'b'].map((key) => read(db, key)))).toEqual([
    4,
    undefined,
    3,
    4,
  ]);
  expect(sent).toHaveLength(1);
  const ended = await Promise.allSettled(['a', '\0'].map((key) => read(db, key)));
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await read(db, 'a')).toBe(3);
});

test('a line is written once what it tells of stands, and once', async () => {
  const said: string[] = [];
  const tell = (key: string) => () =>
    shared({ keys: [key] }, async (tx) => {
      await insert(tx, { key, points: 1 });
      afterCommit(tx, () => said.push(key));
    });
  await pay('there')();
  await meanwhile(tell('a'), tell('there'), tell('b'));
  await tell('c')();
  await expect(tell('c')()).rejects.toThrow('rate_counters_pkey');
  expect(said.toSorted()).toEqual(['a', 'b', 'c']);
});

test('what is sent for all is in the trace of none', async () => {
  await meanwhile(
    () => asker.run('a', pay('a')),
    () => asker.run('b', pay('b')),
  );
  expect(askers).toEqual(new Set([undefined]));
  await asker.run('c', pay('c'));
  expect(askers).toContain('c');
});
