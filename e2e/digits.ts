import type { Page } from 'playwright-core';

/** The number that a page shows under a name, 'Referencia' say, once it does: without its blanks. */
export async function digitsOn(page: Page, name: string): Promise<string> {
  const shown = await page.getByRole('group', { name, exact: true }).locator('p').first().innerText();
  return shown.replaceAll(/\s/g, '');
}
