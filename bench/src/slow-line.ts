import { CHROMIUM_ARGUMENTS } from '@aparta/tools/browser';
import { chromium, type Browser, type Page } from 'playwright-core';
import { printNote, printTable, verdict } from './report.ts';
import { median, spread } from './samples.ts';
import { openStage, type Place, type Stage } from './stage.ts';

const RUNS = 5;
const AIM_MS = 2_000;
const WAIT_MS = 45_000;
/** Lighthouse's slow 4G, as its DevTools throttling applies it, and a phone six times slower than this machine. */
const LINE = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 };
const SLOWER = 6;

const [NEXT, BY_CARD] = ['Ir al paso siguiente', 'Pago con Clip'];
/** A buyer reads before they choose how to pay. */
const READS_MS = 3_000;
/** The screen itself, not the picture of it that its document shows until scripts have run. */
const live = (page: Page) => page.locator('main:not([inert])');

/** From a press until what follows can be used. */
const STEPS = ['step 2', 'step 3', 'card form'] as const;
type Times = Readonly<Record<(typeof STEPS)[number], number>>;

/** Prints how long a buyer waits between the steps of a layaway, on a slow line with a slow phone. */
export async function benchSlowLine(log: (line: string) => void): Promise<void> {
  const stage = await openStage(log);
  try {
    const browser = await chromium.launch({ executablePath: stage.chromium, args: CHROMIUM_ARGUMENTS });
    const scanned = stage.places.find(({ route }) => route === '/apartado step 2');
    if (scanned === undefined) throw new Error('the stage has no layaway');
    const runs: Times[] = [];
    try {
      for (let run = 0; run < RUNS; run += 1) runs.push(await reserve(browser, stage, scanned));
    } finally {
      await browser.close();
    }
    printTable(`From a press to what follows: median [range] of ${RUNS}, ms`, [
      ['to', 'ms', 'aim'],
      ...STEPS.map((step) => {
        const times = runs.map((run) => run[step]);
        return [step, spread(times), verdict(`<= ${AIM_MS}`, median(times) <= AIM_MS)];
      }),
    ]);
    printNote(`Slow 4G: ${LINE.latency} ms to each answer; a processor ${SLOWER} times slower.`);
  } finally {
    await stage.stop();
  }
}

/** One buyer with an empty cache, from the scanned reference to the provider's form. */
async function reserve(browser: Browser, { origin }: Stage, { session }: Place): Promise<Times> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    locale: 'es-MX',
    reducedMotion: 'reduce',
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    await page.addInitScript((entries) => {
      for (const [key, value] of Object.entries(entries)) sessionStorage.setItem(key, value);
    }, session);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.emulateNetworkConditions', LINE);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.goto(`${origin}/apartado`);
    await live(page).getByRole('heading', { level: 1, name: 'Aparta un producto' }).waitFor();
    const toInformation = await timed(page, NEXT, () => live(page).getByText('Hoy pagas').waitFor());
    const toPayment = await timed(page, NEXT, () =>
      live(page).getByRole('button', { name: BY_CARD }).waitFor(),
    );
    await page.waitForTimeout(READS_MS);
    const toCard = await timed(page, BY_CARD, () =>
      live(page)
        .getByRole('button', { name: /^Pagar \$/ })
        .waitFor(),
    );
    return { 'step 2': toInformation, 'step 3': toPayment, 'card form': toCard };
  } finally {
    await context.close();
  }
}

async function timed(page: Page, button: string, follows: () => Promise<void>): Promise<number> {
  const pressed = performance.now();
  await live(page).getByRole('button', { name: button }).click();
  await follows();
  return performance.now() - pressed;
}
