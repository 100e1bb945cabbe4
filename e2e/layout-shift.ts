import type { Page } from 'playwright-core';

/** Cumulative layout shift of a screen, until it is whole. Browsers call 0.1 good. */
export const MOST_SHIFT = 0.02;

/**
 * The sum of what moved in this document without the buyer having touched anything. Browsers leave out what moves within half a
 * second of a press; so is what moves within a second of the answer to one, which comes and is drawn later on a busy machine.
 */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const soonMs = 1_000;
        const causes: number[] = [...(window as any).__presses];
        const isCaused = (at: number) => causes.some((cause) => at >= cause && at - cause < soonMs);
        let sum = 0;
        const watch = new PerformanceObserver((list) => {
          for (const { startTime, responseEnd } of performance.getEntriesByType(
            'resource',
          ) as PerformanceResourceTiming[])
            if (isCaused(startTime)) causes.push(responseEnd);
          for (const entry of list.getEntries() as (PerformanceEntry & {
            value: number;
            hadRecentInput: boolean;
          })[])
            if (!entry.hadRecentInput && !isCaused(entry.startTime)) sum += entry.value;
        });
        watch.observe({ type: 'layout-shift', buffered: true });
        // Two frames: what was recorded is delivered, and what was just drawn is recorded.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))));
      }),
  );
}
