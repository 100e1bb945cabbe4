import { useEffect } from 'react';

let screens = 0;

/**
 * Says where the buyer has arrived: the document's title and, from the second screen on, focus on the screen's heading,
 * which a screen reader then reads. On the first screen the browser does both by itself.
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
