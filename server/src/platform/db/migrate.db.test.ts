import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { openDb } from './db.ts';
import { knownMigrations, migrate } from './migrate.ts';
import { isMigrated, missingMigrations } from './ready.ts';

let database: TestDatabase;
let owner: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
});
afterEach(async () => {
  await owner.end();
  await database.drop();
});

/** A folder of migrations besides ours. */
function folderOf(files: Record<string, string>): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-migrations-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, `${name}.sql`), text);
  return folder;
}

describe('migrating', () => {
  test('from several servers at once runs each file once, in order', async () => {
    const folder = folderOf({
      '9001_table': 'create table seen (at timestamptz not null default clock_timestamp())',
      '9002_row': 'insert into seen default values; select pg_sleep(0.2)',
    });
    const runs = await Promise.all([1, 2, 3].map(() => migrate(database.url, { folder })));
    expect(runs.flat()).toEqual(['9001_table', '9002_row']);
    expect((await owner.query('select count(*)::int as n from seen')).rows).toEqual([{ n: 1 }]);
  });

  test('stops at the one that fails, takes it back whole, and names it', async () => {
    const folder = folderOf({
      '9001_good': 'create table good ()',
      '9002_bad': 'create table half (); select 1/0',
      '9003_later': 'create table later ()',
    });
    await expect(migrate(database.url, { folder })).rejects.toThrow(
      'migration 9002_bad failed: division by zero',
    );
    const { rows } = await owner.query(
      `select to_regclass('good')::text as good, to_regclass('half') as half, to_regclass('later') as later`,
    );
    expect(rows).toEqual([{ good: 'good', half: null, later: null }]);
  });

  test('lets those pass who are served, instead of queueing them behind itself', async () => {
    const folder = folderOf({ '9001_column': 'alter table buyers add column nickname text' });
    await owner.query('begin; select count(*) from buyers'); // a long read: the change has to wait for its end
    const migrating = migrate(database.url, { folder, lockWait: '100ms' });
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    for (let turn = 0; turn < 5; turn += 1) {
      // Queued behind the change, it would wait for the read that ends only below.
      await other.query('select count(*) from buyers');
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    await other.end();
    await owner.query('commit');
    expect(await migrating).toEqual(['9001_column']);
  });

  test('builds an index while somebody writes, outside a transaction', async () => {
    const folder = folderOf({
      '9001_index':
        '-- outside a transaction\ncreate index concurrently buyers_by_name on buyers (user_name)',
    });
    const runs = await Promise.all([migrate(database.url, { folder }), migrate(database.url, { folder })]);
    expect(runs.flat()).toEqual(['9001_index']);
    const { rows } = await owner.query(
      `select indisvalid as valid from pg_index where indexrelid = 'buyers_by_name'::regclass`,
    );
    expect(rows).toEqual([{ valid: true }]);
  });
});

describe('a server', () => {
  test('is not ready over a database that lacks a migration, and says which', async () => {
    const last = (await knownMigrations()).at(-1)!;
    const db = openDb({ url: database.url, max: 1 });
    onTestFinished(() => db.destroy());
    expect(await isMigrated(db)).toBe(true);
    await owner.query('delete from kysely_migration where name = $1', [last]);
    expect(await isMigrated(db)).toBe(false);
    expect(await missingMigrations(db)).toEqual([last]);
  });

  test('goes on with one that is newer, and migrating it from here does nothing', async () => {
    const db = openDb({ url: database.url, max: 1 });
    onTestFinished(() => db.destroy());
    await owner.query(`insert into kysely_migration values ('9999_newer', now()::text)`);
    expect(await migrate(database.url)).toEqual([]);
    expect(await isMigrated(db)).toBe(true);
  });
});
