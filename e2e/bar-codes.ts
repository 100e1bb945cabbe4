import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Download, Page } from 'playwright-core';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

prepareZXingModule({
  overrides: {
    wasmBinary: fs.readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
      .buffer as ArrayBuffer,
  },
});

/** What a scanner reads off the bar code on the screen. */
export async function codesOn(page: Page): Promise<string[]> {
  const plate = page.getByRole('img', { name: /^Código de barras/ });
  await plate.locator('path').waitFor({ state: 'attached' });
  const codes = await readBarcodes(await plate.screenshot({ scale: 'device' }), { tryHarder: true });
  return codes.map(({ text }) => text);
}

/** The same of a picture that was saved. */
export async function codesIn(saved: Download): Promise<string[]> {
  const codes = await readBarcodes(fs.readFileSync(await saved.path()));
  return codes.map(({ text }) => text);
}
