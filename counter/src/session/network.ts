const listeners = new Set<() => void>();
const KEPT = 'data-kept';

/** Whether the worker brought this document, since the network did not, and nothing has been answered since. */
export function isCutOff(): boolean {
  return document.documentElement.hasAttribute(KEPT);
}

/** The server answered. */
export function reached(): void {
  if (!isCutOff()) return;
  document.documentElement.removeAttribute(KEPT);
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** What tells of the network, for `useSyncExternalStore`. */
export const network = { subscribe, isThere: () => navigator.onLine && !isCutOff() };
