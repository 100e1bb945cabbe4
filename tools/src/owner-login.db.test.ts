import fs from 'node:fs';
import { migrate } from '@aparta/server/platform/db/migrate';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { query } from './query.ts';
import { serverUrlOf } from './server-url.ts';
import { startTemporaryPostgres } from './temporary-postgres.ts';

const RUNBOOK = fs.readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');

test('an owner that is no superuser sees who holds the connections and ends one, as the runbook says', async () => {
  const machine = await startTemporaryPostgres();
  onTestFinished(() => machine.stop());
  await query(machine.url, `create role shop login createrole password 'a'`);
  await query(machine.url, 'create database shop owner shop');
  const ownerUrl = `postgres://shop:a@${new URL(machine.url).host}/shop`;
  await migrate(ownerUrl, { serverUrl: serverUrlOf(ownerUrl) });
  const server = new pg.Client({ connectionString: serverUrlOf(ownerUrl) });
  const ended = new Promise((resolve) => server.on('error', resolve));
  await server.connect();
  await server.query('begin');
  await server.query('select 1 as held');

  const [, list = '', end = ''] =
    /(select pid, state[^;]*);\n(select pg_terminate_backend\(:pid\))/.exec(RUNBOOK) ?? [];
  const connections = await query(ownerUrl, list);
  const held = connections.find((one) => one['query'] === 'select 1 as held');
  expect(held).toMatchObject({ state: 'idle in transaction' });
  await query(ownerUrl, end.replace(':pid', held?.['pid']));
  // The first error is what the database said; that the connection is gone follows.
  expect(await ended).toMatchObject({ code: '57P01' });
});
