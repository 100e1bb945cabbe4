import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CHROMIUM_ARGUMENTS } from '@aparta/tools/browser';
import { chromium } from 'playwright-core';
import { median, spread } from './samples.ts';
import { printNote, printTable, verdict } from './report.ts';
import { openStage, type Place, type Stage } from './stage.ts';

/** Fetched when it is first asked for: a sixth of all that would be installed, and no test needs it. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const RUNS = 3;
const ROUTES = ['/login', '/buyerRegister', '/resetyourpassword', '/terminos', '/apartado', '/cxcList'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
/** Least score of each, of 100: where nobody is signed in, and where somebody is. */
const AIMS = { public: 100, signedIn: 99 };
/** What paints largest is in the HTML: at most this many times the first paint. */
const LCP_AIM = 1.15;
const HTML_FIRST = ['/login', '/apartado'];
/** Lighthouse slows the processor four times, which makes a machine of this BenchmarkIndex a middling phone (its throttling guide). */
const USUAL = { slowdown: 4, index: 1_750 };

/** What we read of Lighthouse's answer. */
interface Result {
  readonly environment: { readonly benchmarkIndex: number };
  readonly finalDisplayedUrl: string;
  readonly runtimeError?: { readonly message: string };
  readonly categories: Readonly<
    Record<string, { score: number | null; auditRefs: readonly { id: string; weight: number }[] }>
  >;
  readonly audits: Readonly<Record<string, { score: number | null; numericValue?: number }>>;
}

/** Prints Lighthouse's mobile scores, the runs of the routes interleaved. Throws when a route was not the one that was scored. */
export async function benchLighthouse(log: (line: string) => void): Promise<void> {
  const stage = await openStage(log);
  try {
    const places = stage.places.filter(({ route }) => ROUTES.includes(route));
    const slowdown = await calibrate(stage, places);
    log(`A middling phone is ${slowdown} times slower than this machine`);
    const results = new Map<Place, Result[]>(places.map((place) => [place, []]));
    for (let run = 0; run < RUNS; run += 1) {
      for (const [place, known] of results) {
        // A busy machine may let it wait in vain, once.
        known.push(await score(stage, place, slowdown).catch(() => score(stage, place, slowdown)));
      }
    }
    print(results);
  } finally {
    await stage.stop();
  }
}

/** How much slower a middling phone is than this machine. Slowed four times, a slow machine would play a phone that nobody has. */
async function calibrate(stage: Stage, places: readonly Place[]): Promise<number> {
  const indexes: number[] = [];
  for (const place of places.slice(0, RUNS))
    indexes.push((await score(stage, place, USUAL.slowdown)).environment.benchmarkIndex);
  const slowdown = (USUAL.slowdown * median(indexes)) / USUAL.index;
  return Math.round(10 * Math.min(USUAL.slowdown, Math.max(1, slowdown))) / 10;
}

/** A browser of its own, so that nothing is cached; the tab that Lighthouse opens in it is given the session. */
async function score(stage: Stage, { path: place, session }: Place, slowdown: number): Promise<Result> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-lighthouse-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: stage.chromium,
    args: [...CHROMIUM_ARGUMENTS, '--remote-debugging-port=0'],
    viewport: null, // Lighthouse plays the phone
  });
  try {
    await browser.addInitScript((entries) => {
      if (location.protocol === 'about:') return;
      for (const [key, value] of Object.entries(entries)) sessionStorage.setItem(key, value);
    }, session);
    const [port] = fs.readFileSync(path.join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
    const lhr = await ask(stage.origin + place, Number(port), slowdown);
    if (lhr.runtimeError) throw new Error(`${place}: ${lhr.runtimeError.message}`);
    const arrived = new URL(lhr.finalDisplayedUrl).pathname;
    if (arrived !== place) throw new Error(`${place} led to ${arrived}: nobody was signed in`);
    return lhr;
  } finally {
    await browser.close();
    fs.rmSync(profile, { recursive: true, force: true });
  }
}

async function ask(address: string, port: number, slowdown: number): Promise<Result> {
  const fetched = ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse'];
  const said = ['--output=json', '--quiet', '--disable-storage-reset', '--no-enable-error-reporting'];
  const phone = [`--throttling.cpuSlowdownMultiplier=${slowdown}`];
  const asked = [address, `--port=${port}`, `--only-categories=${CATEGORIES.join()}`];
  const { stdout } = await promisify(execFile)('npm', [...fetched, ...asked, ...said, ...phone], {
    maxBuffer: 64 * 2 ** 20,
  });
  return JSON.parse(stdout) as Result;
}

function print(results: ReadonlyMap<Place, Result[]>): void {
  const points = (runs: Result[], category: string) =>
    runs.map((run) => Math.round((run.categories[category]?.score ?? 0) * 100));
  const reading = (runs: Result[], audit: string) => runs.map((run) => run.audits[audit]?.numericValue ?? 0);
  printTable(`Lighthouse, mobile, simulated slow 4G: median [range] of ${RUNS}`, [
    ['route', ...CATEGORIES, 'aim', 'FCP ms', 'LCP ms', 'LCP / FCP', 'aim', 'TBT ms', 'CLS'],
    ...[...results].map(([{ route, session }, runs]) => {
      const least = 'token' in session ? AIMS.signedIn : AIMS.public;
      const fcp = reading(runs, 'first-contentful-paint');
      const lcp = reading(runs, 'largest-contentful-paint');
      const ratios = lcp.map((ms, run) => ms / (fcp[run] ?? Number.NaN));
      return [
        route,
        ...CATEGORIES.map((category) => spread(points(runs, category))),
        verdict(
          `>= ${least}`,
          CATEGORIES.every((category) => median(points(runs, category)) >= least),
        ),
        spread(fcp),
        spread(lcp),
        spread(ratios, 2),
        HTML_FIRST.includes(route) ? verdict(`<= ${LCP_AIM}`, median(ratios) <= LCP_AIM) : '',
        spread(reading(runs, 'total-blocking-time')),
        spread(reading(runs, 'cumulative-layout-shift'), 3),
      ];
    }),
  ]);
  for (const [{ route }, runs] of results) {
    const lost = CATEGORIES.flatMap((category) => lostPoints(runs.at(-1), category));
    if (lost.length > 0) printNote(`${route} loses points to: ${lost.join(', ')}`);
  }
}

/** The audits of a category that cost it points. */
function lostPoints(run: Result | undefined, category: string): string[] {
  return (run?.categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (run?.audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id} ${run?.audits[id]?.score}`);
}
