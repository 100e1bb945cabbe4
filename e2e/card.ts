import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The provider's card form, on its own origin. */
export function cardFrame(page: Page): FrameLocator {
  return page.frameLocator('iframe[title="Datos de la tarjeta"]');
}

export async function fillCard(page: Page, number: string): Promise<void> {
  const frame = cardFrame(page);
  await frame.getByLabel('Número de tarjeta').fill(number);
  await frame.getByLabel('Vencimiento').fill('12/40');
  await frame.getByLabel('CVV').fill('123');
  await frame.getByLabel('Nombre del titular').fill('Ana Torres');
}

/** Fills in the form and presses the pay button. */
export async function payWith(page: Page, number: string): Promise<void> {
  await fillCard(page, number);
  await page.getByRole('button', { name: /^Pagar \$/ }).click();
}

/** The bank's window. */
export function bankWindow(page: Page): FrameLocator {
  return page.frameLocator('iframe[title="Ventana de tu banco"]');
}

export function heading(page: Page, name: string | RegExp): Locator {
  return page.getByRole('heading', { level: 1, name });
}

/**
 * Waits until the app has taken over a public page, which works as plain HTML before: until then nothing watches its fields,
 * and a form leads to the server's page.
 */
export async function appHas(page: Page): Promise<void> {
  // React leaves its mark on what is its own.
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__react')),
  );
}

/** Waits for a screen by its heading. */
export async function sees(page: Page, name: string | RegExp): Promise<void> {
  await heading(page, name).waitFor();
}

/** Waits until its middle is what a finger would touch there: in the window, and nothing over it. */
export async function isUncovered(element: Locator): Promise<void> {
  await expect
    .poll(() =>
      element.evaluate((one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      }),
    )
    .toBe(true);
}
