import { CHROMIUM_ARGUMENTS, findChromium, findHeadlessShell } from '@aparta/tools/browser';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { Buyer, Shop } from './shop.ts';

export interface PhoneOptions {
  /** The buyer who is signed in from the start; nobody if missing. */
  readonly buyer?: Buyer;
  readonly viewport?: { width: number; height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly permissions?: string[];
  /** Pixels of a picture for each of the page's. */
  readonly sharpness?: number;
  /**
   * The app's service worker, where the network, documents or what lies between them are tried: it fetches the whole app, a second of
   * processor for each phone. Notifications are the worker's, so who may show them has it.
   */
  readonly hasWorker?: boolean;
  /** Nobody had it before: nothing of the app is in its cache. */
  readonly isNew?: boolean;
  /** Console messages that are expected here; any other fails the journey. */
  readonly mayComplain?: readonly RegExp[];
}

/** Cookies, storage and cache of a phone, which another buyer's may have after it. */
export interface Profile {
  readonly context: BrowserContext;
  /** Is told what goes wrong in it. */
  complain: (line: string) => void;
  /** What may go wrong in it. */
  fine: readonly RegExp[];
  /** A tab that no journey has. */
  kept?: Page;
}

/** One buyer's browser: its tabs share storage, and any error in them fails the journey. */
export interface Phone {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Another tab of the same buyer, signed in too. */
  newTab(): Promise<Page>;
}

/** A typical cheap Android phone. */
const PHONE = { width: 360, height: 740 };

/**
 * axe and the app are compiled anew in each document: V8's optimizing compilers, at their usual haste, cost a quarter of a screen's
 * processor. Loops, as of a help link's work, are optimized all the same.
 */
const RARELY_OPTIMIZED =
  '--js-flags=--invocation-count-for-maglev=20000 --invocation-count-for-turbofan=100000';

/**
 * Chromium logs every refused call, and card documents report trusted types: the provider's script does not
 * use them.
 */
const ORDINARY = [
  /^Failed to load resource: the server responded with a status of 4\d\d/,
  /report-only|Report Only/,
  // The service worker's own, fetched while the page waits for nothing.
  /^An unknown error occurred when fetching the script/,
];

/** The whole browser for what its headless shell does not have: notifications, and a video in the camera's place. */
export async function launch(more: string[] = [], which: 'shell' | 'whole' = 'shell'): Promise<Browser> {
  const executablePath = await (which === 'shell' ? findHeadlessShell() : findChromium());
  if (!executablePath) throw new Error('There is no Chromium here.');
  return chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS, RARELY_OPTIMIZED, ...more] });
}

export async function openPhone(
  browser: Browser,
  { origin }: Pick<Shop, 'origin'>,
  options: PhoneOptions,
  complain: (line: string) => void,
): Promise<Phone> {
  return phoneOf(await openProfile(browser, options, complain), origin, options.buyer);
}

/** The phone of a buyer, or of nobody, in a profile that is empty. */
export async function phoneOf(
  { context }: Profile,
  origin: string,
  buyer: Buyer | undefined,
): Promise<Phone> {
  const newTab = async () => {
    const page = await context.newPage();
    if (buyer) await signIn(page, origin, buyer);
    return page;
  };
  return { context, page: await newTab(), newTab };
}

export async function openProfile(
  browser: Browser,
  {
    viewport = PHONE,
    colorScheme = 'light',
    permissions = [],
    sharpness = 1,
    hasWorker = permissions.includes('notifications'),
    mayComplain = [],
  }: PhoneOptions,
  complain: (line: string) => void,
): Promise<Profile> {
  const isPhone = viewport.width < 768;
  const context = await browser.newContext({
    viewport,
    colorScheme,
    permissions,
    deviceScaleFactor: sharpness,
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    hasTouch: isPhone,
    isMobile: isPhone,
    reducedMotion: 'reduce',
    serviceWorkers: hasWorker ? 'allow' : 'block',
  });
  const profile: Profile = { context, complain, fine: mayComplain };
  context.setDefaultTimeout(15_000);
  const hear = (line: string) => {
    if (![...ORDINARY, ...profile.fine].some((pattern) => pattern.test(line))) profile.complain(line);
  };
  context.on('console', (message) => {
    if (message.type() === 'error') hear(message.text());
  });
  context.on('weberror', (error) => hear(String(error.error())));
  await context.exposeFunction('__refused', (line: string) => hear(line));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { disposition, violatedDirective, blockedURI } = event;
      if (disposition === 'enforce') (window as any).__refused(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  await context.addInitScript(() => {
    const presses: number[] = ((window as any).__presses = []);
    // Text that is filled in comes without keys.
    for (const type of ['pointerdown', 'keydown', 'input'])
      addEventListener(type, () => presses.push(performance.now()), { capture: true });
  });
  return profile;
}

/** Profiles that no other buyer may have: what a journey did to them stays. */
export const spoilt = new WeakSet<BrowserContext>();

/**
 * Closes what is open in a profile and forgets what is stored, all but the cache; a tab of its own keeps the process, which has compiled
 * the app. Answers whether another buyer may have it.
 */
export async function emptyProfile(profile: Profile, origin: string): Promise<boolean> {
  const { context } = profile;
  const isClosed = context.pages().length === 0;
  if (isClosed || spoilt.has(context)) return false;
  await context.unrouteAll();
  await context.setOffline(false);
  const kept = (profile.kept ??= await context.newPage());
  for (const tab of context.pages()) if (tab !== kept) await tab.close();
  await context.clearCookies();
  await openImage(kept, origin);
  const browser = await context.newCDPSession(kept);
  await browser.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await browser.detach();
  return true;
}

/** Leaves what a tab shows for the cheapest document of the origin: storage is filled where no app writes into it. */
export async function openImage(page: Page, origin: string): Promise<void> {
  const image = `${origin}/icon.svg`;
  if (page.url() !== image) await page.goto(image);
}

/** Puts the session into storage as signing in does. */
async function signIn(page: Page, origin: string, { session }: Buyer): Promise<void> {
  await openImage(page, origin);
  await page.evaluate((entries) => {
    for (const [key, value] of entries) sessionStorage.setItem(key, value);
  }, Object.entries(session));
}
