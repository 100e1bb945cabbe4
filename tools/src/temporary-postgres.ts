import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startPostgres, type Postgres } from './postgres.ts';

/** Durability buys nothing here: the folder goes when the server stops. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '256MB',
  max_connections: '400',
  // It would look after hundreds of databases that are soon gone, and give statements other plans in each run.
  autovacuum: 'off',
};

/** Where Linux keeps files in memory: hundreds of databases are made and dropped there in half the time. */
const MEMORY = '/dev/shm';
/** More than a run has ever held, and what must be free of it, in bytes. */
const ROOM = 2 * 1024 ** 3;
const PREFIX = 'aparta-test-';
const ABANDONED_AFTER_MS = 6 * 3_600_000;

/**
 * A PostgreSQL in a folder of its own that `stop` removes, reached by its socket where there is one; with other programs than the
 * usual ones where `programs` names their folder. For tests and checks.
 */
export async function startTemporaryPostgres(programs?: string): Promise<TemporaryPostgres> {
  if (!hasRoom(MEMORY)) return startIn(os.tmpdir(), programs);
  removeAbandoned(MEMORY);
  // Memory that runs no programs, or is another user's, is no reason to test nothing.
  return startIn(MEMORY, programs).catch(() => startIn(os.tmpdir(), programs));
}

interface TemporaryPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

async function startIn(parent: string, programs: string | undefined): Promise<TemporaryPostgres> {
  const folder = fs.mkdtempSync(path.join(parent, PREFIX));
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  let server: Postgres;
  try {
    fs.chmodSync(folder, 0o755); // another user, who runs the server where we are root, has to get in
    server = await startPostgres({
      dataDir: path.join(folder, 'postgres'),
      settings: SETTINGS,
      ...(programs !== undefined && { programs }),
    });
  } catch (error) {
    remove();
    throw error;
  }
  return {
    url: server.socketUrl,
    stop: async () => {
      await server.stop();
      remove();
    },
  };
}

function hasRoom(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}

/** What runs left that were killed: on a disk it would only lie there, here it is memory. */
function removeAbandoned(parent: string): void {
  for (const name of fs.readdirSync(parent).filter((each) => each.startsWith(PREFIX))) {
    const folder = path.join(parent, name);
    try {
      if (Date.now() - fs.statSync(folder).mtimeMs < ABANDONED_AFTER_MS) continue;
      fs.rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another user's, or another run has just removed it.
    }
  }
}
