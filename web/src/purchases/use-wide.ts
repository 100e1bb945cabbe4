import { useSyncExternalStore } from 'react';

/** Where list and detail stand side by side: the same width as in `purchases.module.css`. */
const WIDE = '(min-width: 64rem)';

function subscribe(listener: () => void) {
  const query = window.matchMedia?.(WIDE);
  query?.addEventListener('change', listener);
  return () => query?.removeEventListener('change', listener);
}

/** Whether there is room for the list beside the detail; a phone loads and draws one of them. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia?.(WIDE).matches ?? false);
}
