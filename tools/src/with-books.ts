import fs from 'node:fs';
import path from 'node:path';
import { openDb, type Db } from '@aparta/server/db/db';
import { isMigrated } from '@aparta/server/db/ready';
import { startPostgres } from './postgres.ts';
import { settingsFromEnvironment } from './settings.ts';
import { StartFailure } from './start-failure.ts';

/** A table or role that is not there: nothing was ever migrated. */
const UNKNOWN_TO_THE_DATABASE = ['42P01', '22023'];

/**
 * Gives a command the database that DATABASE_URL or DATA_DIR names, beside a working product or without one. Creates none, and
 * says in one sentence why there is none to read.
 */
export async function withBooks(body: (db: Db) => Promise<void>): Promise<void> {
  const { dataDir, databaseUrl } = settingsFromEnvironment();
  const folder = path.join(dataDir, 'postgres');
  if (!databaseUrl && !fs.existsSync(folder)) {
    throw new StartFailure(
      `There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL to where it is.`,
    );
  }
  const postgres = databaseUrl ? undefined : await startPostgres({ dataDir: folder });
  const db = openDb({ url: databaseUrl ?? postgres?.url ?? '', max: 1 });
  try {
    if (!(await isUpToDate(db))) {
      throw new StartFailure('The database is not up to date: run npm run migrate first.');
    }
    await body(db);
  } finally {
    await db.destroy();
    await postgres?.stop();
  }
}

async function isUpToDate(db: Db): Promise<boolean> {
  try {
    return await isMigrated(db);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (UNKNOWN_TO_THE_DATABASE.includes(code ?? '')) return false;
    throw new StartFailure(`The database does not answer: ${message || code}.`, { cause: error });
  }
}
