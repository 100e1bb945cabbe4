import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDb } from '@aparta/server/platform/db/db';
import { type RunningJobs, runJobs } from '@aparta/server/platform/jobs/run-jobs';
import { createLog } from '@aparta/server/platform/logging';
import { openRelay } from '@aparta/server/test/relay';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query } from './query.ts';
import { silenceConnections, silencePostgres } from './silence-postgres.ts';
import { startTemporaryPostgres } from './temporary-postgres.ts';

let database: Awaited<ReturnType<typeof startTemporaryPostgres>>;
let db: Db;
let jobs: RunningJobs;
beforeAll(async () => {
  database = await startTemporaryPostgres();
  db = openDb({ url: database.url, role: 'none' });
});
afterEach(() => jobs.stop());
afterAll(async () => {
  await db.destroy();
  await database.stop();
});

const runs: string[] = [];
const open = Promise.withResolvers<void>();
/** Two that end one after the other, once the database is silent, and any number of others. */
async function start(
  waits: { silenceMs: number; standstillMs: number },
  databaseUrl = database.url,
): Promise<void> {
  jobs = await runJobs(
    {
      pay: async ({ name, endsAfterMs }: { name: string; endsAfterMs?: number }) => {
        runs.push(name);
        if (endsAfterMs === undefined) return;
        await open.promise;
        await sleep(endsAfterMs);
      },
    },
    {
      databaseUrl,
      lanes: { money: { atOnce: 2, jobs: ['pay'] } },
      db,
      log: createLog('silent'),
      pollEveryMs: 2_000,
      crontab: '',
      longJobs: [],
      ...waits,
    },
  );
}
const add = (name: string, endsAfterMs?: number) =>
  query(database.url, `select graphile_worker.add_job('pay', $1::json)`, [
    JSON.stringify({ name, endsAfterMs }),
  ]);
const left = async () => (await query(database.url, 'select from graphile_worker.jobs')).length;
const waitMs = () => jobs.silentMs()['money'] ?? 0;

describe('a database that falls silent', () => {
  test('while two payments end: others are settled once it goes on, and so are the two', async () => {
    await start({ silenceMs: 1_000, standstillMs: 4_000 });
    await add('first', 0);
    await add('second', 200);
    await expect.poll(() => runs).toHaveLength(2);
    const goOn = await silencePostgres(database.url);
    open.resolve();
    // graphile-worker counts the ends that failed: the second of them leaves it waiting for ever.
    await sleep(4_000);
    goOn();
    await add('third');
    await expect.poll(() => runs).toContain('third');
    await expect.poll(left).toBe(0);
  });

  test('workers whose connections never answer again are replaced by others', async () => {
    await start({ silenceMs: 0, standstillMs: 1_500 });
    await add('fourth');
    await expect.poll(() => runs).toContain('fourth');
    const goOn = await silenceConnections(database.url);
    await expect.poll(waitMs).toBeGreaterThan(2_000);
    await add('fifth');
    await expect.poll(() => runs).toContain('fifth');
    expect(waitMs()).toBeLessThan(2_000);
    goOn();
  });

  // Vitest fails on what nobody catches; it would end the server.
  test('workers that stop while the connection on which they listen is lost end nothing else', async () => {
    const relay = await openRelay(database.url);
    await start({ silenceMs: 0, standstillMs: 30_000 }, relay.url);
    await add('sixth');
    await expect.poll(() => runs).toContain('sixth');
    const silent = relay.silenceAt('LISTEN');
    relay.cut(); // the queue is listened to anew
    await silent;
    const stopped = jobs.stop();
    relay.setSilent(false);
    relay.cut();
    await stopped;
    await relay.close();
  });
});
