import fs from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { beforeAll, test as bare } from 'vitest';
import { launch, openPhone, type Phone, type PhoneOptions } from './phone.ts';
import { openShop, type Shop } from './shop.ts';

/** Started once: if the product does not start, every journey fails at once. */
let started: Promise<Shop> | undefined;
const start = () => (started ??= openShop());

// In the first file of a run: its first journey has its time for itself.
beforeAll(async () => void (await start()));

/** Fixtures: `shop` is shared by the whole run; `phone` opens browsers and closes them at the end. */
export const test = bare
  // The empty pattern is how a fixture says that it needs no other.
  // oxlint-disable-next-line no-empty-pattern
  .extend('shop', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const opened = await start();
    onCleanup(opened.stop);
    return opened;
  })
  // oxlint-disable-next-line no-empty-pattern
  .extend('browsers', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const launched: Partial<Record<'shell' | 'whole', Promise<Browser>>> = {};
    onCleanup(async () => {
      for (const each of Object.values(launched)) await (await each).close();
    });
    return (permissions: readonly string[] = []) => {
      const which = permissions.includes('notifications') ? 'whole' : 'shell';
      return (launched[which] ??= launch([], which));
    };
  })
  .extend('phone', async ({ shop, browsers, task }, { onCleanup }) => {
    const opened: { phone: Phone; complaints: string[] }[] = [];
    onCleanup(async () => {
      await shop.restoreProvider();
      const failed = task.result?.state === 'fail';
      for (const [index, { phone }] of opened.entries()) {
        if (failed) await photograph(phone.context, `${task.name} ${index + 1}`);
        await phone.context.close();
      }
      const complaints = opened.flatMap((each) => each.complaints);
      if (!failed && complaints.length > 0)
        throw new Error(`The browser complained: ${complaints.join('\n')}`);
    });
    return async (options: PhoneOptions = {}): Promise<Phone> => {
      const complaints: string[] = [];
      const browser = await browsers(options.permissions);
      const phone = await openPhone(browser, shop, options, (line) => complaints.push(line));
      opened.push({ phone, complaints });
      return phone;
    };
  });

async function photograph(context: BrowserContext, name: string): Promise<void> {
  const folder = '.cache/e2e';
  fs.mkdirSync(folder, { recursive: true });
  for (const [index, page] of context.pages().entries()) {
    const file = `${name.replaceAll(/[^\p{L}\d]+/gu, '-').slice(0, 90)}-${index + 1}.png`;
    await page.screenshot({ path: path.join(folder, file) }).catch(() => {});
  }
}
