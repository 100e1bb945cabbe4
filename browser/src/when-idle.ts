/** Where the browser does not tell when it is idle. */
const IDLE_MS = 200;
/** However busy the browser is. */
const LATEST_MS = 2_000;

/** Does it once the browser has nothing better to do. The function that calls it off. */
export function whenIdle(act: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const waiting = requestIdleCallback(act, { timeout: LATEST_MS });
    return () => cancelIdleCallback(waiting);
  }
  const waiting = setTimeout(act, IDLE_MS);
  return () => clearTimeout(waiting);
}
