import { sql } from 'kysely';

import type { Db } from './db.ts';
import { knownMigrations } from './migrate.ts';

/** Whether the database can be reached and has every migration that this code knows. */
export async function isMigrated(db: Db): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const done = new Set(rows.map(({ name }) => name));
  return (await knownMigrations()).every((name) => done.has(name));
}
