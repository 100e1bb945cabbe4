import { useEffect } from 'react';

let screens = 0;

/**
 * Sets the document's title and, from the second screen on, focuses the heading so that screen readers
 * announce it. On the first screen the browser does both.
 */
export function useArrival(title: string, productName: string): void {
  useEffect(() => {
    document.title = `${title} · ${productName}`;
  }, [title, productName]);
  useEffect(() => {
    screens += 1;
    if (screens === 1) return;
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>('h1[tabindex="-1"]')?.focus({ preventScroll: true });
  }, []);
}
