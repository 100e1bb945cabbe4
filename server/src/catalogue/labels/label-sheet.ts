import { formatDate, type DateOnly } from '@aparta/domain/calendar';
import { formatMoney } from '@aparta/domain/money';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import type PDFDocument from 'pdfkit';
import { encode } from 'uqr';

import { printable } from '../../platform/printed-text.ts';
import { LABEL_COPY as copy } from './copy.ts';
import type { LabelFormat } from './formats.ts';
import type { Label } from './label.ts';

type Pdf = InstanceType<typeof PDFDocument>;

type Qr = ReturnType<typeof encode>;
type Drawn = Label & { readonly qr: Qr };

/** A part of a page, in points. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const INK = '#161a33';
const ORANGE = '#f58220';
const LINE = '#b7b0a5';
/** On a label lower than this, 'Apártalo con' shares the tag with its sum. */
const SMALL = 80;
const QUIET_INK = '#535870';

const points = (millimetres: number) => (millimetres * 72) / 25.4;

/**
 * Labels on sheets of one format, written to `to` page by page as a PDF, in their order. `skip` leaves the first places of
 * the first sheet empty, for a sheet that was begun. The QR keeps four modules of quiet around it and is black on white,
 * whatever the paper. `drawn` hears how many there are, after each sheet.
 */
