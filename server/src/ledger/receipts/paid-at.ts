/** Clocks of providers and of ours are a little apart. */
const CLOCKS_APART_MS = 300_000;

interface Bounds {
  /** Before what it pays existed, nobody paid it. */
  readonly since: Date;
  readonly now: Date;
}

/**
 * When money was paid, as its provider says it, within reason. Undefined where that is nonsense or is not said: then the moment
 * of booking counts.
 */
export function paidMoment(said: Date | null | undefined, { since, now }: Bounds): Date | undefined {
  if (!said || said.getTime() < since.getTime() - CLOCKS_APART_MS) return undefined;
  return said.getTime() > now.getTime() ? undefined : said;
}

/** Whether a moment is not merely unsaid or a clock ahead, but wrong: somebody should hear of it. */
export function isNonsense(said: Date | null | undefined, { since, now }: Bounds): boolean {
  if (!said) return false;
  return (
    said.getTime() > now.getTime() + CLOCKS_APART_MS || said.getTime() < since.getTime() - CLOCKS_APART_MS
  );
}
