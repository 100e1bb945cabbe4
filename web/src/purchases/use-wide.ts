import { useSyncExternalStore } from 'react';

/** Same width as in `purchases.module.css`. */
const WIDE = '(min-width: 64rem)';

function subscribe(listener: () => void) {
  const query = window.matchMedia?.(WIDE);
  query?.addEventListener('change', listener);
  return () => query?.removeEventListener('change', listener);
}

/** Whether list and detail fit side by side; a phone loads and renders only one. */
export function useWide(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia?.(WIDE).matches ?? false,
    () => false,
  );
}
