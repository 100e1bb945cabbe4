import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { DateOnly } from '@aparta/domain/calendar';

import { PICTURE_FORMAT } from './formats.ts';
import type { Label } from './label.ts';
import { labelSheets } from './label-sheet.ts';

/** A label as a PNG of 1181 by 1476 pixels (300 per inch), drawn once, like its sheet: for chats and social networks. */
export async function labelPicture(label: Label, printedOn: DateOnly): Promise<Buffer> {
  const to = new PassThrough();
  const [pdf] = await Promise.all([
    buffer(to),
    labelSheets([label], PICTURE_FORMAT, { printedOn, title: label.productName, to }),
  ]);
  return drawPage(pdf, 300);
}

/** The first page of a PDF as a PNG, at so many pixels per inch. */
export async function drawPage(pdf: Buffer, pixelsPerInch: number): Promise<Buffer> {
  const [{ PDFiumLibrary }, { default: sharp }] = await Promise.all([
    import('@hyzyla/pdfium'),
    import('sharp'),
  ]);
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(pdf);
    const page = await document.getPage(0).render({
      scale: pixelsPerInch / 72,
      render: ({ data, width, height }) =>
        sharp(data, { raw: { width, height, channels: 4 } })
          .png()
          .toBuffer(),
    });
    document.destroy();
    return Buffer.from(page.data);
  } finally {
    library.destroy();
  }
}
