import { formatDate, formatMoment, mexicoCityDate } from '@aparta/domain/calendar';
import { inGroups } from '@aparta/domain/in-groups';
import { formatMoney } from '@aparta/domain/money';
import { groupDigits } from '@aparta/domain/payment-reference';

import {
  drawn,
  INK,
  INNER,
  LEADER,
  MARGIN,
  openPaper,
  type Pdf,
  QUIET,
  type Tagged,
  WIDTH,
} from '../../platform/paper.ts';
import { printable } from '../../platform/printed-text.ts';
import { aboutInvoice, attended, bookedLater, nextDue, RECEIPT_COPY as copy } from './copy.ts';
import type { PlanLine, ReceiptRow } from './read-model.ts';

const ORANGE = '#f58220';
const GREEN = '#14694a';

/**
 * A receipt as a PDF, one page long unless it pays very many instalments: the ticket of the screens, in text that can be
 * searched, and tagged so that it is read aloud in order.
 */
export async function receiptPdf(
  row: ReceiptRow,
  plan: readonly PlanLine[],
  productName: string,
): Promise<Buffer> {
  const title = `${copy.title} ${row.folio}`;
  const { pdf, root, line, rule, finish } = await openPaper({
    title,
    author: productName,
    createdAt: row.bookedAt,
  });
  head(pdf, root, row, productName);
  if (row.purchaseState !== 'cancelled') slots(pdf, root, plan, mexicoCityDate(row.now));
  tear(pdf);
  line(copy.folio, inGroups(row.folio), true);
  line(copy.date, formatMoment(row.paidAt));
  if (bookedLater(row) !== '') line(copy.booked, bookedLater(row));
  if (row.payerName !== null) line(copy.payer, row.payerName);
  line(copy.method, copy.methods[row.channel](row.last4));
  const { label, value } = attended(row);
  if (value !== '') line(label, value);
  for (const part of row.parts)
    line(copy.part(part.number, row.instalments), formatMoney(part.amountCentavos));
  for (const other of row.others)
    line(copy.other(printable(other.productName)), formatMoney(other.amountCentavos));
  if (row.feeCentavos > 0) line(copy.fee, formatMoney(row.feeCentavos));
  rule();
  line(copy.product, row.productName);
  line(copy.purchase, String(row.purchaseId));
  line(copy.buyer, row.buyerName);
  line(
    copy.merchant,
    row.businessName === row.tradeName ? row.tradeName : `${row.tradeName} (${row.businessName})`,
  );
  line(copy.address, row.address);
  line(copy.phone, row.phone);
  rule();
  if (row.purchaseState === 'cancelled') line(copy.balance, copy.cancelled);
  else if (row.balanceCentavos === 0) line(copy.balance, copy.paidOff, true);
  else line(copy.left, `${formatMoney(row.balanceCentavos)} MXN`, true);
  const next = nextDue(row);
  if (next.value !== '') line(next.label, next.value, true);
  if (row.planReference !== null) line(copy.atTill, groupDigits(row.planReference));
  if (row.refundedCentavos > 0) line(copy.refunded, `${formatMoney(row.refundedCentavos)} MXN`);
  const said = { width: INNER, structParent: root, structType: 'P' };
  pdf.moveDown(0.4).font('Helvetica').fontSize(9).fillColor(INK).text(copy.keep, MARGIN, pdf.y, said);
  pdf
    .moveDown(0.3)
    .fontSize(8)
    .fillColor(QUIET)
    .text(printable(aboutInvoice(row)), MARGIN, pdf.y, said);
  return finish();
}

/** Whose paper it is, the sum, and the stamp. */
function head(pdf: Pdf, root: Tagged, row: ReceiptRow, productName: string): void {
  const said = { structParent: root, lineBreak: false };
  pdf.font('Helvetica-Bold').fontSize(13).fillColor(INK);
  const name = printable(productName);
  pdf.text(name, MARGIN, MARGIN, { ...said, structType: 'P' });
  const wide = pdf.widthOfString(name);
  drawn(pdf, () => pdf.rect(MARGIN + wide + 5, MARGIN - 2, 4, 14).fill(ORANGE));
  pdf.fillColor(QUIET).font('Helvetica').fontSize(11);
  pdf.text(copy.title, MARGIN, MARGIN + 26, { ...said, structType: 'H1' });
  pdf.fillColor(INK).font('Helvetica-Bold').fontSize(30);
  const total = `${formatMoney(row.amountCentavos)} MXN`;
  pdf.text(total, MARGIN, MARGIN + 42, { ...said, structType: 'P' });

  // Of money that went back whole, nothing is paid any more.
  if (row.refundedCentavos < row.amountCentavos) stamp(pdf, root, row.paidAt);
  pdf.y = MARGIN + 84;
}

function stamp(pdf: Pdf, root: Tagged, paidAt: Date): void {
  const [stampX, stampY, stampWide] = [WIDTH - MARGIN - 104, MARGIN + 2, 100];
  const stamped = { structParent: root, structType: 'P', width: stampWide, align: 'center' } as const;
  pdf
    .font('Helvetica-Bold')
    .save()
    .rotate(-6, { origin: [stampX + stampWide / 2, stampY + 20] });
  drawn(pdf, () => {
    pdf.roundedRect(stampX, stampY, stampWide, 40, 5).lineWidth(2).strokeColor(GREEN).stroke();
    pdf
      .roundedRect(stampX + 3.5, stampY + 3.5, stampWide - 7, 33, 3)
      .lineWidth(0.6)
      .stroke();
  });
  pdf
    .fillColor(GREEN)
    .fontSize(17)
    .text(copy.stamp, stampX, stampY + 7, stamped);
  pdf.fontSize(8).text(formatDate(mexicoCityDate(paidAt)).toUpperCase(), stampX, stampY + 26, stamped);
  pdf.restore();
}

/** A slot for each payment of the plan: those that are paid on the day of printing are full. */
function slots(pdf: Pdf, root: Tagged, plan: readonly PlanLine[], today: string): void {
  const paid = plan.filter(({ isPaid }) => isPaid).length;
  pdf.font('Helvetica-Bold').fontSize(9).fillColor(INK);
  const count = copy.paidCountOn(paid, plan.length, today);
  pdf.text(count, MARGIN, pdf.y, { structParent: root, structType: 'P' });
  const gap = plan.length > 24 ? 1 : 3;
  const wide = (INNER - (plan.length - 1) * gap) / plan.length;
  const top = pdf.y + 2;
  drawn(pdf, () => {
    for (const [at, { isPaid }] of plan.entries()) {
      pdf.roundedRect(MARGIN + at * (wide + gap), top, wide, 7, Math.min(2, wide / 2)).lineWidth(0.7);
      if (isPaid) pdf.fillAndStroke(GREEN, GREEN);
      else pdf.strokeColor(LEADER).stroke();
    }
  });
  pdf.y = top + 19;
}

/** Where a ticket is torn: a dashed line with a notch at either edge of the paper. */
function tear(pdf: Pdf): void {
  const y = pdf.y + 2;
  drawn(pdf, () => {
    pdf.save().lineWidth(1).strokeColor(LEADER);
    pdf.circle(0, y, 8).stroke();
    pdf.circle(WIDTH, y, 8).stroke();
    pdf
      .moveTo(16, y)
      .lineTo(WIDTH - 16, y)
      .dash(4, { space: 3 })
      .stroke()
      .restore();
  });
  pdf.y = y + 14;
}
