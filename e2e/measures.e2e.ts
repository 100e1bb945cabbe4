import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { cardFrame, isUncovered, sees } from './card.ts';
import { openCounter, STAFF } from './counter.ts';
import { test } from './journey.ts';
import { whatMoved } from './layout-shift.ts';
import { qrLink } from './shop.ts';

const DESKTOP = { width: 1280, height: 800 };
const SMALLEST_PHONE = { width: 360, height: 640 };

/** Where an element ends, from the top of the window, as soon as it stands there. */
const bottomOf = async (element: Locator) => {
  const box = await element.boundingBox();
  return box === null ? Infinity : box.y + box.height;
};

test('The bar-code view has bars of one pixel, 80 high, on orange', async ({ shop, phone }) => {
  const buyer = await shop.newBuyer();
  const { paymentReference } = await shop.newReference(buyer);
  const { page } = await phone({ isNew: true, buyer });
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
    const { page } = await phone({ isNew: true, buyer, ...(viewport && { viewport }) });
    await page.goto(`${shop.origin}/pullapartByClip/${id}`);
    await sees(page, 'Pago con tarjeta');
    await cardFrame(page).getByLabel('CVV').waitFor();
    return () => page.locator('iframe').boundingBox();
  };
  const wide = await sizeAt(DESKTOP);
  await expect.poll(async () => (await wide())?.width).toBe(500);
  await expect.poll(async () => (await wide())?.height).toBeGreaterThanOrEqual(400);
  const narrow = await (await sizeAt())();
  expect(narrow?.width).toBeGreaterThan(280);
  expect(narrow?.width).toBeLessThanOrEqual(360);
});

test('The name of who is signed in is whole, also with text of 200 %', async ({ shop, phone }) => {
  const buyer = await shop.newBuyer('María Fernanda de los Ángeles Hernández');
  const { page } = await phone({ isNew: true, buyer });
  await page.goto(`${shop.origin}/cxcList`);
  const name = page.locator('header').getByText(/^María Fernanda/);
  await name.waitFor();
  for (const size of ['100%', '200%']) {
    await page.evaluate((percent) => void (document.documentElement.style.fontSize = percent), size);
    expect(await name.evaluate((shown) => shown.scrollWidth - shown.clientWidth), size).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  }
});

/** Longer than browsers, and step 1, wait for what comes. */
const LATE_MS = 2500;

