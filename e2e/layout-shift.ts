import type { Page } from 'playwright-core';

/** Cumulative layout shift of a screen, until it is whole. Browsers call 0.1 good. */
export const MOST_SHIFT = 0.02;

/**
 * The sum of what moved in this document without the buyer having touched anything. Browsers leave out what moves within half a
 * second of a press; so is what moves within that of the answer to one, and of the work on it, which come later on a busy machine.
 */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const soonMs = 500;
        const causes: number[] = [...(window as any).__presses];
        const isCaused = (at: number) => causes.some((cause) => at >= cause && at - cause < soonMs);
        let sum = 0;
        const watch = new PerformanceObserver((list) => {
          const work = list.getEntriesByType('longtask').map((task) => [task.startTime, task.duration]);
          const answers = performance
            .getEntriesByType('resource')
            .map((each) => [each.startTime, each.duration]);
          for (const [start = 0, ms = 0] of [...work, ...answers].toSorted(
            ([one = 0], [other = 0]) => one - other,
          ))
            if (isCaused(start)) causes.push(start + ms);
          for (const entry of list.getEntriesByType('layout-shift') as (PerformanceEntry & {
            value: number;
            hadRecentInput: boolean;
          })[])
            if (!entry.hadRecentInput && !isCaused(entry.startTime)) sum += entry.value;
        });
        watch.observe({ type: 'longtask', buffered: true });
        watch.observe({ type: 'layout-shift', buffered: true });
        // Two frames: what was recorded is delivered, and what was just drawn is recorded.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))));
      }),
  );
}
