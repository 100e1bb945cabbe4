import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildProduct } from '@aparta/tools/build-product';
import { launch, openPhone } from './phone.ts';
import { COUNTER_SCREENS } from './counter-screens.ts';
import { ALLOWED, buyerOf, SCREENS } from './screens.ts';
import { openShop } from './shop.ts';

/** Screenshots every screen into `shots/`. Arguments select screens by name. */
const FOLDER = fileURLToPath(new URL('../shots', import.meta.url));
const SIZES = [
  { width: 360, height: 740 },
  { width: 360, height: 640 },
  { width: 1280, height: 800 },
];
const SCHEMES = ['light', 'dark'] as const;

await buildProduct(console.log);
const chosen = process.argv.slice(2);
const shop = await openShop();
const browser = await launch([], 'whole');
try {
  for (const viewport of SIZES) {
    for (const colorScheme of SCHEMES) {
      const folder = `${FOLDER}/${viewport.width}x${viewport.height}-${colorScheme}`;
      fs.mkdirSync(folder, { recursive: true });
      for (const screen of [...SCREENS, ...COUNTER_SCREENS]) {
        const { name, signedInAs } = screen;
        if (chosen.length > 0 && !chosen.some((part) => name.includes(part))) continue;
        const buyer = await buyerOf(screen, shop);
        const permissions = [...ALLOWED, ...(screen.permissions ?? [])];
        const options = { viewport, colorScheme, permissions, ...(signedInAs !== 'nobody' && { buyer }) };
        const phone = await openPhone(browser, shop, options, (line) => console.log(`${name}: ${line}`));
        const { page } = phone;
        const file = `${folder}/${name.replaceAll(/\W+/g, '-')}`;
        await screen.open({ shop, page, buyer, phone });
        await page.screenshot({ path: `${file}.png` });
        const isLonger = await page.evaluate(() => document.documentElement.scrollHeight > innerHeight);
        if (isLonger) await page.screenshot({ path: `${file}-whole.png`, fullPage: true });
        await phone.context.close();
        await shop.restoreProvider();
      }
    }
  }
} finally {
  await browser.close();
  await shop.stop();
}
console.log(`The pictures are in ${FOLDER}`);
