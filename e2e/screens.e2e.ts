import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFinds } from './axe.ts';
import { test } from './journey.ts';
import { buyerOf, SCREENS } from './screens.ts';

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
];
/** Cumulative layout shift of a screen, until it is whole. Browsers call 0.1 good. */
const MOST_SHIFT = 0.02;
const SCHEMES = ['light', 'dark'] as const;

for (const screen of SCREENS) {
  test(`Anybody can use '${screen.name}': axe finds nothing, and nothing scrolls sideways`, async ({
    shop,
    phone,
  }) => {
    const buyer = await buyerOf(screen, shop);
    const opened = await phone({
      ...(screen.signedInAs !== 'nobody' && { buyer }),
      permissions: ['clipboard-read', 'clipboard-write', 'camera'],
      mayComplain: [/ERR_BLOCKED_BY_CLIENT/],
    });
    const { page } = opened;
    await screen.open({ shop, page, buyer, phone: opened });
    expect(await layoutShift(page), 'nothing moves under the thumb').toBeLessThan(MOST_SHIFT);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const found = await axeFinds(page, colorScheme === 'light' ? 'all' : 'colour');
        expect(found, `${size.width} px, ${colorScheme}`).toEqual([]);
      }
    }
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await sticksOut(page), 'at 320 px').toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    const twice = await page.evaluate(() => {
      const size = () => Number.parseFloat(getComputedStyle(document.body).fontSize);
      const before = size();
      document.documentElement.style.fontSize = '200%';
      return size() / before;
    });
    expect(twice).toBe(2);
    expect(await sticksOut(page), 'with text of 200 %').toEqual([]);
  });
}

/** The sum of what moved in this document without the buyer having touched anything. */
function layoutShift(page: Page): Promise<number> {
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

/** Elements wider than the window, which would make the page scroll sideways. */
function sticksOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    );
    return [
      `${scrollWidth} > ${clientWidth}`,
      ...wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 150)),
    ];
  });
}
