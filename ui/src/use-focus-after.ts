import { useEffect, useRef, type RefObject } from 'react';

/**
 * For what is read next once a press is done whose button goes with it: it gets the focus, or who uses a keyboard would begin again at
 * the top of the page.
 */
export function useFocusAfter<Next extends HTMLElement>(done: unknown): RefObject<Next | null> {
  const next = useRef<Next>(null);
  useEffect(() => {
    if (done && document.activeElement === document.body) next.current?.focus({ preventScroll: true });
  }, [done]);
  return next;
}
