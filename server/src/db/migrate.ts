import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runMigrations as migrateJobQueue } from 'graphile-worker';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';

const FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url));

/** The names of all migrations that this version of the code knows, in order. */
export async function knownMigrations(): Promise<string[]> {
  return (await readdir(FOLDER))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, -4))
    .toSorted();
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {};
  for (const name of await knownMigrations()) {
    const text = await readFile(`${FOLDER}${name}.sql`, 'utf8');
    migrations[name] = { up: async (db) => void (await sql.raw(text).execute(db)) };
  }
  return migrations;
}

/**
 * Brings the database at `url` up to date: the job queue's own tables, then ours, all or nothing, as the login role.
 * Safe to run from several processes at once (an advisory lock); throws with the name of the migration that failed.
 */
export async function migrate(url: string): Promise<void> {
  await migrateJobQueue({ connectionString: url });
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 5_000 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const { error, results } = await new Migrator({
      db,
      provider: { getMigrations: readMigrations },
    }).migrateToLatest();
    if (error === undefined) {
      await sql`grant select on kysely_migration to aparta_app`.execute(db); // for /readyz
      return;
    }
    const failed = results?.find((result) => result.status === 'Error')?.migrationName;
    throw new Error(
      `migration ${failed ?? '(none)'} failed: ${error instanceof Error ? error.message : 'unknown'}`,
      { cause: error },
    );
  } finally {
    await db.destroy();
  }
}
