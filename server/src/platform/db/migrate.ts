import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runMigrations as migrateJobQueue } from 'graphile-worker';
import pg from 'pg';
import { openPool } from './pool.ts';
import { admitServer } from './server-login.ts';
import { SERVER_FOLDER } from '../files/server-folder.ts';

const FOLDER = fileURLToPath(new URL('migrations/', SERVER_FOLDER));

/** The first line of a migration that PostgreSQL runs in no transaction: one `create index concurrently`. */
const ALONE = '-- outside a transaction';

/**
 * Whoever asks for a lock after a migration that waits for it waits too, so a migration gives up soon and is tried again: an
 * older version may be serving buyers meanwhile.
 */
const LOCK_WAIT = '3s';
const TRIES = 20;
const LOCK_NOT_AVAILABLE = '55P03';

/** One migration at a time; any number will do, if it is always the same. */
const TURN = 4_280_050_601;

/** The queue's tables are its library's, which may add one; row-level security keeps all others out. */
const QUEUE_GRANTS = `
  grant usage on schema graphile_worker to aparta_worker;
  grant select, insert, update, delete on all tables in schema graphile_worker to aparta_worker;
  grant execute on all functions in schema graphile_worker to aparta_worker;
  do $$
  declare
    queue regclass;
  begin
    for queue in select oid::regclass from pg_class where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
      and not exists (select from pg_policy where polrelid = pg_class.oid and polname = 'aparta_worker') loop
      execute format('create policy aparta_worker on %s to aparta_worker using (true) with check (true)', queue);
    end loop;
  end $$`;

export interface MigrateOptions {
  readonly folder?: string;
  readonly lockWait?: string;
  /** `DATABASE_URL`: the server's own login, made if it is not there. */
  readonly serverUrl?: string | undefined;
  /** Hears each warning of a migration: what it decided about rows that stand. */
  readonly warn?: (sentence: string) => void;
}

/** The names of all migrations that this version of the code knows, in order. */
export async function knownMigrations(folder = FOLDER): Promise<string[]> {
  return (await readdir(folder))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, -4))
    .toSorted();
}

/**
 * Brings the database at `url` up to date as the login that owns it: the job queue's own tables, then ours, each file in a
 * transaction of its own; then lets the login of `serverUrl` in, where it is given. Returns the names of those that were run. Safe while an older version serves, and from several processes at once; does
 * nothing to a database that is newer than this code. Throws with the name of the migration that failed; those before it stay.
 */
export async function migrate(
  url: string,
  { folder = FOLDER, lockWait = LOCK_WAIT, serverUrl, warn }: MigrateOptions = {},
): Promise<string[]> {
  const pool = openPool({ url, max: 2, silenceMs: 0 });
  try {
    const client = await pool.connect();
    try {
      client.on('notice', ({ severity, message }) => {
        if (severity === 'WARNING') warn?.(message ?? '');
      });
      await waitForTurn(client);
      await migrateJobQueue({ pgPool: pool });
      const names = await missing(client, folder);
      for (const name of names)
        await runOne(client, {
          name,
          text: await readFile(path.join(folder, `${name}.sql`), 'utf8'),
          lockWait,
        });
      await client.query('grant select on kysely_migration to aparta_app'); // for /readyz
      await client.query(QUEUE_GRANTS);
      if (serverUrl !== undefined) await admitServer(client, serverUrl);
      return names;
    } finally {
      client.release(true); // its turn ends with it
    }
  } finally {
    await pool.end();
  }
}

/** Asks again and again: an index that is built concurrently waits for whoever is in the middle of a statement. */
async function waitForTurn(client: pg.PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [TURN]);
    if (rows[0]?.mine === true) return;
    await pause(100);
  }
}

async function missing(client: pg.PoolClient, folder: string): Promise<string[]> {
  await client.query(
    `create table if not exists kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`,
  );
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration');
  const done = new Set(rows.map(({ name }) => name));
  return (await knownMigrations(folder)).filter((name) => !done.has(name));
}

async function runOne(
  client: pg.PoolClient,
  { name, text, lockWait }: { name: string; text: string; lockWait: string },
): Promise<void> {
  const note = () =>
    client.query('insert into kysely_migration values ($1, $2)', [name, new Date().toISOString()]);
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (text.startsWith(ALONE)) {
        await client.query(text);
        await note();
        return;
      }
      await client.query(`begin; set local lock_timeout = '${lockWait}'`);
      await client.query(text);
      await note();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      const waited = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (waited && attempt < TRIES) continue;
      const reason = error instanceof Error ? error.message : 'unknown';
      throw new Error(`migration ${name} failed: ${reason}`, { cause: error });
    }
  }
}
