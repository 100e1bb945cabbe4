import type PDFDocument from 'pdfkit';

import { printable } from './printed-text.ts';

export type Pdf = InstanceType<typeof PDFDocument>;
export type Tagged = ReturnType<Pdf['struct']>;

export const WIDTH = 420;
export const HEIGHT = 595;
export const MARGIN = 36;
export const INNER = WIDTH - 2 * MARGIN;
/** The height of a value of two rows: with less left on a page, it goes on the next. */
const ROOM = 32;
export const INK = '#161a33';
export const QUIET = '#535870';
export const LEADER = '#b7b0a5';

export interface Paper {
  readonly pdf: Pdf;
  readonly root: Tagged;
  /** Writes a label with its value as a row of a table; nothing without a value. */
  line(label: string, value: string, bold?: boolean): void;
  /** A rule between groups of lines. */
  rule(): void;
  finish(): Promise<Buffer>;
}

/** A small page of labels and values, whose text can be searched, tagged so that it is read aloud in order. */
export async function openPaper(of: {
  readonly title: string;
  readonly author: string;
  readonly createdAt: Date;
}): Promise<Paper> {
  // With its fonts it is large: not before somebody wants paper.
  const { default: Document } = await import('pdfkit');
  const pdf = new Document({
    size: [WIDTH, HEIGHT],
    margin: MARGIN,
    lang: 'es-MX',
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    info: { Title: of.title, Author: of.author, CreationDate: of.createdAt },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  return {
    pdf,
    root,
    ...linesOn(pdf, root),
    async finish() {
      root.end();
      pdf.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
}

/** What is drawn and says nothing: a program that reads aloud passes it over. */
export function drawn(pdf: Pdf, draw: () => void): void {
  pdf.markContent('Artifact', { type: 'Layout' });
  draw();
  pdf.endMarkedContent();
}

function linesOn(pdf: Pdf, root: Tagged) {
  let table: Tagged | undefined;
  const line = (label: string, value: string, bold = false) => {
    if (value === '') return;
    if (pdf.y > HEIGHT - MARGIN - ROOM) pdf.addPage();
    if (table === undefined) root.add((table = pdf.struct('Table')));
    const row = pdf.struct('TR');
    table.add(row);
    const top = pdf.y;
    pdf.font('Helvetica').fontSize(9).fillColor(QUIET);
    pdf.text(label, MARGIN, top, { width: 130, structParent: row, structType: 'TH' });
    const left = pdf.y;
    pdf
      .font(bold ? 'Helvetica-Bold' : 'Helvetica')
      .fontSize(bold ? 12 : 10)
      .fillColor(INK)
      .text(printable(value), MARGIN + 140, top, {
        width: INNER - 140,
        align: 'right',
        structParent: row,
        structType: 'TD',
      });
    row.end();
    pdf.y = Math.max(left, pdf.y) + 4;
  };
  const rule = () => {
    table?.end();
    table = undefined;
    drawn(pdf, () =>
      pdf
        .moveTo(MARGIN, pdf.y + 2)
        .lineTo(WIDTH - MARGIN, pdf.y + 2)
        .lineWidth(0.5)
        .strokeColor(LEADER)
        .stroke(),
    );
    pdf.y += 9;
  };
  return { line, rule };
}
