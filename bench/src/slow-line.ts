import { button, LIVE, openTab, withSession, type Setting, type Tab } from '@aparta/tools/tab';
import { setTimeout } from 'node:timers/promises';
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
const LIVE_TEXT = `document.querySelector('${LIVE}').textContent`;

/** From a press until what follows can be used. */
const STEPS = ['step 2', 'step 3', 'card form'] as const;
type Times = Readonly<Record<(typeof STEPS)[number], number>>;

/** Prints how long a buyer waits between the steps of a layaway, on a slow line with a slow phone. */
export async function benchSlowLine(log: (line: string) => void): Promise<void> {
  const stage = await openStage(log);
  try {
    const scanned = stage.places.find(({ route }) => route === '/apartado step 2');
    if (scanned === undefined) throw new Error('the stage has no layaway');
    const runs: Times[] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await reserve(stage, scanned));
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
async function reserve({ origin, chromium }: Stage, { session }: Place): Promise<Times> {
  const settings: Setting[] = [
    ...withSession(session),
    ['Emulation.setDeviceMetricsOverride', { width: 360, height: 740, deviceScaleFactor: 1, mobile: true }],
    ['Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value: 'reduce' }] }],
    ['Network.enable', {}],
    ['Network.emulateNetworkConditions', LINE],
    ['Emulation.setCPUThrottlingRate', { rate: SLOWER }],
  ];
  const tab = await openTab(chromium, settings);
  try {
    await tab.goto(`${origin}/apartado`);
    await tab.until(`${button(NEXT)}?.disabled === false`, WAIT_MS);
    const toInformation = await timed(tab, NEXT, `${LIVE_TEXT}.includes('Hoy pagas')`);
    const toPayment = await timed(tab, NEXT, `${button(BY_CARD)} !== undefined`);
    await setTimeout(READS_MS);
    const toCard = await timed(tab, BY_CARD, `${button('Pagar $')} !== undefined`);
    return { 'step 2': toInformation, 'step 3': toPayment, 'card form': toCard };
  } finally {
    await tab.close();
  }
}

async function timed(tab: Tab, name: string, follows: string): Promise<number> {
  const pressed = performance.now();
  await tab.read(`${button(name)}.click()`);
  await tab.until(follows, WAIT_MS);
  return performance.now() - pressed;
}
