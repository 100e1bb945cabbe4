import { formatDateLong, formatMoment } from '@aparta/domain/calendar';
import { type Centavos, formatMoney } from '@aparta/domain/money';
import type PDFDocument from 'pdfkit';

import { printable } from '../../platform/printed-text.ts';
import { ACCOUNT_WORDS, CONCEPT_WORDS, inOrder, REPORT_COPY as copy, VIA_WORDS } from './copy.ts';
import {
  CHANNELS,
  closingOf,
  type Concept,
  ivaLines,
  type Movement,
  printed,
  REPORTED_VIAS,
  type SettlementReport,
  sumMovements,
  sumOf,
} from './report.ts';

const [WIDTH, HEIGHT] = [612, 792];
const MARGIN = 44;
const INNER = WIDTH - 2 * MARGIN;
/** Room for the page number. */
const FOOT = 16;
const INK = '#161a33';
const QUIET = '#535870';
const LINE = '#d8d3ca';
const ROW = 13.4;
/** A table of at most so many rows is kept on one page. */
const SHORT = 16;

type Pdf = InstanceType<typeof PDFDocument>;
type Cells = readonly string[];
type Tagged = ReturnType<Pdf['struct']>;

/** A report on letter paper: sums, what is owed, days and accounts. Text only, so that tests and readers can extract it. */
export async function reportPdf(report: SettlementReport, productName: string): Promise<Buffer> {
  const { merchant, from, to } = report;
  const period = copy.period(formatDateLong(from), formatDateLong(to));
  const { default: Document } = await import('pdfkit');
  const pdf = new Document({
    size: [WIDTH, HEIGHT],
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 },
    bufferPages: true,
    lang: 'es-MX',
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    info: { Title: `${copy.title} ${printable(merchant.tradeName)} ${from} ${to}`, Author: productName },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });

  const root = pdf.struct('Document');
  pdf.addStructure(root);
  const said = { structParent: root, structType: 'P' };
  pdf.font('Helvetica-Bold').fontSize(10).fillColor(QUIET).text(printable(productName), said);
  pdf
    .moveDown(0.3)
    .fontSize(21)
    .fillColor(INK)
    .text(printable(`${copy.title}: ${merchant.tradeName}`), { structParent: root, structType: 'H1' });
  pdf.font('Helvetica').fontSize(10).fillColor(QUIET);
  pdf.text(printable([merchant.businessName, merchant.rfc].filter(Boolean).join(' · ')), said);
  pdf.text(`${period}. ${copy.clock}.`, said);
  pdf.text(issueWords(report), said);
  pdf.y += 12;
  figures(pdf, root, report);
  for (const each of tablesOf(report)) table(pdf, root, each);
  numberPages(pdf);
  root.end();
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

/** `Corte n.º 7, emitido el 22 nov 2026, 10:31`. */
export function issueWords({ issue }: Pick<SettlementReport, 'issue'>): string {
  return issue === undefined ? copy.notIssued : copy.issue(issue.number, formatMoment(issue.issuedAt));
}

/** The three sums that a merchant asks for first. */
function figures(pdf: Pdf, root: Tagged, report: SettlementReport): void {
  const { movements } = report;
  const withOperator = closingOf(report, 'operator_current');
  const boxes: Cells[] = [
    [copy.came, money(netOf(movements))],
    [copy.refundedToBuyers, money(refundedOf(movements))],
    [
      withOperator === 0 ? copy.evenWithOperator : withOperator > 0 ? copy.operatorHolds : copy.merchantOwes,
      money(Math.abs(withOperator)),
    ],
  ];
  const gap = 10;
  const width = (INNER - 2 * gap) / 3;
  const top = pdf.y;
  for (const [at, [label = '', value = '']] of boxes.entries()) {
    const left = MARGIN + at * (width + gap);
    drawn(pdf, () => pdf.roundedRect(left, top, width, 46, 4).lineWidth(0.7).strokeColor(LINE).stroke());
    const said = { width: width - 20, structParent: root, structType: 'P' };
    pdf
      .font('Helvetica')
      .fontSize(8.5)
      .fillColor(QUIET)
      .text(label, left + 10, top + 9, said);
    pdf
      .font('Helvetica-Bold')
      .fontSize(14)
      .fillColor(INK)
      .text(value, left + 10, top + 23, said);
  }
  pdf.y = top + 46;
}

type Table = readonly [title: string, heads: Cells | undefined, rows: readonly Cells[], note?: string];

