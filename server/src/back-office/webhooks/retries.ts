/** An address that took nothing for so long is switched off. */
export const DEAD_AFTER_MS = 3 * 24 * 3_600_000;

/** More waits than an address lives in silence, so that switched on again it hears of all it missed. */
const MOST_TRIES = 13;
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 12 * 3_600_000;

/** How long an event waits after so many failed tries; undefined when it is given up. */
export function waitAfter(tries: number): number | undefined {
  return tries < MOST_TRIES ? Math.min(FIRST_WAIT_MS * 4 ** (tries - 1), LONGEST_WAIT_MS) : undefined;
}
