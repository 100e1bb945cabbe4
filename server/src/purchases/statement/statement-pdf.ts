import { setImmediate as others } from 'node:timers/promises';

import { formatDate, formatMoment } from '@aparta/domain/calendar';
import { centavos, formatMoney } from '@aparta/domain/money';
import { MOST_STATEMENT_LINES, type StatementLine } from '@aparta/domain/statement';
import { whatOf } from '@aparta/domain/statement-copy';

import {
  drawn,
  HEIGHT,
  INK,
  INNER,
  LEADER,
  MARGIN,
  openPaper,
  type Paper,
  type Pdf,
  QUIET,
  WIDTH,
} from '../../platform/paper.ts';
import { printable } from '../../platform/printed-text.ts';
import { howOf, statementCopy as copy } from './copy.ts';
import type { AccountEvent } from './read-model.ts';
import type { BuyerStatement, Due } from './statement.ts';

/** A cell's first line is what counts; the rest of it is small. */
type PdfCell = readonly [first: string, ...rest: string[]];

/** Where each column begins, how wide it is, and whether it holds money. */
const COLUMNS = [
  { left: 0, width: 56, isMoney: false },
  { left: 62, width: 148, isMoney: false },
  { left: 214, width: 66, isMoney: true },
  { left: 284, width: INNER - 284, isMoney: true },
] as const;
const SIZES = { first: 8, rest: 7 } as const;

/** A buyer's statement on paper: its sums, each line with the balance after it, and what was due. */
export async function statementPdf(statement: BuyerStatement, productName: string): Promise<Buffer> {
  const title = `${copy.title} ${copy.range(statement.from, statement.to)}`;
  const paper = await openPaper({ title, author: productName, createdAt: statement.now });
  head(paper, statement, productName);
  sums(paper, statement);
  heading(paper, copy.movements);
  if (statement.lines.length === 0) say(paper, copy.none);
  else await table(paper, copy.heads, statement.lines.map(lineCells));
  if (!statement.isWhole) say(paper, copy.notWhole(MOST_STATEMENT_LINES));
  heading(paper, copy.dues);
  say(paper, statement.dues.length === 0 ? copy.noDues : copy.duesToday);
  if (statement.dues.length > 0) await table(paper, copy.dueHeads, statement.dues.map(dueCells));
  say(paper, `${copy.meaning} ${copy.notAnInvoice}`);
  return paper.finish();
}

function head({ pdf, root }: Paper, { from, to, buyerName, now }: BuyerStatement, productName: string): void {
  const said = { width: INNER, structParent: root };
  pdf.font('Helvetica-Bold').fontSize(10).fillColor(QUIET);
  pdf.text(printable(productName), MARGIN, MARGIN, { ...said, structType: 'P' });
  pdf
    .fontSize(20)
    .fillColor(INK)
    .text(copy.title, { ...said, structType: 'H1' });
  pdf.font('Helvetica').fontSize(11);
  pdf.text(copy.range(from, to), { ...said, structType: 'P' });
  pdf.text(printable(buyerName), { ...said, structType: 'P' });
  pdf
    .fontSize(8)
    .fillColor(QUIET)
    .text(copy.madeAt(now), { ...said, structType: 'P' });
  pdf.moveDown(0.8);
}

function sums({ line, rule }: Paper, { openingCentavos, closingCentavos, sums: of }: BuyerStatement): void {
  line(copy.opening, formatMoney(openingCentavos));
  line(copy.reserved, `+${formatMoney(of.reservedCentavos)}`);
  if (of.reversedCentavos > 0) line(copy.reversed, `+${formatMoney(of.reversedCentavos)}`);
  line(copy.applied, `-${formatMoney(of.paidCentavos)}`);
  if (of.droppedCentavos > 0) line(copy.dropped, `-${formatMoney(of.droppedCentavos)}`);
  line(copy.closing, `${formatMoney(closingCentavos)} MXN`, true);
  const beside = [
    [copy.fees, of.feesCentavos],
    [copy.penalties, of.penaltiesCentavos],
    [copy.refunded, of.refundedCentavos],
    [copy.refundedToHelpers, of.refundedToHelpersCentavos],
  ] as const;
  if (beside.some(([, moved]) => moved > 0)) rule();
  for (const [label, moved] of beside) if (moved > 0) line(label, formatMoney(moved));
}

function lineCells(line: StatementLine<AccountEvent>): PdfCell[] {
  const [day = '', hour = ''] = formatMoment(line.at).split(', ');
  const purchase = line.purchaseId === null ? '' : copy.purchase(line.purchaseId);
  const payer = line.payerName === null ? '' : copy.paidBy(line.payerName);
  const folio = line.folio === null ? '' : copy.folio(line.folio);
  const hasFee = line.feeCentavos > 0 && line.kind === 'payment';
  return [
    [day, hour],
    [
      whatOf(line),
      joined(line.productName, line.tradeName, purchase),
      joined(howOf(line), payer, folio),
      hasFee ? copy.fee(formatMoney(line.feeCentavos)) : '',
    ],
    amountCell(line),
    [formatMoney(line.balanceCentavos)],
  ];
}

