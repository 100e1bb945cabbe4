import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/** A third of the unminified one, which is what the package itself hands out; in ASCII it reaches the page in two thirds of the time. */
const SOURCE = fs
  .readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  .replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Has axe at hand in every document that a tab opens from now on. V8 compiles such a script once for all that a process opens, and what
 * is evaluated anew in each.
 */
export async function bringAxe(page: Page): Promise<void> {
  await page.addInitScript(`window.bringAxe = () => {${SOURCE}}`);
}

const ALL: axe.RunOptions = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  resultTypes: ['violations'],
};
/** The dark scheme changes only colours, so only the colour rules run again. */
const OF_COLOUR: axe.RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  resultTypes: ['violations'],
};

const TRIES = 4;

/**
 * Runs axe, which was brought, on a page and its frames: `all` checks every WCAG 2.2 AA rule, `colour` only those about colour. It
 * looks anew when a frame came or went meanwhile, as the card form does a moment after a change of scheme.
 */
export async function axeFinds(page: Page, which: 'all' | 'colour'): Promise<object[]> {
  const options = which === 'all' ? ALL : OF_COLOUR;
  let changes = 0;
  const count = () => (changes += 1);
  page.on('framedetached', count).on('framenavigated', count);
  try {
    for (let tries = 1; ; tries++) {
      const before = changes;
      const [ran] = await Promise.allSettled([run(page, options)]);
      if (changes !== before && tries < TRIES) continue;
      if (ran.status === 'rejected') throw ran.reason;
      return described(ran.value);
    }
  } finally {
    page.off('framedetached', count).off('framenavigated', count);
  }
}

function run(page: Page, options: axe.RunOptions): Promise<axe.AxeResults> {
  return page.frames().length === 1 ? runAlone(page.mainFrame(), options) : runWithFrames(page, options);
}

function described({ violations }: axe.AxeResults): object[] {
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })),
  );
}

async function bringIn(frame: Frame): Promise<void> {
  await frame.evaluate(() => 'axe' in window || (window as any).bringAxe());
}

async function runAlone(frame: Frame, options: axe.RunOptions): Promise<axe.AxeResults> {
  await bringIn(frame);
  return frame.evaluate((given) => (window as any).axe.run(document, given), options);
}

async function runWithFrames(page: Page, options: axe.RunOptions): Promise<axe.AxeResults> {
  const partials: axe.PartialResults = [];
  /** Each document runs separately, in the order in which axe merges the results. */
  async function runIn(frame: Frame, context: axe.SerialContextObject): Promise<void> {
    await bringIn(frame);
    const inside: axe.FrameContext[] = await frame.evaluate(
      (given) => (window as any).axe.utils.getFrameContexts(given),
      context,
    );
    partials.push(
      await frame.evaluate(([where, given]) => (window as any).axe.runPartial(where, given), [
        context,
        options,
      ] as const),
    );
    for (const { frameSelector, frameContext } of inside) {
      const element = await frame.evaluateHandle(
        (selector) => (window as any).axe.utils.shadowSelect(selector),
        frameSelector,
      );
      const child = await element.asElement()?.contentFrame();
      if (!child) throw new Error('a frame went away while axe was running');
      await runIn(child, frameContext);
    }
  }
  await runIn(page.mainFrame(), { exclude: [] });
  return page.evaluate(([results, given]) => (window as any).axe.finishRun(results, given), [
    partials,
    options,
  ] as const);
}
