import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openPool } from '../db/pool.ts';
import type { Log } from '../logging.ts';
import { CHANNEL } from './announce.ts';

const PROBE_EVERY_MS = 5_000;
const SILENCE_MS = 5_000;
const AGAIN_AFTER_MS = 200;
const MOST_AGAIN_AFTER_MS = 5_000;

export interface ListenerOptions {
  readonly databaseUrl: string;
  readonly log: Log;
  /** Somebody announced these topics. */
  readonly onTopics: (topics: readonly string[]) => void;
  /** It hears from now on; what was announced before nobody knows. */
  readonly onGap: () => void;
  /** How often it asks whether it still hears, and how long the database may leave that without an answer. */
  readonly probeEveryMs?: number;
  readonly silenceMs?: number;
}

export interface Listener {
  /** For how long nothing could be heard, in ms; 0 while the database answers. */
  deafMs(): number;
  stop(): Promise<void>;
}

/**
 * A server's one ear at the database, over a connection of its own. It asks every 5 s whether that still leads to the server
 * that takes writes, and makes another when it does not, however long that takes.
 */
export function openListener(options: ListenerOptions): Listener {
  const { databaseUrl, log, onTopics, onGap } = options;
  const { probeEveryMs = PROBE_EVERY_MS, silenceMs = SILENCE_MS } = options;
  const pool = openPool({ url: databaseUrl, max: 1, silenceMs });
  let heardAt = performance.now();
  let isStopping = false;
  /** Ends what it waits for now. */
  let waiting = new AbortController();
  const ended = run();

  async function run(): Promise<void> {
    for (let failures = 0; !isStopping; failures += 1) {
      const since = heardAt;
      await listen().catch((error: unknown) => {
        if (!isStopping) log.warn({ err: error }, 'changes are not heard');
      });
      if (heardAt > since) failures = 0;
      const most = Math.min(MOST_AGAIN_AFTER_MS, AGAIN_AFTER_MS * 2 ** failures);
      waiting = new AbortController();
      await pause(most * (0.5 + Math.random() / 2)).catch(() => {});
    }
  }

  /** Listens until the connection fails, or leads to the wrong server. */
  async function listen(): Promise<void> {
    const client = await pool.connect();
    const lost = new AbortController();
    waiting = lost;
    for (const end of ['error', 'end'] as const) client.once(end, () => lost.abort());
    client.on('notification', ({ payload = '' }) => onTopics(payload.split(' ')));
    try {
      await client.query(`listen ${CHANNEL}`);
      await assertPrimary(client);
      heardAt = performance.now();
      onGap();
      while (!isStopping) {
        await pause(probeEveryMs);
        await assertPrimary(client);
        heardAt = performance.now();
      }
    } finally {
      client.release(true);
    }
  }

  const pause = (ms: number) =>
    isStopping ? Promise.resolve() : sleep(ms, undefined, { signal: waiting.signal });

  return {
    deafMs() {
      const ms = performance.now() - heardAt;
      return ms > probeEveryMs + silenceMs ? ms : 0;
    },
    async stop() {
      isStopping = true;
      waiting.abort();
      await ended;
      await pool.end();
    },
  };
}

/** A standby that was the primary hears nothing, and breaks no connection. */
async function assertPrimary(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"');
  if (rows[0]?.isStandby !== false) throw new Error('the database server takes no writes any more');
}
