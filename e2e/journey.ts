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
    const launched: Partial<Record<'shell' | 'whole', Promise<Browser>>> = {};
    onCleanup(async () => {
      for (const each of Object.values(launched)) await (await each).close();
    });
    return (options: PhoneOptions) =>
      isWhole(options)
        ? (launched.whole ??= launch([], 'whole'))
        : (launched.shell ??= launch(['--renderer-process-limit=1']));
  })
  // What nobody uses now, by what it was opened with: a new one would fetch and compile the app again.
  // oxlint-disable-next-line no-empty-pattern
  .extend('emptied', { scope: 'worker' }, async ({}) => new Map<string, Profile[]>())
  .extend('phone', async ({ shop, browsers, emptied, task }, { onCleanup }) => {
    const opened: { profile: Profile; kind: string | undefined }[] = [];
    const complaints: string[] = [];
    onCleanup(async () => {
      await shop.restoreProvider();
      const failed = task.result?.state === 'fail';
      for (const [index, { profile, kind }] of opened.entries()) {
        if (failed) await photograph(profile.context, `${task.name} ${index + 1}`);
        if (!failed && kind !== undefined && (await emptyProfile(profile, shop.origin)))
          emptied.set(kind, [...(emptied.get(kind) ?? []), profile]);
        else await profile.context.close();
      }
      if (!failed && complaints.length > 0)
        throw new Error(`The browser complained: ${complaints.join('\n')}`);
    });
    return async ({ buyer, ...options }: PhoneOptions = {}): Promise<Phone> => {
      const { hasWorker, isNew, mayComplain = [], ...rest } = options;
      const kind = hasWorker || isNew || isWhole(options) ? undefined : JSON.stringify(rest);
      const complain = (line: string) => complaints.push(line);
      const profile =
        (kind && emptied.get(kind)?.pop()) || (await openProfile(await browsers(options), options, complain));
      Object.assign(profile, { complain, fine: mayComplain });
      opened.push({ profile, kind });
      return phoneOf(profile, shop.origin, buyer);
    };
  });

/** The headless shell has no notifications. */
const isWhole = ({ permissions = [] }: PhoneOptions) => permissions.includes('notifications');

async function photograph(context: BrowserContext, name: string): Promise<void> {
  const folder = '.cache/e2e';
  fs.mkdirSync(folder, { recursive: true });
  for (const [index, page] of context.pages().entries()) {
    const file = `${name.replaceAll(/[^\p{L}\d]+/gu, '-').slice(0, 90)}-${index + 1}.png`;
    await page.screenshot({ path: path.join(folder, file) }).catch(() => {});
  }
}
