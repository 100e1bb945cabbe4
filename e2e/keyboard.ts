import type { Page } from 'playwright-core';

/** More than there are on any screen. */
const ROUND = 40;

/** Goes by Tab to what has a name that begins so, on a page that nobody touches. */
export function tabbing(page: Page): (name: string) => Promise<void> {
  /** The accessible name of the focused element, inside the provider's frame too. */
  async function focused(): Promise<string> {
    const names = await Promise.all(
      page.frames().map((frame) =>
        frame
          .evaluate(() => {
            const one = document.activeElement;
            if (!one || one === document.body || one.tagName === 'IFRAME' || !document.hasFocus()) return '';
            const labels = [...((one as HTMLInputElement).labels ?? [])].map((label) => label.textContent);
            return [...labels, one.getAttribute('aria-label'), one.textContent]
              .filter(Boolean)
              .join(' ')
              .trim();
          })
          .catch(() => ''),
      ),
    );
    return names.find((name) => name !== '') ?? '';
  }
  return async function tabTo(name: string): Promise<void> {
    const passed: string[] = [];
    for (let presses = 0; presses < 3 * ROUND; presses += 1) {
      // A screen that still loads may not have it yet.
      if (presses > 0 && presses % ROUND === 0) await page.waitForTimeout(1_000);
      const now = await focused();
      if (now.startsWith(name)) return;
      passed.push(now);
      await page.keyboard.press('Tab');
    }
    throw new Error(`No Tab leads to ${name}: ${passed.join(' > ')}`);
  };
}
