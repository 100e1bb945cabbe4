import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../logging.ts';
import type { Lane } from './lane.ts';

const PATIENCE_MS = 30_000;

/** Takes something that is due and gives what is to be done about it; undefined when nothing is. */
export type Take = () => Promise<(() => Promise<void>) | undefined>;

/** Does what is due, `atOnce` at a time, on each of the servers that share the work; `take` says whose it is. */
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
  const running = new Set<Promise<void>>();
  let answeredAt = performance.now();

  async function run(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (err) {
      log.error({ err }, `${what} were not done`);
    }
    answeredAt = performance.now();
  }

  /** One polls for all of them: while nothing is due, the database is not asked by each. */
  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (running.size >= atOnce) {
        await Promise.race(running);
        continue;
      }
      let work: (() => Promise<void>) | undefined;
      try {
        work = await take();
        answeredAt = performance.now();
      } catch (err) {
        log.error({ err }, `${what} were not read`);
      }
      if (work === undefined) {
        await sleep(pollEveryMs, undefined, { signal: stopping.signal }).catch(() => {});
      } else {
        const done = run(work).finally(() => running.delete(done));
        running.add(done);
      }
    }
  }
  const ended = poll().then(() => Promise.all(running));

  return {
    silentMs: () => (running.size >= atOnce ? 0 : performance.now() - answeredAt),
    async stop() {
      stopping.abort();
      const patience = new AbortController();
      await Promise.race([ended, sleep(PATIENCE_MS, undefined, { signal: patience.signal })]);
      patience.abort();
    },
  };
}
