import type { Rank } from '../db/admission.ts';

const BEAT_MS = 10;
const LATE_BEATS = 3;

export interface Loop {
  /** Whether what was asked before is keeping this process too long for another call of this rank. */
  isBehind(rank: Rank): boolean;
  stop(): void;
}

/**
 * Watches how far the process is behind: a timer that beats every 10 ms, and how late it is. A process that has to answer more
 * than it can makes everybody wait, also those whom the database could serve; so it refuses, which is cheap. One late beat is
 * a document that was drawn; several in a row are too much work. What reads is refused sooner than what acts.
 */
export function watchLoop(patienceMs: number): Loop {
  const MOST_MS: Record<Rank, number> = { read: (patienceMs * 4) / 3, act: (patienceMs * 8) / 3 };
  let beatAt = performance.now();
  let lateInARow = 0;
  const lateMs = () => performance.now() - beatAt - BEAT_MS;
  const timer = setInterval(() => {
    lateInARow = lateMs() > MOST_MS.read ? lateInARow + 1 : 0;
    beatAt = performance.now();
  }, BEAT_MS);
  timer.unref();
  return {
    isBehind: (rank) => lateInARow >= LATE_BEATS && lateMs() > MOST_MS[rank],
    stop: () => clearInterval(timer),
  };
}
