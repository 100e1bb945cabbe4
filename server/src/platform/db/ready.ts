import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';

import type { Db } from './db.ts';
import { knownMigrations } from './migrate.ts';
import { pipeline, transaction } from './transaction.ts';

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

/** Ends a transaction that was only a trial. */
class Tried extends Error {}

/**
 * Writes a row that is taken back, so that nobody waits for it or finds it. Rejects with what PostgreSQL says where it takes no
 * writes: it is a standby, was set to read only, or its disk is full.
 */
export async function tryToWrite(db: Db): Promise<void> {
  const trial = transaction(db, async (tx) => {
    await pipeline(
      tx,
      sql`insert into rate_counters (key, points, expire) values (${`tried ${randomUUID()}`}, 0, 0)`.compile(
        tx,
      ),
      // On a full disk a row may still find a place in its table; a file of its own, for what memory does not hold, does not.
      sql`select set_config('work_mem', '64kB', true)`.compile(tx),
      sql`select count(*) from generate_series(1, 5000)`.compile(tx),
    );
    throw new Tried();
  });
  return trial.catch((error: unknown) => {
    if (!(error instanceof Tried)) throw error;
  });
}

/** Probes come as often as anybody likes; what one has found counts for the others for so long. */
const FOUND_FOR_MS = 1_000;
const found = new WeakMap<Db, { readonly askedAt: number; readonly isWritable: Promise<boolean> }>();

function isWritable(db: Db): Promise<boolean> {
  const last = found.get(db);
  const askedAt = performance.now();
  if (last !== undefined && askedAt - last.askedAt < FOUND_FOR_MS) return last.isWritable;
  const asked = {
    askedAt,
    isWritable: tryToWrite(db).then(
      () => true,
      () => false,
    ),
  };
  found.set(db, asked);
  return asked.isWritable;
}

/** Workers that hear nothing are replaced twice within this time: it takes more than that to end their silence. */
const STOOD_STILL_MS = 60_000;

/** Whether a server may be given calls: its database is ready and takes writes, and none of its lanes of job workers stands still. */
export async function isReady(db: Db, jobsSilentMs: Readonly<Record<string, number>>): Promise<boolean> {
  const standsStill = Object.values(jobsSilentMs).some((ms) => ms > STOOD_STILL_MS);
  return !standsStill && (await isMigrated(db)) && isWritable(db);
}
