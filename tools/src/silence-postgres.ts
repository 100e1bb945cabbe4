import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { query } from './query.ts';

/**
 * Stops every process of the PostgreSQL at `url` where it stands, as a machine does that hangs: connections stay open and
 * nothing answers. Returns what lets them go on.
 */
export async function silencePostgres(url: string): Promise<() => void> {
  const [row] = await query<{ pid: string }>(
    url,
    `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as pid`,
  );
  return silenceTree(Number(row?.pid));
}

/** {@link silencePostgres} by the number of its first process: one that does not answer can be silenced too. */
export function silenceTree(postmaster: number): () => void {
  process.kill(postmaster, 'SIGSTOP'); // first, so that it starts no more
  return stop([...childrenOf(postmaster), postmaster]);
}

/** By the kernel's own list on Linux, where small images have no program that tells. */
function childrenOf(parent: number): number[] {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    const lines = stdout.trim().split('\n');
    return lines
      .map((line) => line.trim().split(/\s+/).map(Number))
      .filter(([, of]) => of === parent)
      .map(([pid = 0]) => pid);
  }
  return fs
    .readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === parent);
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined; // it has ended meanwhile
  }
}

/** Stops what serves the connections that are open now, as a network does that forgot them. New ones are answered. */
export async function silenceConnections(url: string): Promise<() => void> {
  const rows = await query<{ pid: number }>(
    url,
    `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return stop(rows.map(({ pid }) => pid));
}

function stop(pids: readonly number[]): () => void {
  send('SIGSTOP');
  return () => send('SIGCONT');

  function send(signal: NodeJS.Signals): void {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
  }
}
