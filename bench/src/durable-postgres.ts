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
  /** Processor time of the server and all that it started, in ms; undefined where the system does not tell. */
  cpuMs(): number | undefined;
  stop(): Promise<void>;
}

/** A PostgreSQL with every durability setting as production has it, in a folder that `stop` removes. */
export async function startDurablePostgres(): Promise<DurablePostgres> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-bench-'));
  fs.chmodSync(folder, 0o755); // another user, who runs the server where we are root, has to get in
  const dataDir = path.join(folder, 'postgres');
  // Room for all that is measured, so that no checkpoint falls into one round and not into another.
  const settings = { shared_buffers: '512MB', max_wal_size: '4GB', checkpoint_timeout: '30min' };
  const server = await startPostgres({ dataDir, settings });
  const [pid] = fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
  return {
    ...databasesOf(server.socketUrl),
    cpuMs: () => cpuMsOf(Number(pid)),
    async stop() {
      await server.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What is done in the databases of the server at `url`. */
export function databasesOf(url: string): Pick<DurablePostgres, 'run' | 'create'> {
  const at = (database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href;
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
  };
}

/** Linux counts it in hundredths of a second. */
const TICK_MS = 10;

/** Of a process with its children: those that live, and those whose end it has seen. */
function cpuMsOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  let ticks = 0;
  for (const entry of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = fs.readFileSync(`/proc/${entry}/stat`, 'utf8');
      // After the program's name, which may hold anything: state, parent, …, then user and system time, then the children's.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [own, reaped] = [(fields[11] ?? 0) + (fields[12] ?? 0), (fields[13] ?? 0) + (fields[14] ?? 0)];
      if (Number(entry) === pid) ticks += own + reaped;
      else if (fields[1] === pid) ticks += own;
    } catch {
      // It has just ended.
    }
  }
  return ticks * TICK_MS;
}
