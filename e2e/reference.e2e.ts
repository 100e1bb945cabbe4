import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { LIVE } from '@aparta/tools/tab';
import { sees } from './card.ts';
import { test } from './journey.ts';
import { launch, openPhone } from './phone.ts';
import { qrPhoto, qrVideo } from './qr.ts';
import { layawayReference, qrLink, type Buyer, type Shop } from './shop.ts';

const NEXT = { name: 'Ir al paso siguiente' };

prepareZXingModule({
  overrides: {
    wasmBinary: fs.readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
      .buffer as ArrayBuffer,
  },
});

test('The saved picture carries the sums, and its bar code reads back as the reference', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { id, paymentReference } = await shop.newReference(buyer);
  const { page } = await phone({ buyer });
  await page.goto(`${shop.origin}/apartado?paso=3&id=${id}`);
  await sees(page, 'Paga tu apartado');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Guardar referencia' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe(`Ref_Aparta_${paymentReference}.png`);
  const codes = await readBarcodes(fs.readFileSync(await saved.path()));
  expect(codes.map(({ text, format }) => [text, format])).toEqual([[paymentReference, 'Code128']]);
  await page.getByText(`Ref_Aparta_${paymentReference}.png`, { exact: false }).waitFor();
});

test('The bar code on the screen reads back as the reference', async ({ shop, phone }) => {
  const buyer = await shop.newBuyer();
  const { paymentReference } = await shop.newReference(buyer);
  const { page } = await phone({ buyer });
  await page.goto(`${shop.origin}/codigo/${paymentReference}`);
  await sees(page, 'Código de barras');
  const onScreen = async () => {
    const codes = await readBarcodes(await page.screenshot({ scale: 'device' }), { tryHarder: true });
    return codes.map(({ text }) => text);
  };
  // The heading may be there a moment before the bars.
  await expect.poll(onScreen).toEqual([paymentReference]);
});

test('The reference can be pasted but not typed, and one that is no layaway is refused', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone({ buyer, permissions: ['clipboard-read', 'clipboard-write'] });
  const copy = (text: string) => page.evaluate((said) => navigator.clipboard.writeText(said), text);
  await page.goto(`${shop.origin}/apartado`);
  await page.locator(LIVE).waitFor();
  const field = page.getByLabel('Referencia del producto');
  await field.focus();
  await page.keyboard.type('1|1|1|0');
  expect(await field.inputValue()).toBe('');

  await copy('2|1|1|0|3000.00|3|600.00|0');
  await field.focus();
  await page.keyboard.press('ControlOrMeta+V');
  expect(await field.inputValue()).toBe('2|1|1|0|3000.00|3|600.00|0');
  await page.getByRole('button', NEXT).click();
  const alert = page.getByRole('alertdialog', { name: 'Oops...' });
  await alert.getByText('las referencía no es para realizar un apartado!').waitFor();
  await alert.getByText('Favor de revisar los datos de las referencías').waitFor();
  await alert.getByRole('button').click();

  // The whole link works like the bare reference, by button or by keyboard.
  await copy(qrLink(shop.origin));
  await page.getByRole('button', { name: 'Pegar' }).click();
  await page.getByRole('button', NEXT).click();
  await sees(page, 'Información para realizar el apartado');
});

test("Without a reference the next step leads to the buyer's purchases", async ({ shop, phone }) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone({ buyer });
  await page.goto(`${shop.origin}/apartado`);
  await page.getByRole('button', NEXT).click();
  await page.waitForURL(`${shop.origin}/cxcList`);
});

test('A photo of the QR works like the camera, and one without a QR says so', async ({ shop, phone }) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone({ buyer });
  await page.goto(`${shop.origin}/apartado`);
  const choose = (name: string, buffer: Buffer) =>
    page.locator(`${LIVE} input[type=file]`).setInputFiles({ name, mimeType: 'image/png', buffer });
  await choose('nada.png', await page.screenshot());
  await page.getByText('No encontramos un código QR en esa foto.', { exact: false }).waitFor();
  await choose('qr.png', qrPhoto(qrLink(shop.origin)));
  await sees(page, 'Información para realizar el apartado');
  await page.getByText('$3,000.00').first().waitFor();
});

test('The camera reads a QR with our own decoder, in a worker, where the browser has none', async ({
  shop,
}) => {
  await withCamera(shop, async (buyer, open) => {
    const page = await open(buyer, async (context) => {
      await context.addInitScript(() => Reflect.deleteProperty(window, 'BarcodeDetector'));
    });
    await page.getByRole('button', { name: 'Escanear QR' }).click();
    await sees(page, 'Información para realizar el apartado');
    expect(await page.evaluate(() => sessionStorage.getItem('refApartado'))).toBe(layawayReference());
  });
});

test('The camera reads a QR with the browser’s own detector, here a stub in its place', async ({ shop }) => {
  await withCamera(shop, async (buyer, open) => {
    const page = await open(buyer, async (context) => {
      await context.addInitScript((text) => {
        class Stub {
          static getSupportedFormats = async () => ['qr_code'];
          detect = async (picture: HTMLVideoElement) => (picture.videoWidth > 0 ? [{ rawValue: text }] : []);
        }
        Object.assign(window, { BarcodeDetector: Stub });
      }, qrLink(shop.origin));
    });
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    await page.getByRole('button', { name: 'Escanear QR' }).click();
    await sees(page, 'Información para realizar el apartado');
    expect(workers).toEqual([]);
  });
});

test('Without a camera the scanner says so and offers a photo', async ({ shop, phone }) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone({ buyer, permissions: ['camera'] });
  await page.goto(`${shop.origin}/apartado`);
  await page.getByRole('button', { name: 'Escanear QR' }).click();
  const sheet = page.getByRole('dialog', { name: 'Escanear QR' });
  await sheet.getByText('No encontramos una cámara.', { exact: false }).waitFor();
  await sheet.getByRole('button', { name: 'Leer QR de una foto' }).waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
});

type Prepare = (context: BrowserContext) => Promise<void>;

/** Its own Chromium: the camera's video is a start-up flag. */
async function withCamera(
  shop: Shop,
  use: (buyer: Buyer, open: (buyer: Buyer, prepare: Prepare) => Promise<Page>) => Promise<void>,
): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-camera-'));
  const video = path.join(folder, 'qr.y4m');
  fs.writeFileSync(video, qrVideo(qrLink(shop.origin)));
  const browser = await launch(
    ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${video}`],
    'whole',
  );
  const complaints: string[] = [];
  try {
    await use(await shop.newBuyer(), async (buyer, prepare) => {
      const { context, page } = await openPhone(browser, shop, { buyer, permissions: ['camera'] }, (line) =>
        complaints.push(line),
      );
      await prepare(context);
      await page.goto(`${shop.origin}/apartado`);
      await sees(page, 'Aparta un producto');
      return page;
    });
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