test('On a desktop nothing moves while the steps of a layaway load, however late their code and data come', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { id } = await shop.newReference(buyer);
  // What the worker keeps would not be late.
  const { page } = await phone({ isNew: true, buyer, viewport: DESKTOP });
  await page.goto(`${shop.origin}/apartado?paso=3&id=${id}`);
  await page.getByRole('button', { name: 'Pago con Clip' }).waitFor();
  expect(await whatMoved(page), 'step 3').toEqual([]);
  for (const late of [/\/information-step-.*\.js$/, /\/BusinessProduct\/GetAsync\//])
    await page.route(late, async (route) => {
      await setTimeout(LATE_MS);
      await route.continue();
    });
  await page.goto(qrLink(shop.origin));
  await page.getByRole('link', { name: 'Continuar mi apartado' }).waitFor();
  // Not by a press: what moves soon after one would not count.
  await page.goto(`${shop.origin}/apartado`, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Abriendo…' }).waitFor();
  await page.getByText('Monto total').waitFor();
  expect(await whatMoved(page), 'step 2').toEqual([]);
});

test('Nothing moves while a purchase loads, however late its code and its next payment come', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const [deposit] = await shop.newPurchase(buyer);
  // So tall that all of it shows: what moves out of sight would not count. Shares are of the window.
  const { page } = await phone({ isNew: true, buyer, viewport: { width: 360, height: 2_000 } });
  for (const [late, times] of [
    [/\/save-calendar-.*\.js$/, 1],
    [/\/Cxc\/ByIdWithBalance\//, 1],
    // After all else is there.
    [/\/invoice-part-.*\.js$/, 2],
  ] as const)
    await page.route(late, async (route) => {
      await setTimeout(times * LATE_MS);
      await route.continue();
    });
  await page.goto(`${shop.origin}/saleCxcList/${deposit?.ventaId}`);
  await page.getByRole('button', { name: 'Guardar fechas en mi calendario' }).waitFor();
  await page.getByRole('button', { name: 'Canc.Compra' }).waitFor();
  await page.getByRole('button', { name: 'Facturar pago 1' }).waitFor();
  expect(await whatMoved(page, 0.002)).toEqual([]);
});

test('Home and what stands on it are asked for together: on a slow line each wait is half a second', async ({
  shop,
  phone,
}) => {
  const { page } = await phone({ isNew: true, buyer: await shop.newBuyer() });
  const asked = page.waitForRequest(/\/assets\/scanned-.*\.js$/);
  await page.route(/\/assets\/home-page-.*\.js$/, async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto(shop.origin);
  await page.getByText('Realizar Abono').first().waitFor();
});

test('A document that is made ready unseen fetches its scripts beside its style sheets; one that is seen is painted first', async ({
  shop,
  phone,
}) => {
  const { context } = await phone({ isNew: true, buyer: await shop.newBuyer() });
  const open = async (visibility: string) => {
    const tab = await context.newPage();
    await tab.addInitScript((state) => {
      Object.defineProperty(document, 'hidden', { get: () => state === 'hidden' });
    }, visibility);
    const sheets = Promise.withResolvers<void>();
    const asked: string[] = [];
    await tab.route(/\.(css|js)$/, async (route) => {
      asked.push(route.request().resourceType());
      if (route.request().resourceType() === 'stylesheet') await sheets.promise;
      await route.continue();
    });
    await tab.goto(`${shop.origin}/login`, { waitUntil: 'commit' });
    return { tab, asked, sheets };
  };
  const unseen = await open('hidden');
  await expect.poll(() => unseen.asked).toContain('script');

  const seen = await open('visible');
  await expect.poll(() => seen.asked).toContain('stylesheet');
  await setTimeout(500);
  expect(seen.asked).not.toContain('script');
  for (const { tab, sheets } of [unseen, seen]) {
    sheets.resolve();
    await sees(tab, 'Bienvenido/a');
  }
});

test('On Home what was scanned stays where it is, however late comes what is under way elsewhere', async ({
  shop,
  phone,
}) => {
  const { page } = await phone({ isNew: true, buyer: await shop.newBuyer() });
  await page.route('**/UnresolvedAsync', async (route) => {
    await setTimeout(LATE_MS);
    await route.continue();
  });
  await page.goto(qrLink(shop.origin));
  await page.getByText('Realizar Abono').first().waitFor();
  expect(await whatMoved(page)).toEqual([]);
});

test('The page on which somebody signs in is painted whole at once, though it arrives in pieces', async ({
  shop,
  phone,
}) => {
  const slow = createServer((request, response) => {
    void fetch(shop.origin + request.url).then(async (reply) => {
      const body = Buffer.from(await reply.arrayBuffer());
      response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' });
      const middle = request.url === '/login' ? body.indexOf('<form') : 0;
      response.write(body.subarray(0, middle));
      if (middle > 0) await setTimeout(500);
      response.end(body.subarray(middle));
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void slow.close());
  await once(slow, 'listening');
  const { page } = await phone({ isNew: true });
  await page.goto(`http://127.0.0.1:${(slow.address() as AddressInfo).port}/login`);
  await page.getByRole('button', { name: 'Login' }).waitFor();
  const painted = (type: string) =>
    page.evaluate(
      (entryType) =>
        new Promise<number[]>((resolve) =>
          new PerformanceObserver((list) =>
            resolve(list.getEntries().map(({ startTime }) => startTime)),
          ).observe({ type: entryType, buffered: true }),
        ),
      type,
    );
  const [first] = await painted('paint');
  expect(await painted('largest-contentful-paint')).toEqual([first]);
});

/** Half of what a thumb presses, in pixels: by so little may a sheet move when what it waited for has come. */
const NEAR = 24;

test('A sheet stays where it is, however late comes what it shows', async ({ shop, phone }) => {
  const buyer = await shop.newBuyer();
  const [deposit] = await shop.newPurchase(buyer);
  const { page } = await phone({ isNew: true, buyer });
  async function stays(opener: string, late: RegExp, shown: string | RegExp) {
    const { promise: isSeen, resolve: answer } = Promise.withResolvers<void>();
    await page.route(late, async (route) => {
      await isSeen;
      await route.continue();
    });
    await page.getByRole('main').getByRole('button', { name: opener, exact: true }).click();
    const sheet = page.getByRole('dialog');
    const close = sheet.getByRole('button', { name: 'Cerrar' }).first();
    await sheet.getByRole('status').waitFor();
    const before = await bottomOf(close);
    answer();
    await sheet.getByText(shown).first().waitFor();
    expect(Math.abs((await bottomOf(close)) - before), opener).toBeLessThan(NEAR);
    await close.click();
  }
  await page.goto(`${shop.origin}/saleCxcList/${deposit?.ventaId}`);
  await stays('Canc.Compra', /\/CancelQuoteAsync\//, 'Te devolvemos');
  await stays('Que me ayuden', /\/HelpLinksAsync\//, 'Crear enlace');
  await openCounter(page, shop, STAFF.owner, `/compras/${deposit?.ventaId}`);
  await stays('No podemos entregarlo', /\/v1\/counter\/purchases\/\d+\/end/, /^Terminar y devolver/);
});

test('The smallest phone shows how to keep a purchase beside how to cancel it, and why it could not be', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const [deposit] = await shop.newPurchase(buyer);
  const { page, context } = await phone({
    isNew: true,
    buyer,
    viewport: SMALLEST_PHONE,
    mayComplain: [/net::ERR_/],
  });
  await page.goto(`${shop.origin}/saleCxcList/${deposit?.ventaId}`);
  await page.getByRole('main').getByRole('button', { name: 'Canc.Compra', exact: true }).click();
  await page.getByRole('button', { name: 'Cancelar Venta' }).waitFor();
  await expect
    .poll(() => bottomOf(page.getByRole('button', { name: 'Conservar mi compra' })))
    .toBeLessThanOrEqual(SMALLEST_PHONE.height);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Cancelar Venta' }).click();
  const why = page.getByRole('alert').filter({ hasText: /^No hay conexión/ });
  await isUncovered(why.filter({ hasText: 'Todavía no sabemos si tu compra se canceló.' }));
  // What is typed next is not behind it.
  await page.keyboard.press('Shift+Tab');
  await isUncovered(page.getByRole('textbox', { name: 'Motivo' }));
});

test('On a phone that lies on its side the rail scrolls, and nothing of it lies over another', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone({ isNew: true, buyer, viewport: { width: 800, height: 360 } });
  await page.goto(`${shop.origin}/cxcList`);
  const rail = page.getByRole('banner');
  const lastEntry = rail.getByRole('link', { name: 'Pagos pendientes' });
  const logout = rail.getByRole('button', { name: 'Logout' });
  await logout.scrollIntoViewIfNeeded();
  expect(await bottomOf(logout)).toBeLessThanOrEqual(360);
  const who = await rail.getByText('Ana Torres').boundingBox();
  expect(await bottomOf(lastEntry)).toBeLessThanOrEqual(who?.y ?? 0);
});

test('The smallest phone shows bar code and number of a store reference whole, of a part too', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const [, second] = await shop.newPurchase(buyer);
  if (!second) throw new Error('the plan has a second instalment');
  await shop.payAtTill({ paymentReference: second.paymentReference, tillTotal: 500 });
  const { page } = await phone({ isNew: true, buyer, viewport: SMALLEST_PHONE });
  await page.goto(`${shop.origin}/onSitePaymentByTapi/${second.ventaId}/${second.id}`);
  await page.getByRole('img', { name: /^Código de barras/ }).waitFor();
  await page.getByText(/^Ya recibimos/).waitFor();
  const number = page.getByText(/^\d{4} \d{4}/).first();
  const dock = page.getByRole('button', { name: 'Guardar referencia' });
  await expect
    .poll(async () => ((await dock.boundingBox())?.y ?? 0) - (await bottomOf(number)))
    .toBeGreaterThan(0);
});

test('The design system shows its parts while the product is developed', async ({ shop, phone }) => {
  const { page } = await phone({ isNew: true, viewport: DESKTOP });
  await page.goto(`${shop.origin}/_design`);
  await page.getByRole('progressbar').first().waitFor();
});

test('A phone can install the app, under its name and with an icon of any shape', async ({ shop, phone }) => {
  const { page } = await phone({ isNew: true });
  await page.goto(`${shop.origin}/login`);
  await page.locator('link[rel=manifest]').waitFor({ state: 'attached' });
  const browser = await page.context().newCDPSession(page);
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
  // Playwright's windows are private ones.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual(
    [],
  );
  const { data, errors } = await browser.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const manifest = JSON.parse(String(data)) as Record<
    'icons' | 'screenshots',
    { src: string; sizes: string }[]
  >;
  const sizes = await page.evaluate(
    (files) =>
      Promise.all(
        files.map(async ({ src }) => {
          const image = await createImageBitmap(await (await fetch(src)).blob());
          return `${image.width}x${image.height}`;
        }),
      ),
    [...manifest.icons, ...manifest.screenshots].filter(({ src }) => src.endsWith('.png')),
  );
  expect(sizes).toEqual(['192x192', '512x512', '512x512', '540x1110', '540x1110']);
});
