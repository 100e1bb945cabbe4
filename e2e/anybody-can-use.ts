import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFinds, bringAxe } from './axe.ts';
import { test } from './journey.ts';
import { whatMoved } from './layout-shift.ts';
import { ALLOWED, buyerOf, type Screen } from './screens.ts';

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
];
const SCHEMES = ['light', 'dark'] as const;
/** Of a desk's browsers; this one draws none. */
const SCROLL_BAR = 17;

/** Each screen in both schemes at two sizes, at 320 px, and with text of 200 %. */
export function anybodyCanUse(screens: readonly Screen[]): void {
  for (const screen of screens) {
    test(`Anybody can use '${screen.name}': axe finds nothing, and nothing scrolls sideways`, async ({
      shop,
      phone,
    }) => {
      const buyer = await buyerOf(screen, shop);
      const opened = await phone({
        ...(screen.signedInAs !== 'nobody' && { buyer }),
        permissions: [...ALLOWED, ...(screen.permissions ?? [])],
        mayComplain: [/ERR_BLOCKED_BY_CLIENT/],
      });
      const { page } = opened;
      await bringAxe(page);
      await screen.open({ shop, page, buyer, phone: opened });
      expect(await whatMoved(page), 'nothing moves under the thumb').toEqual([]);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          const found = await axeFinds(page, colorScheme === 'light' ? 'all' : 'colour');
          expect(found, `${size.width} px, ${colorScheme}`).toEqual([]);
        }
        expect(await sticksOut(page, SCROLL_BAR), `at ${size.width} px, beside a scroll bar`).toEqual([]);
        expect(await cutDates(page), `at ${size.width} px`).toEqual([]);
      }
      if (screen.isPrinted) {
        await page.emulateMedia({ media: 'print' });
        expect(await tallGrids(page), 'printed').toEqual([]);
        expect(await page.locator('main button:visible').allTextContents(), 'printed').toEqual([]);
        await page.emulateMedia({ media: null });
      }
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await sticksOut(page), 'at 320 px').toEqual([]);
      expect(await brokenWords(page), 'at 320 px').toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      const twice = await page.evaluate(() => {
        const size = () => Number.parseFloat(getComputedStyle(document.body).fontSize);
        const before = size();
        document.documentElement.style.fontSize = '200%';
        return size() / before;
      });
      expect(twice).toBe(2);
      expect(await sticksOut(page), 'with text of 200 %').toEqual([]);
      expect(await brokenWords(page), 'with text of 200 %').toEqual([]);
    });
  }
}

/**
 * Elements wider than the window, which would make the page scroll sideways; or than what a scroll bar of `beside` pixels leaves of it.
 */
function sticksOut(page: Page, beside = 0): Promise<string[]> {
  return page.evaluate((pixels) => {
    const { style } = document.documentElement;
    style.marginInlineStart = `${pixels}px`;
    const { clientWidth, scrollWidth } = document.documentElement;
    const wide = scrollWidth <= clientWidth ? [] : [...document.body.querySelectorAll('*')];
    const found = wide
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .slice(0, 5)
      .map((element) => element.outerHTML.slice(0, 150));
    style.marginInlineStart = '';
    return wide.length > 0 ? [`${scrollWidth} > ${clientWidth}`, ...found] : [];
  }, beside);
}

/** Fields of a date that leave no room for its year as Firefox draws it, wider than the browser of these tests. */
function cutDates(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('input[type=date]')]
      .filter((field) => field.checkVisibility() && field.offsetWidth < 180)
      .map((field) => `${field.name}: ${field.offsetWidth} px`),
  );
}

/**
 * Grids that may not fit on a sheet: Firefox moves one to the next, which on a roll of a till leaves a sheet with the title alone.
 */
function tallGrids(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter((each) => each.clientHeight > 250 && getComputedStyle(each).display === 'grid')
      .map((each) => `${each.className}: ${each.clientHeight} px`),
  );
}

/** Words that stand on two lines, which is how text shows that it has too little room; not parts of addresses or codes. */
function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const element = node.parentElement;
      // What only a screen reader meets is one pixel wide.
      if (!element?.checkVisibility() || element.offsetWidth < 2) continue;
      for (const word of (node.textContent ?? '').matchAll(/(?<=^|[\s¡¿(])\p{L}+(?=[.,:;!?)]*(?:\s|$))/gu)) {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(`${word[0]} in ${element.outerHTML.slice(0, 120)}`);
      }
    }
    return found;
  });
}
