import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Takes a tab's clock in hand, from its next document on, so that `hurry` can move it. It runs on by itself. */
export async function takeClock(page: Page): Promise<void> {
  await page.clock.install();
}

/**
 * Waits for what the tab comes to by itself, with no wait between its looks: its clock jumps by `stepMs` until `isThere`.
 * The network takes the time that it takes.
 */
export async function hurry(page: Page, isThere: () => Promise<boolean>, stepMs = 10_000): Promise<void> {
  const jump = async () => {
    await page.clock.fastForward(stepMs);
    return isThere();
  };
  await expect.poll(jump, { timeout: 20_000, interval: 250 }).toBe(true);
}
