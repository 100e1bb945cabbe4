import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../logging.ts';
import type { Lane } from './lane.ts';

const PATIENCE_MS = 30_000;

/** Takes something that is due and gives what is to be done about it; undefined when nothing is. */
export type Take = () => Promise<(() => Promise<void>) | undefined>;

/**
 * Does what is due, `atOnce` at a time, on each of the servers that share the work; `take` says whose it is. What is done never
 * throws.
 */
export function openPolling(
  take: Take,
  {
    what,
    atOnce,
    pollEveryMs,
    log,
  }: {
    readonly what: string;
    readonly atOnce: number;
    readonly pollEveryMs: number;
    readonly log: Log;
  },
): Lane {
  const stopping = new AbortController();
  let busy = 0;
  let answeredAt = performance.now();

  /** Whether there was something. */
  async function doOne(): Promise<boolean> {
    const work = await take();
    answeredAt = performance.now();
    if (work === undefined) return false;
    busy += 1;
    try {
      await work();
    } finally {
      busy -= 1;
      answeredAt = performance.now();
    }
    return true;
  }

  async function workOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      const found = await doOne().catch((err: unknown) => {
        log.error({ err }, `${what} were not read`);
        return false;
      });
      if (!found) await sleep(pollEveryMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const workers = Promise.all(Array.from({ length: atOnce }, workOn));

  return {
    silentMs: () => (busy >= atOnce ? 0 : performance.now() - answeredAt),
    async stop() {
      stopping.abort();
      const patience = new AbortController();
      await Promise.race([workers, sleep(PATIENCE_MS, undefined, { signal: patience.signal })]);
      patience.abort();
    },
  };
}
