import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildProduct } from '@aparta/tools/build-product';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { fillCard } from './card.ts';
import { launch, openPhone } from './phone.ts';
import { COUNTER_SCREENS } from './counter-screens.ts';
import { buyerOf, SCREENS } from './screens.ts';
import { CARDS, openShop } from './shop.ts';

/** Takes the README's pictures: screens on a phone, few colours, so that they stay small. Arguments select some by name. */
const FOLDER = fileURLToPath(new URL('../docs/pictures', import.meta.url));

/** File name, screen, and what else to do there first. */
const PICTURES: readonly [name: string, screen: string, prepare?: (page: Page) => Promise<void>][] = [
  ['scanned', 'home'],
  ['reference', 'wizard 3'],
  ['card', 'card form', (page) => fillCard(page, CARDS.approved)],
  ['receipt', 'done'],
  ['purchase', 'purchase, late'],
  ['store', 'in person'],
  ['yours', 'purchase, paid off'],
  ['invoice', 'invoice, whose'],
  ['counter-find', 'counter: find'],
  ['counter-take', 'counter: what is owed late, another sum, change'],
  ['counter-receipt', 'counter: receipt'],
  ['counter-today', 'counter: the morning'],
  ['counter-late', 'counter: a late purchase, and the message to its buyer'],
  ['counter-cut', 'counter: a closed cut'],
];

const chosen = process.argv.slice(2);
await buildProduct(console.log);
const shop = await openShop();
const browser = await launch([], 'whole');
try {
  for (const [name, wanted, prepare] of PICTURES) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const screen = [...SCREENS, ...COUNTER_SCREENS].find((each) => each.name === wanted);
    if (!screen) throw new Error(`there is no screen '${wanted}'`);
    const buyer = await buyerOf(screen, shop);
    const phone = await openPhone(browser, shop, { buyer, sharpness: 1.5 }, console.error);
    const { page } = phone;
    await screen.open({ shop, page, buyer, phone });
    await prepare?.(page);
    await page.waitForFunction(() => document.querySelector('[role=status][aria-busy]') === null);
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    const small = await sharp(picture).png({ palette: true, colours: 64, effort: 10 }).toBuffer();
    fs.writeFileSync(`${FOLDER}/${name}.png`, small);
    await phone.context.close();
  }
} finally {
  await browser.close();
  await shop.stop();
}
