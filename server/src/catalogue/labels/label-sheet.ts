import { formatDate, type DateOnly } from '@aparta/domain/calendar';
import { formatMoney } from '@aparta/domain/money';
import PDFDocument from 'pdfkit';
import { encode } from 'uqr';

import { printable } from '../../platform/printed-text.ts';
import { LABEL_COPY as copy } from './copy.ts';
import type { LabelFormat } from './formats.ts';
import type { Label } from './label.ts';

type Pdf = InstanceType<typeof PDFDocument>;

/** A part of a page, in points. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const INK = '#161a33';
const QUIET_INK = '#535870';

const points = (millimetres: number) => (millimetres * 72) / 25.4;

/**
 * Labels on sheets of one format, as a PDF, in their order. `skip` leaves the first places of the first sheet empty, for a
 * sheet that was begun. The QR keeps four modules of quiet around it and is black on white, whatever the paper.
 */
export async function labelSheets(
  labels: readonly Label[],
  format: LabelFormat,
  { printedOn, title, skip = 0 }: { printedOn: DateOnly; title: string; skip?: number },
): Promise<Buffer> {
  const size: [number, number] = [points(format.page.width), points(format.page.height)];
  const pdf = new PDFDocument({
    size,
    margin: 0,
    autoFirstPage: false,
    lang: 'es-MX',
    info: { Title: title },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  const perPage = format.columns * format.rows;
  labels.forEach((label, index) => {
    const place = (index + skip) % perPage;
    if (index === 0 || place === 0) pdf.addPage();
    drawLabel(pdf, label, placeOf(place, format), printedOn);
  });
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

function placeOf(place: number, format: LabelFormat): Box {
  const { label, columns, left, top, columnGap, rowGap } = format;
  return {
    x: points(left + (place % columns) * (label.width + columnGap)),
    y: points(top + Math.floor(place / columns) * (label.height + rowGap)),
    width: points(label.width),
    height: points(label.height),
  };
}

/** Wide labels have the QR at their left, tall ones in their middle. All sizes follow from the label's. */
function drawLabel(pdf: Pdf, label: Label, box: Box, printedOn: DateOnly): void {
  if (box.width > box.height) drawWide(pdf, label, box, printedOn);
  else drawTall(pdf, label, box, printedOn);
}

function drawWide(pdf: Pdf, label: Label, box: Box, printedOn: DateOnly): void {
  const pad = box.height * 0.06;
  const side = Math.min(box.height - 2 * pad, box.width * 0.45);
  drawQr(pdf, label.link, { x: box.x + pad, y: box.y + (box.height - side) / 2, width: side, height: side });
  const left = box.x + side + 1.5 * pad;
  const text = {
    x: left,
    y: box.y + pad,
    width: box.x + box.width - pad - left,
    height: box.height - 2 * pad,
  };
  const lines = fitted(pdf, text, text.width / 12, (unit) => [
    { text: label.tradeName, size: unit * 0.8, colour: QUIET_INK, rows: 1 },
    { text: label.productName, size: unit * 1.15, bold: true, rows: 2 },
    { text: `${copy.price} ${formatMoney(label.priceCentavos)}`, size: unit * 0.9, rows: 1 },
    { text: copy.reserveWith, size: unit * 0.8, colour: QUIET_INK, rows: 1, before: unit * 0.3 },
    { text: formatMoney(label.depositCentavos), size: unit * 1.6, bold: true, rows: 1 },
    { text: label.plan, size: unit * 0.72, rows: 3 },
    printedLine(printedOn, unit * 0.55),
  ]);
  const spare = text.height - heightOf(pdf, lines, text.width);
  writeLines(pdf, { ...text, y: text.y + spare / 2 }, lines, 'left');
}

function drawTall(pdf: Pdf, label: Label, box: Box, printedOn: DateOnly): void {
  const pad = box.width * 0.07;
  const width = box.width - 2 * pad;
  const x = box.x + pad;
  const head = fitted(pdf, { width, height: box.height * 0.25 }, box.width / 19, (unit) => [
    { text: label.tradeName, size: unit * 0.8, colour: QUIET_INK, rows: 1 },
    { text: label.productName, size: unit * 1.5, bold: true, rows: 2 },
    { text: `${copy.price} ${formatMoney(label.priceCentavos)}`, size: unit, rows: 1 },
  ]);
  const foot = fitted(pdf, { width, height: box.height * 0.26 }, box.width / 19, (unit) => [
    { text: copy.scan, size: unit * 0.62, colour: QUIET_INK, rows: 1 },
    { text: copy.reserveWith, size: unit * 0.8, colour: QUIET_INK, rows: 1, before: unit * 0.3 },
    { text: formatMoney(label.depositCentavos), size: unit * 2, bold: true, rows: 1 },
    { text: label.plan, size: unit * 0.72, rows: 2 },
    printedLine(printedOn, unit * 0.5),
  ]);
  const top = writeLines(pdf, { x, y: box.y + pad, width }, head, 'center');
  const bottom = box.y + box.height - pad - heightOf(pdf, foot, width);
  const side = Math.min(width, bottom - top);
  drawQr(pdf, label.link, {
    x: box.x + (box.width - side) / 2,
    y: top + (bottom - top - side) / 2,
    width: side,
    height: side,
  });
  writeLines(pdf, { x, y: bottom, width }, foot, 'center');
}

interface Line {
  readonly text: string;
  readonly size: number;
  readonly bold?: boolean;
  readonly colour?: string;
  /** The most rows it may take; what does not fit ends in an ellipsis. */
  readonly rows: number;
  readonly before?: number;
}

function printedLine(printedOn: DateOnly, size: number): Line {
  return { text: copy.printedOn(formatDate(printedOn)), size, colour: QUIET_INK, rows: 1 };
}

/** The lines at the largest unit, from `most` down, at which all of them fit. */
function fitted(
  pdf: Pdf,
  room: { width: number; height: number },
  most: number,
  lines: (unit: number) => Line[],
): Line[] {
  for (let shrink = 0; shrink < 20; shrink += 1) {
    const tried = lines(most * 0.95 ** shrink);
    if (heightOf(pdf, tried, room.width) <= room.height) return tried;
  }
  return lines(most * 0.95 ** 20);
}

function heightOf(pdf: Pdf, lines: readonly Line[], width: number): number {
  return lines.reduce(
    (sum, line) => sum + (line.before ?? 0) + rowsHeight(pdf, line, width) + gapAfter(line),
    0,
  );
}

function rowsHeight(pdf: Pdf, { text, size, bold = false, rows }: Line, width: number): number {
  pdf.font(bold ? 'Helvetica-Bold' : 'Helvetica').fontSize(size);
  return Math.min(pdf.heightOfString(printable(text), { width }), rows * pdf.currentLineHeight(true));
}

function gapAfter({ size }: Line): number {
  return size * 0.12;
}

/** Writes lines one under the other; returns where they ended. */
function writeLines(
  pdf: Pdf,
  { x, y: top, width }: Omit<Box, 'height'>,
  lines: readonly Line[],
  align: 'left' | 'center',
): number {
  let y = top;
  for (const line of lines) {
    y += line.before ?? 0;
    const height = rowsHeight(pdf, line, width);
    // A hair more than the rows: rounding must not cost the last of them.
    pdf.fillColor(line.colour ?? INK);
    pdf.text(printable(line.text), x, y, { width, align, ellipsis: true, height: height + 0.1 });
    y += height + gapAfter(line);
  }
  return y;
}

/** Rows of black modules are drawn as one rectangle each: hairlines between squares would spoil them in print. */
function drawQr(pdf: Pdf, text: string, box: Box): void {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const module = box.width / size;
  pdf.rect(box.x, box.y, box.width, box.height).fill('white');
  data.forEach((row, rowAt) => {
    for (let from = 0; from < size; from += 1) {
      if (!row[from]) continue;
      let to = from;
      while (row[to + 1]) to += 1;
      pdf.rect(box.x + from * module, box.y + rowAt * module, (to - from + 1) * module, module);
      from = to;
    }
  });
  pdf.fill('black');
}
