import fs from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { beforeAll, inject, test as bare } from 'vitest';
import {
  emptyProfile,
  launch,
  openProfile,
  phoneOf,
  type Phone,
  type PhoneOptions,
  type Profile,
} from './phone.ts';
import { openShop, type Shop } from './shop.ts';

/** Started once: if the product does not start, every journey fails at once. */
let started: Promise<Shop> | undefined;
const start = () => (started ??= openShop(inject('demoData')));

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
    const launched: Partial<Record<'shell' | 'whole' | 'used', Promise<Browser>>> = {};
    onCleanup(async () => {
      for (const each of Object.values(launched)) await (await each).close();
    });
    return ({ permissions = [], isUsed }: PhoneOptions) => {
      if (permissions.includes('notifications')) return (launched.whole ??= launch([], 'whole'));
      if (isUsed) return (launched.used ??= launch(['--renderer-process-limit=1']));
      return (launched.shell ??= launch());
    };
  })
  // What nobody uses now, by what it was opened with.
  // oxlint-disable-next-line no-empty-pattern
  .extend('emptied', { scope: 'worker' }, async ({}) => new Map<string, Profile>())
  .extend('phone', async ({ shop, browsers, emptied, task }, { onCleanup }) => {
    const opened: { profile: Profile; kind: string | undefined }[] = [];
    const complaints: string[] = [];
    onCleanup(async () => {
      await shop.restoreProvider();
      const failed = task.result?.state === 'fail';
      for (const [index, { profile, kind }] of opened.entries()) {
        if (failed) await photograph(profile.context, `${task.name} ${index + 1}`);
        if (failed || kind === undefined) {
          await profile.context.close();
        } else {
          await emptyProfile(profile, shop.origin);
          emptied.set(kind, profile);
        }
      }
      if (!failed && complaints.length > 0)
        throw new Error(`The browser complained: ${complaints.join('\n')}`);
    });
    return async ({ buyer, ...options }: PhoneOptions = {}): Promise<Phone> => {
      const kind = options.isUsed ? JSON.stringify(options) : undefined;
      const complain = (line: string) => complaints.push(line);
      const profile =
        (kind && emptied.get(kind)) || (await openProfile(await browsers(options), options, complain));
      profile.complain = complain;
      if (kind) emptied.delete(kind);
      opened.push({ profile, kind });
      return phoneOf(profile, shop.origin, buyer);
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
