import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startPostgres } from '@aparta/tools/postgres';
import pg from 'pg';

export interface DurablePostgres {
  /** Runs statements in a database as its owner, e.g. to fill it. */
  run(database: string, statements: readonly string[]): Promise<void>;
  /** Makes a database, empty or as a copy of one that nobody is connected to, and returns its address. */
  create(database: string, copyOf?: string): Promise<string>;
  stop(): Promise<void>;
}

/** A PostgreSQL with every durability setting as production has it, in a folder that `stop` removes. */
export async function startDurablePostgres(): Promise<DurablePostgres> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-bench-'));
  fs.chmodSync(folder, 0o755); // another user, who runs the server where we are root, has to get in
  // Room for all that is measured, so that no checkpoint falls into one round and not into another.
  const settings = { shared_buffers: '512MB', max_wal_size: '4GB', checkpoint_timeout: '30min' };
  const server = await startPostgres({ dataDir: path.join(folder, 'postgres'), settings });
  const at = (database: string) => {
    const url = new URL(server.url);
    url.pathname = `/${database}`;
    return url.href;
  };
  const run = async (database: string, statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: at(database) });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  return {
    run,
    async create(database, copyOf) {
      await run('postgres', [`create database ${database}${copyOf ? ` template ${copyOf}` : ''}`]);
      return at(database);
    },
    async stop() {
      await server.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
