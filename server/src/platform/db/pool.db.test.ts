import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { GCProfiler } from 'node:v8';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { openRelay } from '../../../test/relay.ts';
import { openPool, type PoolOptions } from './pool.ts';
import { serversOf } from './primary.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function poolOf(options: Partial<PoolOptions>) {
  const pool = openPool({ url: database.url, max: 2, ...options });
  onTestFinished(() => pool.end());
  return pool;
}

describe('an address of several servers', () => {
  test.each([
    ['postgres://ana:x%40y@one:5432/shop', ['postgres://ana:x%40y@one:5432/shop']],
    [
      'postgresql://ana:x%40y@one:5433,[::1]:5434,three/shop?target_session_attrs=read-write&sslmode=require',
      [
        'postgresql://ana:x%40y@one:5433/shop?sslmode=require',
        'postgresql://ana:x%40y@[::1]:5434/shop?sslmode=require',
        'postgresql://ana:x%40y@three/shop?sslmode=require',
      ],
    ],
    ['postgres://one,two/shop?target_session_attrs=any', ['postgres://one/shop', 'postgres://two/shop']],
  ])('%s', (url, servers) => expect(serversOf(url)).toEqual(servers));

  test('finds the one that takes writes, past one that is not there', async () => {
    const { host } = new URL(database.url);
    const pool = poolOf({ url: database.url.replace(host, `127.0.0.1:1,${host}`) });
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('of which none answers is an error within seconds, not for ever', async () => {
    const pool = poolOf({ url: 'postgres://ana:x@127.0.0.1:1,127.0.0.1:2/shop' });
    await expect(pool.query('select 1')).rejects.toThrow('no database server takes writes');
  });
});

test('a server that falls silent is given up, also in a transaction, and connected to anew', async () => {
  const relay = await openRelay(database.url);
  onTestFinished(() => relay.close());
  const pool = poolOf({ url: relay.url, silenceMs: 200 });
  const client = await pool.connect();
  client.on('error', () => {});
  await client.query('begin');
  relay.setSilent(true);
  await expect(client.query('select $1::int', [1])).rejects.toThrow('timeout');
  await expect(client.query('select $1::int', [2])).rejects.toThrow(/not queryable|terminated|timeout/);
  client.release();
  relay.setSilent(false);
  await expect.poll(() => pool.totalCount).toBe(0);
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('a connection that waits for nothing is kept, however long it says nothing', async () => {
  const client = await poolOf({ silenceMs: 100 }).connect();
  await client.query('select 1');
  await expect(client.query('select pg_sleep(0.05), 1 / 0')).rejects.toThrow('division by zero');
  await sleep(250);
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  client.release();
});

test('rows that were read are forgotten soon, and not only by a full collection', async () => {
  const client = await poolOf({}).connect();
  const read = () =>
    client.query(`select n, 'a name of some length ' || n as name from generate_series(1, 500) n`);
  /** What small collections move to where only a full one frees, in MB, while twenty are read. */
  async function movedMb(): Promise<number> {
    const profiler = new GCProfiler();
    profiler.start();
    for (let reads = 0; reads < 500; reads += 1) await read();
    const { statistics } = profiler.stop();
    const oldSpace = ({ heapSpaceStatistics }: (typeof statistics)[number]['beforeGC']) =>
      heapSpaceStatistics.find(({ spaceName }) => spaceName === 'old_space')?.spaceUsedSize ?? Number.NaN;
    const scavenges = statistics.filter(({ gcType }) => gcType === 'Scavenge');
    expect(scavenges.length).toBeGreaterThan(0);
    return (
      scavenges.reduce((sum, { beforeGC, afterGC }) => sum + oldSpace(afterGC) - oldSpace(beforeGC), 0) / 1e6
    );
  }
  // The first rounds also move what tests before this one left young.
  const moved = [await movedMb(), await movedMb(), await movedMb()];
  client.release();
  expect(Math.min(...moved)).toBeLessThan(2);
});

test('statements that are asked in one turn leave in one piece', async () => {
  const client = await poolOf({}).connect();
  await client.query('select 1');
  const pieces = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev')];
  onTestFinished(() => pieces.forEach((spy) => spy.mockRestore()));
  await Promise.all([client.query('begin'), client.query('select $1::int', [1]), client.query('commit')]);
  expect(pieces.map((spy) => spy.mock.calls.length)).toEqual([0, 1]);
  client.release();
});