export async function labelSheets(
  labels: readonly Label[],
  format: LabelFormat,
  {
    printedOn,
    title,
    copies = 1,
    skip = 0,
    to,
    drawn,
  }: {
    printedOn: DateOnly;
    title: string;
    copies?: number;
    skip?: number;
    to: Writable;
    drawn?: (count: number) => void;
  },
): Promise<void> {
  const { default: Document } = await import('pdfkit');
  const pdf = new Document({
    size: [points(format.page.width), points(format.page.height)],
    margin: 0,
    autoFirstPage: false,
    lang: 'es-MX',
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    info: { Title: title },
  });
  const written = pipeline(pdf, to);
  const text = pdf.struct('Document');
  pdf.addStructure(text);
  const perPage = format.columns * format.rows;
  // While it draws, the file is written; one that cannot be ends the drawing.
  const failed = written.then(
    () => false,
    () => true,
  );
  let count = 0;
  drawing: for (const label of labels) {
    // The costliest part, and the same on every copy.
    const qr = encode(label.link, { ecc: 'M', border: 4 });
    for (let nth = 0; nth < copies; nth += 1) {
      const place = (count + skip) % perPage;
      if (count === 0 || place === 0) {
        drawn?.(count);
        if (await Promise.race([failed, setImmediate(false)])) break drawing;
        pdf.addPage();
      }
      const content = pdf.markStructureContent('P');
      drawLabel(pdf, { ...label, qr }, placeOf(place, format), printedOn);
      pdf.endMarkedContent();
      const read = pdf.struct('P', {}, [content]);
      text.add(read);
      read.end();
      count += 1;
    }
  }
  pdf.end();
  await written;
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
function drawLabel(pdf: Pdf, label: Drawn, box: Box, printedOn: DateOnly): void {
  if (box.width > box.height) drawWide(pdf, label, box, printedOn);
  else drawTall(pdf, label, box, printedOn);
}

function drawWide(pdf: Pdf, label: Drawn, box: Box, printedOn: DateOnly): void {
  const pad = box.height * 0.06;
  const side = Math.min(box.height - 2 * pad, box.width * 0.45);
  drawQr(pdf, label.qr, { x: box.x + pad, y: box.y + (box.height - side) / 2, width: side, height: side });
  const tear = box.x + side + 1.6 * pad;
  drawTear(pdf, { x: tear, y: box.y, width: 0, height: box.height }, pad);
  const left = tear + 1.4 * pad;
  const text = {
    x: left,
    y: box.y + pad,
    width: box.x + box.width - pad - left,
    height: box.height - 2 * pad,
  };
  const isSmall = box.height < SMALL;
  const deposit = formatMoney(label.depositCentavos);
  const lines = fitted(pdf, text, text.width / 12, (unit) => [
    { text: label.tradeName, size: unit * 0.8, colour: QUIET_INK, rows: 1 },
    { text: label.productName, size: unit * 1.1, bold: true, rows: 3 },
    { text: `${copy.price} ${formatMoney(label.priceCentavos)}`, size: unit * 0.9, rows: 1 },
    ...(isSmall
      ? [{ text: `${copy.reserveWith} ${deposit}`, size: unit, bold: true, rows: 1, isTag: true }]
      : [
          { text: copy.reserveWith, size: unit * 0.8, colour: QUIET_INK, rows: 1, before: unit * 0.3 },
          { text: deposit, size: unit * 1.5, bold: true, rows: 1, isTag: true },
        ]),
    { text: label.plan, size: unit * 0.72, rows: 3 },
    { text: copy.scanBriefly, size: unit * 0.62, colour: QUIET_INK, rows: 1, before: unit * 0.1 },
    footLine(label, printedOn, unit * 0.55),
  ]);
  const spare = text.height - heightOf(pdf, lines, text.width);
  writeLines(pdf, { ...text, y: text.y + spare / 2 }, lines, 'left');
}

function drawTall(pdf: Pdf, label: Drawn, box: Box, printedOn: DateOnly): void {
  const pad = box.width * 0.07;
  const width = box.width - 2 * pad;
  const x = box.x + pad;
  const head = fitted(pdf, { width, height: box.height * 0.27 }, box.width / 19, (unit) => [
    { text: label.tradeName, size: unit * 0.8, colour: QUIET_INK, rows: 1 },
    { text: label.productName, size: unit * 1.5, bold: true, rows: Infinity },
    { text: `${copy.price} ${formatMoney(label.priceCentavos)}`, size: unit, rows: 1 },
  ]);
  const foot = fitted(pdf, { width, height: box.height * 0.29 }, box.width / 19, (unit) => [
    { text: copy.reserveWith, size: unit * 0.8, colour: QUIET_INK, rows: 1, before: unit * 0.5 },
    { text: formatMoney(label.depositCentavos), size: unit * 2, bold: true, rows: 1, isTag: true },
    { text: label.plan, size: unit * 0.72, rows: 2 },
    { text: copy.scan, size: unit * 0.68, rows: 1, before: unit * 0.2 },
    footLine(label, printedOn, unit * 0.5),
  ]);
  const top = writeLines(pdf, { x, y: box.y + pad, width }, head, 'center');
  const bottom = box.y + box.height - pad - heightOf(pdf, foot, width);
  const side = Math.min(width, bottom - top);
  drawQr(pdf, label.qr, {
    x: box.x + (box.width - side) / 2,
    y: top + (bottom - top - side) / 2,
    width: side,
    height: side,
  });
  drawTear(pdf, { x: box.x, y: bottom, width: box.width, height: 0 }, pad / 2);
  writeLines(pdf, { x, y: bottom, width }, foot, 'center');
}

/** A ticket's perforation across a label: a dashed line, with a notch in either edge. */
function drawTear(pdf: Pdf, { x, y, width, height }: Box, notch: number): void {
  const radius = notch / 2;
  pdf
    .save()
    .lineWidth(radius / 5)
    .strokeColor(LINE);
  for (const [atX, atY] of [
    [x, y],
    [x + width, y + height],
  ] as const) {
    pdf.circle(atX, atY, radius).stroke();
  }
  const [alongX, alongY] = width > height ? [1.5 * radius, 0] : [0, 1.5 * radius];
  pdf
    .moveTo(x + alongX, y + alongY)
    .lineTo(x + width - alongX, y + height - alongY)
    .dash(radius * 0.8, { space: radius * 0.6 })
    .stroke()
    .restore();
}

/** A price tag behind a line of text: pointed, with the hole for its string. */
function drawTag(pdf: Pdf, { x, y, width, height }: Box): void {
  const point = height * 0.4;
  pdf
    .polygon(
      [x, y + height / 2],
      [x + point, y],
      [x + width, y],
      [x + width, y + height],
      [x + point, y + height],
    )
    .fill(ORANGE);
  pdf.circle(x + point * 0.85, y + height / 2, height * 0.08).fill('white');
}

interface Line {
  readonly text: string;
  readonly size: number;
  readonly bold?: boolean;
  readonly colour?: string;
  /** The most rows it may take; what does not fit ends in an ellipsis. */
  readonly rows: number;
  readonly before?: number;
  /** Stands on a price tag, on one row. */
  readonly isTag?: boolean;
}

function footLine({ sku, productId }: Label, printedOn: DateOnly, size: number): Line {
  return { text: copy.foot(sku, productId, formatDate(printedOn)), size, colour: QUIET_INK, rows: 1 };
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

function rowsHeight(pdf: Pdf, line: Line, width: number): number {
  const { text, size, bold = false, rows, isTag = false } = line;
  pdf.font(bold ? 'Helvetica-Bold' : 'Helvetica').fontSize(size);
  // A tag is never broken: too wide a one fits no label.
  if (isTag) return tagWidth(pdf, line) > width ? Infinity : size * TAG_HEIGHT;
  return Math.min(pdf.heightOfString(printable(text), { width }), rows * pdf.currentLineHeight(true));
}

const TAG_HEIGHT = 1.4;

/** The font is set. */
function tagWidth(pdf: Pdf, { text, size }: Line): number {
  return pdf.widthOfString(text) + size * (0.4 * TAG_HEIGHT + 0.6);
}

function gapAfter({ size, isTag = false }: Line): number {
  return size * (isTag ? 0.25 : 0.12);
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
    if (line.isTag === true) {
      const wide = tagWidth(pdf, line);
      const left = align === 'center' ? x + (width - wide) / 2 : x;
      drawTag(pdf, { x: left, y, width: wide, height });
      const [textX, textY] = [
        left + line.size * 0.4 * TAG_HEIGHT + line.size * 0.3,
        y + height / 2 - line.size * 0.36,
      ];
      pdf.fillColor(INK).text(line.text, textX, textY, { lineBreak: false });
    } else {
      pdf.fillColor(line.colour ?? INK);
      pdf.text(printable(line.text), x, y, { width, align, ellipsis: true, height: height + 0.1 });
    }
    y += height + gapAfter(line);
  }
  return y;
}

/** Rows of black modules are drawn as one rectangle each: hairlines between squares would spoil them in print. */
function drawQr(pdf: Pdf, { data, size }: Qr, box: Box): void {
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