function tablesOf(report: SettlementReport): Table[] {
  const { movements, accounts, onItsWay, to } = report;
  const lines = (concepts: readonly Concept[]): Cells[] =>
    concepts.flatMap((concept) => {
      const { times, centavos } = sumMovements(movements, concept);
      return times === 0 ? [] : [[CONCEPT_WORDS[concept], money(printed(concept, centavos))]];
    });
  // A shop without a counter has no lines of one.
  const incoming = REPORTED_VIAS.flatMap((via): Cells[] => {
    const own = movements.filter((each) => each.channel === via);
    return own.length === 0 && via.startsWith('counter_') ? [] : [[VIA_WORDS[via], ...incomingOf(own)]];
  });
  const waiting = CHANNELS.flatMap((channel): Cells[] =>
    channel === 'card'
      ? [[copy.onItsWay.card, money(closingOf(report, 'card_clearing'))]]
      : onItsWay
          .filter((each) => each.channel === channel && each.amountCentavos !== 0)
          .map((each) => [copy.onItsWay[channel][each.collectedBy], money(each.amountCentavos)]),
  );
  const withOperator = closingOf(report, 'operator_current');
  const difference = closingOf(report, 'settlement_difference');
  const suspense = closingOf(report, 'suspense');
  const days = [...new Set(movements.map(({ day }) => day))].toSorted();
  return [
    [
      copy.incoming,
      copy.incomingHeads,
      [...incoming, [copy.total, ...incomingOf(movements)]],
      copy.notApplied,
    ],
    [
      copy.back,
      undefined,
      lines([
        'penalty',
        'delivered',
        'owed_by_card',
        'owed_in_cash',
        'moved_to_cash',
        'refunded_by_card',
        'refunded_by_merchant',
        'refunded_by_operator',
        'lost',
        'resolved',
      ]),
    ],
    [
      copy.iva,
      copy.ivaHeads,
      ivaLines(movements).map(({ of, basisPoints, grossCentavos, ivaCentavos }) => [
        copy.ivaOf[of](basisPoints),
        ...[grossCentavos, grossCentavos - ivaCentavos, ivaCentavos].map(money),
      ]),
      copy.ivaNote,
    ],
    [
      copy.deposits,
      undefined,
      lines([
        'deposited_to_merchant',
        'deposited_to_operator',
        'commission',
        'paid_to_merchant',
        'paid_to_operator',
        'explained',
      ]),
    ],
    [
      copy.closing(formatDateLong(to)),
      undefined,
      [
        [withOperator < 0 ? copy.merchantOwes : copy.operatorHolds, money(Math.abs(withOperator))],
        ...waiting,
        [copy.stillOwed.card, money(closingOf(report, 'card_refund_payable'))],
        [copy.stillOwed.cash, money(closingOf(report, 'cash_refund_payable'))],
        ...(suspense === 0 ? [] : [[copy.suspense, money(suspense)]]),
        ...(difference === 0 ? [] : [[copy.difference, money(difference)]]),
        [copy.layaways, money(closingOf(report, 'layaway_deposits'))],
        [copy.feeIncome, money(closingOf(report, 'service_fee'))],
        [copy.penaltyIncome, money(closingOf(report, 'penalty_income'))],
      ],
    ],
    [
      copy.ledger,
      copy.ledgerHeads,
      inOrder(accounts)
        .filter(({ opening, increase, decrease }) => opening !== 0 || increase !== 0 || decrease !== 0)
        .map(({ account, opening, increase, decrease, closing }) => [
          ACCOUNT_WORDS[account],
          ...[opening, increase, decrease, closing].map(money),
        ]),
      report.disagrees.length === 0 ? copy.proves : copy.disagrees(report.disagrees.join(', ')),
    ],
    [
      copy.byDay,
      copy.byDayHeads,
      days.map((day) => {
        const own = movements.filter((each) => each.day === day);
        return [
          formatDateLong(day),
          String(chargesOf(own)),
          orDash(grossOf(own)),
          orDash(0 - sumMovements(own, 'reversed').centavos),
          orDash(0 - refundedOf(own)),
          orDash(
            sumMovements(own, 'deposited_to_merchant').centavos +
              sumMovements(own, 'deposited_to_operator').centavos,
          ),
        ];
      }),
    ],
  ];
}

function incomingOf(movements: readonly Movement[]): Cells {
  const of = (concept: Concept) => sumMovements(movements, concept).centavos;
  return [
    String(chargesOf(movements)),
    ...[
      of('principal'),
      of('fee'),
      of('unapplied') + of('suspended'),
      0 - of('reversed'),
      netOf(movements),
    ].map(money),
  ];
}

