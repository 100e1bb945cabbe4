import type { Page } from 'playwright-core';

/** Cumulative layout shift of a screen, until it is whole. Browsers call 0.1 good. */
export const MOST_SHIFT = 0.02;

/** The sum of what moved in this document without the buyer having touched anything. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const watch = new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & {
            value: number;
            hadRecentInput: boolean;
          })[])
            if (!entry.hadRecentInput) sum += entry.value;
        });
        watch.observe({ type: 'layout-shift', buffered: true });
        // Two frames: what was recorded is delivered, and what was just drawn is recorded.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))));
      }),
  );
}
