import { useEffect } from 'react';

/** What the document was called when it came; nothing once a screen has. */
let first: string | undefined;

/**
 * Sets the document's title and focuses the heading so that screen readers announce it. Of the first screen the browser does both,
 * unless its document came without its name: what was read out of that was an empty frame.
 */
export function useArrival(title: string, productName: string): void {
  useEffect(() => {
    first ??= document.title;
    document.title = `${title} · ${productName}`;
  }, [title, productName]);
  useEffect(() => {
    const isSaid = document.title === first;
    first = '';
    if (isSaid) return;
    document.querySelector<HTMLElement>('h1[tabindex="-1"]')?.focus();
    scrollTo(0, 0);
  }, []);
}
