import type { Page } from 'playwright-core';

/** Cumulative layout shift of a screen, until it is whole. Browsers call 0.1 good. */
const MOST_SHIFT = 0.02;

interface Shift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
}

/**
 * What moved in this document without the buyer having touched anything, with its share; nothing while the shares add up to less than
 * is seen. Browsers leave out what moves within half a second of a press; so is what moves within a second of the answer to one,
 * which comes and is drawn later on a busy machine.
 */
export function whatMoved(page: Page, most = MOST_SHIFT): Promise<string[]> {
  return page.evaluate(
    (seen) =>
      new Promise<string[]>((resolve) => {
        const soonMs = 1_000;
        const causes: number[] = [...(window as any).__presses];
        const isCaused = (at: number) => causes.some((cause) => at >= cause && at - cause < soonMs);
        const moved: Shift[] = [];
        const described = ({ value, startTime, sources }: Shift) => {
          const [first] = sources;
          const from = first && `${first.previousRect.top} to ${first.currentRect.top}`;
          const what = first?.node instanceof Element ? first.node.outerHTML : first?.node?.textContent;
          return `${value.toFixed(3)} after ${Math.round(startTime)} ms, ${from} px: ${what?.slice(0, 200)}`;
        };
        const watch = new PerformanceObserver((list) => {
          for (const { startTime, responseEnd } of performance.getEntriesByType(
            'resource',
          ) as PerformanceResourceTiming[])
            if (isCaused(startTime)) causes.push(responseEnd);
          for (const entry of list.getEntries() as Shift[])
            if (!entry.hadRecentInput && !isCaused(entry.startTime)) moved.push(entry);
        });
        watch.observe({ type: 'layout-shift', buffered: true });
        const end = () =>
          resolve(moved.reduce((sum, { value }) => sum + value, 0) < seen ? [] : moved.map(described));
        // Two frames: what was recorded is delivered, and what was just drawn is recorded.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(end)));
      }),
    most,
  );
}
