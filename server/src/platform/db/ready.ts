import { sql } from 'kysely';

import type { Db } from './db.ts';
import { knownMigrations } from './migrate.ts';

/** No table of migrations, no role to work as: nothing was ever migrated. */
const NEVER_MIGRATED = ['42P01', '22023'];

/** The migrations that this code knows and the database has not. A newer database has more, which is fine: they only add. */
export async function missingMigrations(db: Db): Promise<string[]> {
  const known = await knownMigrations();
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    const done = new Set(rows.map(({ name }) => name));
    return known.filter((name) => !done.has(name));
  } catch (error) {
    if (NEVER_MIGRATED.includes((error as { code?: string }).code ?? '')) return known;
    throw error;
  }
}

/** Whether the database can be reached and has every migration that this code knows. */
export async function isMigrated(db: Db): Promise<boolean> {
  return (await missingMigrations(db)).length === 0;
}

/** Workers that hear nothing are replaced twice within this time: it takes more than that to end their silence. */
const STOOD_STILL_MS = 60_000;

/** Whether a server may be given calls: its database is ready, and none of its lanes of job workers stands still. */
export async function isReady(db: Db, jobsSilentMs: Readonly<Record<string, number>>): Promise<boolean> {
  return Object.values(jobsSilentMs).every((ms) => ms <= STOOD_STILL_MS) && (await isMigrated(db));
}
