import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CHROMIUM_ARGUMENTS } from '@aparta/tools/browser';
import { measureScreens } from '@aparta/tools/budgets';
import { root } from '@aparta/tools/steps';
import { chromium, type Browser, type Page, type Request } from 'playwright-core';
import { kB, printNote, printTable, verdict } from './report.ts';
import { openStage, type Place } from './stage.ts';

const FIRST_SCREEN_AIM = 80_000;
/** What any other route may add to the first screen. */
const ROUTE_AIM = 35_000;
/** A busy machine is slow; a screen that never comes is broken. */
const WAIT_MS = 45_000;
const QUIET_MS = 500;

/** What travelled, in bytes of bodies as they were sent; the card provider's own files are apart. */
interface Load {
  readonly requests: number;
  readonly calls: number;
  readonly document: number;
  readonly script: number;
  readonly style: number;
  readonly provider: number;
  /** JS and CSS that were asked for once the screen stood: what may be wanted next. */
  readonly ahead: number;
}

/** Prints what each route's first load costs, measured in a browser with an empty cache, against the real server. */
export async function benchFirstLoad(log: (line: string) => void): Promise<void> {
  const stage = await openStage(log);
  try {
    const browser = await chromium.launch({ executablePath: stage.chromium, args: CHROMIUM_ARGUMENTS });
    const loads: [Place, Load][] = [];
    try {
      for (const place of stage.places) loads.push([place, await load(browser, stage.origin, place)]);
    } finally {
      await browser.close();
    }
    print(loads);
  } finally {
    await stage.stop();
  }
}

async function load(browser: Browser, origin: string, place: Place): Promise<Load> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    locale: 'es-MX',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  try {
    await page.addInitScript((entries) => {
      for (const [key, value] of Object.entries(entries)) sessionStorage.setItem(key, value);
    }, place.session);
    const finished: Request[] = [];
    page.on('requestfinished', (request) => finished.push(request));
    const isQuiet = watchQuiet(page);
    await page.goto(origin + place.path, { timeout: WAIT_MS });
    await page.getByRole('heading', { level: 1 }).waitFor({ timeout: WAIT_MS });
    const stoodAt = Date.now();
    for (const until = performance.now() + WAIT_MS; !isQuiet(); await pause(100))
      if (performance.now() > until) throw new Error(`requests for ${WAIT_MS} ms`);
    const arrived = new URL(page.url());
    if (arrived.pathname + arrived.search !== place.path)
      throw new Error(`${place.path} led to ${arrived.pathname}`);
    return await sum(finished, origin, (await lastScriptCameAt(page, finished)) ?? stoodAt);
  } catch (error) {
    const said = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    const shown = await page.innerText('body').catch(() => '');
    throw new Error(`${place.route} did not load (${said}); it shows: ${shown.slice(0, 300)}`, {
      cause: error,
    });
  } finally {
    await context.close();
  }
}

/**
 * When the last came of the scripts that a page's document names, if it stands there before any of them: what is asked for later is
 * fetched ahead. Milliseconds since 1970.
 */
async function lastScriptCameAt(page: Page, finished: readonly Request[]): Promise<number | undefined> {
  const list = await page.evaluate(() =>
    document.querySelector('[data-rendered]') === null
      ? '[]'
      : document.getElementById('aparta-scripts')?.textContent,
  );
  const named = JSON.parse(list ?? '[]') as string[];
  const ends = finished
    .filter((request) => named.includes(new URL(request.url()).pathname))
    .map((request) => request.timing().startTime + request.timing().responseEnd);
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

/** Whether nothing was under way for a while, but the stream that a screen that waits for money keeps open. */
function watchQuiet(page: Page): () => boolean {
  const open = new Set<Request>();
  let since = performance.now();
  page.on('request', (request) => {
    if (!request.url().endsWith('/v1/Changes/Stream')) open.add(request);
  });
  const end = (request: Request) => {
    open.delete(request);
    since = performance.now();
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return () => open.size === 0 && performance.now() - since > QUIET_MS;
}

async function sum(finished: readonly Request[], origin: string, stoodAt: number): Promise<Load> {
  const total = { requests: 0, calls: 0, document: 0, script: 0, style: 0, provider: 0, ahead: 0 };
  for (const request of finished) {
    const { responseBodySize: bytes } = await request.sizes();
    if (new URL(request.url()).origin !== origin) {
      total.provider += bytes;
      continue;
    }
    total.requests += 1;
    const type = request.resourceType();
    const isCode = type === 'script' || type === 'stylesheet';
    if (type === 'document') total.document += bytes;
    else if (isCode && request.timing().startTime > stoodAt) total.ahead += bytes;
    else if (type === 'script') total.script += bytes;
    else if (type === 'stylesheet') total.style += bytes;
    else if (type === 'fetch') total.calls += 1;
  }
  return total;
}

function print(loads: readonly [Place, Load][]): void {
  const weight = ({ script, style }: Load) => script + style;
  const first = loads[0]?.[1];
  const firstScreen = first ? weight(first) : 0;
  printTable('First load per route: requests, and kB as sent (brotli), cache empty', [
    [
      'route',
      'requests',
      'of them calls',
      'HTML',
      'JS',
      'CSS',
      'JS + CSS',
      'over /login',
      'aim',
      'ahead',
      'card provider',
    ],
    ...loads.map(([{ route }, load], index) => [
      route,
      String(load.requests),
      String(load.calls),
      kB(load.document),
      kB(load.script),
      kB(load.style),
      kB(weight(load)),
      index === 0 ? '' : kB(weight(load) - firstScreen),
      index === 0
        ? verdict(`<= ${kB(FIRST_SCREEN_AIM)} in all`, firstScreen <= FIRST_SCREEN_AIM)
        : verdict(`<= ${kB(ROUTE_AIM)} over`, weight(load) - firstScreen <= ROUTE_AIM),
      kB(load.ahead),
      load.provider > 0 ? kB(load.provider) : '',
    ]),
  ]);
  const built = measureScreens(path.join(root, 'web', 'dist'));
  const heaviest = built.slice(1).toSorted((one, other) => other.bytes - one.bytes)[0];
  printNote(
    `What verify weighs of the same build: first load ${kB(built[0]?.bytes ?? 0)} kB, and the heaviest screen ` +
      `adds ${kB(heaviest?.bytes ?? 0)} kB (${heaviest?.screen.split('/').at(-1)}).`,
  );
}