const ARRIVED = ['principal', 'fee', 'unapplied', 'suspended'] as const satisfies readonly Concept[];

function grossOf(movements: readonly Movement[]): number {
  return sumOf(ARRIVED.map((concept) => sumMovements(movements, concept).centavos));
}

function netOf(movements: readonly Movement[]): number {
  return grossOf(movements) - sumMovements(movements, 'reversed').centavos;
}

/** How many payments came: each is one event, whatever its parts. */
function chargesOf(movements: readonly Movement[]): number {
  const arrived: readonly Concept[] = ARRIVED;
  return new Set(movements.flatMap((each) => (arrived.includes(each.concept) ? each.eventId : []))).size;
}

function refundedOf(movements: readonly Movement[]): number {
  const concepts = ['refunded_by_card', 'refunded_by_merchant', 'refunded_by_operator'] as const;
  return sumOf(concepts.map((concept) => sumMovements(movements, concept).centavos));
}

/** Names left, numbers right, the head again on each page. Draws nothing without rows. */
function table(pdf: Pdf, root: Tagged, [title, heads, rows, note]: Table): void {
  if (rows.length === 0) return;
  pdf.y += 13;
  const least = ROW * (3 + (rows.length <= SHORT ? rows.length : 3));
  if (pdf.y + least > HEIGHT - MARGIN - FOOT) pdf.addPage();
  pdf.font('Helvetica-Bold').fontSize(12).fillColor(INK);
  pdf.text(title, MARGIN, pdf.y, { width: INNER, structParent: root, structType: 'H2' });
  const all = pdf.struct('Table');
  root.add(all);
  pdf.y += 4;
  const columns = rows[0]?.length ?? 0;
  const first = columns > 6 ? 76 : columns > 2 ? 150 : INNER - 150;
  const rest = columns > 1 ? (INNER - first) / (columns - 1) : 0;
  const line = (cells: Cells, variant: 'head' | 'row' | 'total') => {
    const top = pdf.y;
    const row = pdf.struct('TR');
    all.add(row);
    pdf.font(variant === 'row' ? 'Helvetica' : 'Helvetica-Bold').fontSize(variant === 'head' ? 7.5 : 8.5);
    pdf.fillColor(variant === 'head' ? QUIET : INK);
    for (const [at, cell] of cells.entries()) {
      const place = at === 0 ? MARGIN : MARGIN + first + (at - 1) * rest;
      const width = at === 0 ? first : rest;
      pdf.text(printable(cell), place, top + 3.5, {
        width,
        align: at === 0 ? 'left' : 'right',
        lineBreak: false,
        structParent: row,
        structType: at === 0 || variant === 'head' ? 'TH' : 'TD',
      });
    }
    row.end();
    pdf.y = top + ROW;
    drawn(pdf, () =>
      pdf
        .moveTo(MARGIN, pdf.y)
        .lineTo(WIDTH - MARGIN, pdf.y)
        .lineWidth(variant === 'head' ? 0.8 : 0.4)
        .strokeColor(LINE)
        .stroke(),
    );
  };
  if (heads !== undefined) line(heads, 'head');
  for (const cells of rows) {
    if (pdf.y + ROW > HEIGHT - MARGIN - FOOT) {
      pdf.addPage();
      if (heads !== undefined) line(heads, 'head');
    }
    line(cells, cells[0] === copy.total ? 'total' : 'row');
  }
  all.end();
  if (note === undefined) return;
  pdf
    .font('Helvetica')
    .fontSize(8)
    .fillColor(QUIET)
    .text(note, MARGIN, pdf.y + 4, { width: INNER, structParent: root, structType: 'P' });
}

/** What is not the report's own text: a program that reads aloud passes it over. */
function drawn(pdf: Pdf, draw: () => void): void {
  pdf.markContent('Artifact', { type: 'Layout' });
  draw();
  pdf.endMarkedContent();
}

function numberPages(pdf: Pdf): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    pdf.switchToPage(page);
    pdf.font('Helvetica').fontSize(8).fillColor(QUIET);
    drawn(pdf, () =>
      pdf.text(copy.page(page + 1, count), MARGIN, HEIGHT - MARGIN, {
        width: INNER,
        align: 'right',
        lineBreak: false,
      }),
    );
  }
}

function money(amount: number): string {
  return `${amount < 0 ? '-' : ''}${formatMoney(Math.abs(amount) as Centavos)}`;
}

/** Zero, in a long table, is a quiet dash. */
function orDash(amount: number): string {
  return amount === 0 ? '–' : money(amount);
}
