import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { type Db, openDb, type Tx } from './db.ts';
import { defer, pipeline, refusedBy, transaction } from './transaction.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, role: 'none', max: 3 });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const count = (tx: Tx, key: string) =>
  sql`insert into rate_counters (key, points, expire) values (${key}, 1, 0)`.compile(tx);
const seen = (on: Db | Tx, key: string) =>
  on.selectFrom('rate_counters').select('points').where('key', '=', key);

test('of statements sent together, what follows a lock reads what was committed before the lock was given', async () => {
  await transaction(db, (tx) => tx.executeQuery(count(tx, 'head')));
  let second: Promise<unknown> = Promise.resolve();
  await transaction(db, async (tx) => {
    await seen(tx, 'head').forNoKeyUpdate().execute();
    second = transaction(db, (other) =>
      pipeline(other, seen(other, 'head').forNoKeyUpdate().compile(), seen(other, 'head').compile()),
    );
    await expect
      .poll(async () => {
        const { rows } = await sql`
          select from pg_locks join pg_stat_activity using (pid)
          where not granted and datname = current_database()`.execute(db);
        return rows.length;
      })
      .toBeGreaterThan(0);
    await tx.updateTable('rate_counters').set({ points: 2 }).where('key', '=', 'head').execute();
  });
  expect(await second).toEqual([[{ points: 2 }], [{ points: 2 }]]);
});

test('one of them that is refused is the refusal of all, by its constraint, and nothing of them stays', async () => {
  const refused = transaction(db, (tx) =>
    pipeline(tx, count(tx, 'once'), count(tx, 'once'), count(tx, 'behind it')),
  );
  expect(refusedBy(await refused.catch((error: unknown) => error))).toBe('rate_counters_pkey');
  expect(await seen(db, 'once').execute()).toEqual([]);
  expect(await seen(db, 'behind it').execute()).toEqual([]);
});

test('a transaction whose server died before it began is done once, on another connection', async () => {
  const single = openDb({ url: database.url, role: 'none', max: 1 });
  try {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(single);
    let tries = 0;
    await transaction(single, async (tx) => {
      tries += 1;
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
      await tx.executeQuery(count(tx, 'begun twice'));
    });
    expect(tries).toBe(2);
    expect(await seen(db, 'begun twice').execute()).toEqual([{ points: 1 }]);
  } finally {
    await single.destroy();
  }
});

test('deferred writes are seen by the next statement, in the order in which they were made', async () => {
  const points = await transaction(db, async (tx) => {
    await defer(tx, count(tx, 'deferred'));
    await defer(tx, sql`update rate_counters set points = points * 7 where key = 'deferred'`);
    return seen(tx, 'deferred').execute();
  });
  expect(points).toEqual([{ points: 7 }]);
});

test('a deferred write that nothing follows is committed', async () => {
  await transaction(db, (tx) => defer(tx, count(tx, 'committed')));
  expect(await seen(db, 'committed').execute()).toEqual([{ points: 1 }]);
});

test.each(['the commit', 'the next statement'])(
  'a deferred write that is refused is thrown by %s with its constraint, and nothing stays',
  async (at) => {
    const refused = transaction(db, async (tx) => {
      await defer(tx, count(tx, `twice before ${at}`));
      await defer(tx, count(tx, `twice before ${at}`));
      await defer(tx, count(tx, `behind ${at}`));
      if (at === 'the next statement') await seen(tx, 'none').execute();
    });
    expect(refusedBy(await refused.catch((error: unknown) => error))).toBe('rate_counters_pkey');
    expect(await seen(db, `twice before ${at}`).execute()).toEqual([]);
    expect(await seen(db, `behind ${at}`).execute()).toEqual([]);
  },
);

test('work that throws takes its deferred writes with it', async () => {
  const failed = transaction(db, async (tx) => {
    await defer(tx, count(tx, 'thrown away'));
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');
  expect(await seen(db, 'thrown away').execute()).toEqual([]);
});

test.each([
  ['40P01', 'a deadlock', 3],
  ['40001', 'a serialization failure', 3],
  ['55P03', 'a lock that was not given in time', 3],
  ['22012', 'a mistake of ours', 1],
])('%s, %s: the work is done %i times at most', async (code, _name, times) => {
  let done = 0;
  const work = transaction(db, async (tx) => {
    done += 1;
    await sql.raw(`do $$ begin raise exception 'x' using errcode = '${code}'; end $$`).execute(tx);
  });
  await expect(work).rejects.toMatchObject({ code });
  expect(done).toBe(times);
});

test('no statement of a payment is compiled first, whatever its plan seems to cost', async () => {
  const { rows } = await transaction(db, (tx) => sql`select current_setting('jit') as jit`.execute(tx));
  expect(rows).toEqual([{ jit: 'off' }]);
});