const joined = (...words: string[]) => words.filter(Boolean).join(' · ');

/** What it did to the balance; below it the money that moved, where that was another sum. */
function amountCell({
  chargeCentavos,
  creditCentavos,
  amountCentavos,
  kind,
}: StatementLine<AccountEvent>): PdfCell {
  const moved = kind === 'ended' || amountCentavos === chargeCentavos + creditCentavos;
  const rest = moved ? [] : [`(${formatMoney(amountCentavos)})`];
  if (chargeCentavos > 0) return [`+${formatMoney(chargeCentavos)}`, ...rest];
  return creditCentavos > 0 ? [`-${formatMoney(creditCentavos)}`, ...rest] : ['', ...rest];
}

function dueCells(due: Due): PdfCell[] {
  const left = formatMoney(centavos(due.amountCentavos - due.paidCentavos));
  return [
    [formatDate(due.dueOn)],
    [
      copy.part(due.number, due.instalments),
      `${due.productName} · ${due.tradeName}`,
      copy.purchase(due.purchaseId),
    ],
    [formatMoney(due.amountCentavos)],
    [copy.dueStates[due.state](left)],
  ];
}

function heading({ pdf, root, rule }: Paper, words: string): void {
  rule();
  if (pdf.y > HEIGHT - MARGIN - 80) pdf.addPage();
  pdf.font('Helvetica-Bold').fontSize(11).fillColor(INK);
  pdf.text(words, MARGIN, pdf.y, { width: INNER, structParent: root, structType: 'H2' });
  pdf.y += 4;
}

function say({ pdf, root }: Paper, words: string): void {
  pdf.font('Helvetica').fontSize(8).fillColor(QUIET);
  pdf.text(words, MARGIN, pdf.y, { width: INNER, structParent: root, structType: 'P' });
  pdf.y += 4;
}

/** Rows under their heads, which each page repeats; no row is cut in two. */
async function table(
  { pdf, root }: Paper,
  heads: readonly string[],
  rows: readonly PdfCell[][],
): Promise<void> {
  const whole = pdf.struct('Table');
  root.add(whole);
  const writeRow = (cells: readonly PdfCell[], isHead: boolean) => {
    const row = pdf.struct('TR');
    whole.add(row);
    const top = pdf.y;
    let bottom = top;
    for (const [at, { left, width, isMoney }] of COLUMNS.entries()) {
      const [first, ...rest] = cells[at] ?? [''];
      const cell = pdf.struct(isHead ? 'TH' : 'TD');
      row.add(cell);
      const put = (words: string, isFirst: boolean) => {
        styled(pdf, isFirst, isHead, at);
        const options = { width, align: isMoney ? 'right' : 'left', structParent: cell } as const;
        pdf.text(printable(words), MARGIN + left, pdf.y, { ...options, structType: 'Span' });
      };
      pdf.y = top;
      if (first !== '') put(first, true);
      else pdf.y += SIZES.first;
      for (const words of rest.filter(Boolean)) put(words, false);
      cell.end();
      bottom = Math.max(bottom, pdf.y);
    }
    row.end();
    pdf.y = bottom + 3;
    drawn(pdf, () =>
      pdf
        .moveTo(MARGIN, pdf.y)
        .lineTo(WIDTH - MARGIN, pdf.y)
        .lineWidth(0.4)
        .strokeColor(LEADER)
        .stroke(),
    );
    pdf.y += 4;
  };
  const writeHeads = () =>
    writeRow(
      heads.map((words): PdfCell => [words]),
      true,
    );
  writeHeads();
  for (const [index, cells] of rows.entries()) {
    // Forty rows take some 60 ms; a thousand must not keep every other caller waiting.
    if (index % 40 === 39) await others();
    if (pdf.y + heightOf(pdf, cells) > HEIGHT - MARGIN) {
      pdf.addPage();
      writeHeads();
    }
    writeRow(cells, false);
  }
  whole.end();
}

function styled(pdf: Pdf, isFirst: boolean, isHead: boolean, column: number): void {
  const isBold = !isHead && isFirst && (column === 1 || column === 3);
  pdf
    .font(isBold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(isFirst && !isHead ? SIZES.first : SIZES.rest)
    .fillColor(isFirst && !isHead ? INK : QUIET);
}

function heightOf(pdf: Pdf, cells: readonly PdfCell[]): number {
  const heights = COLUMNS.map(({ width }, at) =>
    (cells[at] ?? []).reduce((all, words, index) => {
      if (words === '' && index > 0) return all;
      styled(pdf, index === 0, false, at);
      return all + pdf.heightOfString(printable(words) || ' ', { width });
    }, 0),
  );
  return Math.max(...heights) + 7;
}
