import fs from 'node:fs';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

import { parseLayawayReference } from '@aparta/domain/layaway-reference';
import { centavos } from '@aparta/domain/money';

import { LABEL_FORMATS, type LabelFormat } from './formats.ts';
import { labelOf, type Label, type Offer } from './label.ts';
import { drawPage, labelPicture } from './label-picture.ts';
import { labelSheets } from './label-sheet.ts';
import { textOfPdf } from '../../../test/pdf-text.ts';

const FRIDGE: Offer = {
  productId: 77,
  merchantId: 3,
  sku: 'REF-11',
  productName: 'Refrigerador 11 pies con despachador de agua, congelador y puertas «Ñandú»',
  tradeName: 'Electrónica Zavaleta',
  priceCentavos: centavos(300_000),
  depositBasisPoints: 2_000,
  frequencyDays: 30,
  durationDays: 60,
};
const DAY = '2026-11-20';

function made(offer: Offer): Label {
  const label = labelOf(offer, 'https://aparta.example');
  if (label === undefined) throw new Error('no plan');
  return label;
}

beforeAll(() => {
  const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(fs.readFileSync(wasm)).buffer } });
});

/** The sheets as one file in memory. */
async function sheets(
  labels: readonly Label[],
  format: LabelFormat,
  options: { skip?: number; copies?: number } = {},
): Promise<Buffer> {
  const to = new PassThrough();
  const [pdf] = await Promise.all([
    buffer(to),
    labelSheets(labels, format, { printedOn: DAY, title: 'Etiquetas', to, ...options }),
  ]);
  return pdf;
}

async function scan(picture: Buffer): Promise<string[]> {
  return (await readBarcodes(picture, { formats: ['QRCode'], maxNumberOfSymbols: 50 })).map(
    ({ text }) => text,
  );
}

describe('a label', () => {
  test('says the plan in words, with the last payment apart when centavos do not divide', () => {
    expect(made(FRIDGE).plan).toBe('y 2 abonos de $1,200.00, uno cada 30 días');
    expect(made({ ...FRIDGE, priceCentavos: centavos(300_101) }).plan).toBe(
      'y 2 abonos, uno cada 30 días: uno de $1,200.40 y el último de $1,200.41',
    );
    expect(made({ ...FRIDGE, frequencyDays: 7, durationDays: 28 }).plan).toBe(
      'y 4 abonos de $600.00, uno cada semana',
    );
    expect(made({ ...FRIDGE, durationDays: 15 }).plan).toBe('y un pago de $2,400.00 a los 15 días');
  });

  test('carries a reference that the wizard reads, with the figures it shows', () => {
    const read = parseLayawayReference(made(FRIDGE).link);
    expect(read).toMatchObject({
      ok: true,
      value: { businessId: 3, productId: 77, buyerId: 0, printedPayments: 3 },
    });
  });

  test('is not made of terms that make no plan', () => {
    expect(labelOf({ ...FRIDGE, depositBasisPoints: 10_000 }, 'https://aparta.example')).toBeUndefined();
  });
});

describe('on paper', () => {
  test.each(Object.entries<LabelFormat>(LABEL_FORMATS))(
    'every label of a sheet %s scans as printed',
    async (_, format) => {
      const offers = Array.from({ length: format.columns * format.rows }, (_unused, at) => ({
        ...FRIDGE,
        productId: at + 1,
      }));
      const labels = offers.map(made);
      const pdf = await sheets(labels, format);
      expect((await scan(await drawPage(pdf, 150))).toSorted()).toEqual(
        labels.map(({ link }) => link).toSorted(),
      );
    },
  );

  test('a sheet that was begun is gone on with', async () => {
    const pdf = await sheets([made(FRIDGE)], LABEL_FORMATS['carta-30'], { skip: 29 });
    const [found] = await readBarcodes(await drawPage(pdf, 150), { formats: ['QRCode'] });
    const corner = found?.position.topLeft ?? { x: 0, y: 0 };
    expect(corner.x).toBeGreaterThan(850); // of 1275 points across: the third column
    expect(corner.y).toBeGreaterThan(1_400); // of 1650 down: the last row
  });

  test('says the product’s code and number, and how to scan it', async () => {
    const text = textOfPdf(await sheets([made(FRIDGE)], LABEL_FORMATS['a4-8']));
    expect(text).toContain('SKU REF-11 · Núm. 77 · 20 nov 2026');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('Escanéalo con tu teléfono');
  });

  test('a poster never cuts the name of its product', async () => {
    const productName = 'Comedor extensible de nogal con seis sillas tapizadas en lino gris y banca a juego';
    const text = textOfPdf(await sheets([made({ ...FRIDGE, productName })], LABEL_FORMATS['a4-cartel']));
    expect(text.replaceAll(/\s+/g, ' ')).toContain(productName);
  });

  test('a program reads a label aloud as one paragraph', async () => {
    const pdf = (await sheets([made(FRIDGE)], LABEL_FORMATS['carta-10'], { copies: 3 })).toString('latin1');
    expect(pdf).toContain('/Marked true');
    expect(pdf).toContain('/Lang (es-MX)');
    expect(pdf.match(/\/S \/P\b/g)).toHaveLength(3);
  });

  test('a picture scans from a phone: small, slanted and out of focus', async () => {
    const photo = await sharp(await labelPicture(made(FRIDGE), DAY))
      .resize({ width: 360 })
      .rotate(7, { background: '#8a7f70' })
      .blur(0.8)
      .jpeg({ quality: 60 })
      .toBuffer();
    expect(await scan(photo)).toEqual([made(FRIDGE).link]);
  });
});
