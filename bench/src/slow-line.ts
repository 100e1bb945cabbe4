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

const NEXT = button('Ir al paso siguiente');
const BY_CARD = { deposit: button('Pago con Clip'), instalment: button('Pago con clip', 'dialog') };
const PAY = button('Realizar pago');
const FORM = `${button('Pagar $')} !== undefined`;
/** A buyer reads before they choose how to pay. */
const READS_MS = 3_000;
const LIVE_TEXT = `document.querySelector('${LIVE}').textContent`;

/** From a press until what follows can be used. */
const STEPS = ['step 2', 'step 3', 'card form', 'card form of an instalment'] as const;
type Times = Readonly<Record<(typeof STEPS)[number], number>>;

/** Prints how long a buyer waits between the steps of a layaway, and for the card form, on a slow line with a slow phone. */
export async function benchSlowLine(log: (line: string) => void): Promise<void> {
  const stage = await openStage(log);
  try {
    const [scanned, purchase] = ['/apartado step 2', '/saleCxcList/{id}'].map((route) =>
      stage.places.find((place) => place.route === route),
    );
    if (scanned === undefined || purchase === undefined) throw new Error('the stage has no layaway');
    const runs: Times[] = [];
    for (let run = 0; run < RUNS; run += 1)
      runs.push({ ...(await reserve(stage, scanned)), ...(await payNext(stage, purchase)) });
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
async function reserve(stage: Stage, place: Place): Promise<Omit<Times, 'card form of an instalment'>> {
  const tab = await openPhone(stage, place);
  try {
    await tab.goto(`${stage.origin}/apartado`);
    await tab.until(`${NEXT}?.disabled === false`, WAIT_MS);
    const toInformation = await timed(tab, NEXT, `${LIVE_TEXT}.includes('Hoy pagas')`);
    const toPayment = await timed(tab, NEXT, `${BY_CARD.deposit} !== undefined`);
    await setTimeout(READS_MS);
    const toCard = await timed(tab, BY_CARD.deposit, FORM);
    return { 'step 2': toInformation, 'step 3': toPayment, 'card form': toCard };
  } finally {
    await tab.close();
  }
}

/** Another, from how they may pay to the form. */
async function payNext(stage: Stage, place: Place): Promise<Pick<Times, 'card form of an instalment'>> {
  const tab = await openPhone(stage, place);
  try {
    await tab.goto(stage.origin + place.path);
    await tab.until(`${PAY} !== undefined`, WAIT_MS);
    await timed(tab, PAY, `${BY_CARD.instalment} !== undefined`);
    await setTimeout(READS_MS);
    return { 'card form of an instalment': await timed(tab, BY_CARD.instalment, FORM) };
  } finally {
    await tab.close();
  }
}

function openPhone({ chromium }: Stage, { session }: Place): Promise<Tab> {
  const settings: Setting[] = [
    ...withSession(session),
    ['Emulation.setDeviceMetricsOverride', { width: 360, height: 740, deviceScaleFactor: 1, mobile: true }],
    ['Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value: 'reduce' }] }],
    ['Network.enable', {}],
    ['Network.emulateNetworkConditions', LINE],
    ['Emulation.setCPUThrottlingRate', { rate: SLOWER }],
  ];
  return openTab(chromium, settings);
}

/** From pressing a button until what follows is there. */
async function timed(tab: Tab, press: string, follows: string): Promise<number> {
  const pressed = performance.now();
  await tab.act(`${press}.click()`);
  await tab.until(follows, WAIT_MS);
  return performance.now() - pressed;
}
