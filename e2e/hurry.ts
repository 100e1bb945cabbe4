import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { spoilt } from './phone.ts';

/**
 * Installs a fake clock in a tab, from its next document on, so that `hurry` can move it. It keeps running, for good.
 */
export async function takeClock(page: Page): Promise<void> {
  spoilt.add(page.context());
  await page.clock.install();
}

/**
 * Moves the tab's clock by `stepMs` until `isThere`, instead of waiting between polls. The network still
 * takes real time.
 */
export async function hurry(page: Page, isThere: () => Promise<boolean>, stepMs = 10_000): Promise<void> {
  const jump = async () => {
    await page.clock.fastForward(stepMs);
    return isThere();
  };
  await expect.poll(jump, { timeout: 20_000, interval: 250 }).toBe(true);
}
