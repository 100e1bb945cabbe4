import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
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
  const target = new URL(database.url);
  let silent = false;
  const sockets: Socket[] = [];
  const between = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    sockets.push(near, far);
    near.on('data', (chunk) => silent || far.write(chunk));
    far.on('data', (chunk) => silent || near.write(chunk));
    for (const socket of [near, far]) socket.on('error', () => {});
    near.on('close', () => far.destroy());
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    between.close();
    await once(between, 'close');
  });
  const url = new URL(database.url);
  url.port = String((between.address() as AddressInfo).port);

  const pool = poolOf({ url: url.href, silenceMs: 200 });
  const client = await pool.connect();
  client.on('error', () => {});
  await client.query('begin');
  silent = true;
  await expect(client.query('select $1::int', [1])).rejects.toThrow('timeout');
  await expect(client.query('select $1::int', [2])).rejects.toThrow(/not queryable|terminated|timeout/);
  client.release();
  silent = false;
  await expect.poll(() => pool.totalCount).toBe(0);
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});
