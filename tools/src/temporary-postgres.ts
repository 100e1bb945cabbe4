import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startPostgres } from './postgres.ts';

/** Durability buys nothing here: the folder goes when the server stops. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
};

/** A PostgreSQL in a folder of its own that `stop` removes. For tests and checks. */
export async function startTemporaryPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-test-'));
  fs.chmodSync(folder, 0o755); // when root must hand the server to another user, he has to get in
  const server = await startPostgres({ dataDir: path.join(folder, 'postgres'), settings: SETTINGS });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
