import type { Rank } from '../db/admission.ts';

const BEAT_MS = 10;

export interface Loop {
  /** Whether what was asked before is keeping this process too long for another call of this rank. */
  isBehind(rank: Rank): boolean;
  stop(): void;
}

/**
 * Watches how far the process is behind: a timer that beats every 10 ms, and how late it is at this moment. A process that has
 * to answer more than it can makes everybody wait, also those whom the database could serve; so it refuses, which is cheap.
 * What reads is refused sooner than what acts.
 */
export function watchLoop(patienceMs: number): Loop {
  let beatAt = performance.now();
  const timer = setInterval(() => (beatAt = performance.now()), BEAT_MS);
  timer.unref();
  const MOST_MS: Record<Rank, number> = { read: patienceMs / 3, act: (patienceMs * 2) / 3 };
  return {
    isBehind: (rank) => performance.now() - beatAt - BEAT_MS > MOST_MS[rank],
    stop: () => clearInterval(timer),
  };
}
