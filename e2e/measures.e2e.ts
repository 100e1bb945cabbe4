import { expect } from 'vitest';
import { cardFrame, sees } from './card.ts';
import { test } from './journey.ts';

const DESKTOP = { width: 1280, height: 800 };

test('The bar-code view has bars of one pixel, 80 high, on orange', async ({ shop, phone }) => {
  const buyer = await shop.newBuyer();
  const { paymentReference } = await shop.newReference(buyer);
  const { page } = await phone({ buyer });
  await page.goto(`${shop.origin}/codigo/${paymentReference}`);
  const plate = page.getByRole('img', { name: /Código de barras/ });
  const bars = plate.locator('svg');
  await bars.waitFor();
  const modules = Number((await bars.getAttribute('viewBox'))?.split(' ')[2]);
  expect(await bars.boundingBox()).toMatchObject({ width: modules, height: 80 });
  expect(await plate.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
    'rgb(255, 165, 92)',
  );
});

test('The card frame is 500 by 400 pixels where the screen allows, and as wide as its card on a phone', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { id } = await shop.newReference(buyer);
  const sizeAt = async (viewport?: { width: number; height: number }) => {
    const { page } = await phone({ buyer, ...(viewport && { viewport }) });
    await page.goto(`${shop.origin}/pullapartByClip/${id}`);
    await sees(page, 'Pago con tarjeta');
    await cardFrame(page).getByLabel('CVV').waitFor();
    return page.locator('iframe').boundingBox();
  };
  const wide = await sizeAt(DESKTOP);
  expect(wide?.width).toBe(500);
  expect(wide?.height).toBeGreaterThanOrEqual(400);
  const narrow = await sizeAt();
  expect(narrow?.width).toBeGreaterThan(280);
  expect(narrow?.width).toBeLessThanOrEqual(360);
});

test('The design system shows its parts while the product is developed', async ({ shop, phone }) => {
  const { page } = await phone({ viewport: DESKTOP });
  await page.goto(`${shop.origin}/_design`);
  await page.getByRole('progressbar').first().waitFor();
});
