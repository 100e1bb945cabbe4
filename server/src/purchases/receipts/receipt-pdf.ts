import { formatDateLong, formatMoment } from '@aparta/domain/calendar';
import { formatMoney } from '@aparta/domain/money';
import PDFDocument from 'pdfkit';

import { printable } from '../../platform/printed-text.ts';
import { RECEIPT_COPY as copy } from './copy.ts';
import type { ReceiptRow } from './read-model.ts';

const WIDTH = 420;
const HEIGHT = 595;
const MARGIN = 36;
/** The height of a value of two rows: with less left on a page, it goes on the next. */
const ROOM = 32;

/** A receipt as a PDF, one page long unless it pays very many instalments. Text alone, so that it can be searched and read aloud. */
export async function receiptPdf(row: ReceiptRow, productName: string): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: [WIDTH, HEIGHT],
    margin: MARGIN,
    lang: 'es-MX',
    info: { Title: `${copy.title} ${row.folio}`, Author: productName, CreationDate: row.receivedAt },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });

  pdf.font('Helvetica-Bold').fontSize(11).fillColor('#161a33').text(printable(productName));
  pdf.moveDown(0.4).fontSize(20).text(copy.title);
  pdf.moveDown(0.6);
  const { line, rule } = linesOn(pdf);
  line(copy.folio, row.folio, true);
  line(copy.date, formatMoment(row.receivedAt));
  rule();
  line(
    copy.merchant,
    row.businessName === row.tradeName ? row.tradeName : `${row.tradeName} (${row.businessName})`,
  );
  line(copy.address, row.address);
  line(copy.phone, row.phone);
  rule();
  line(copy.buyer, row.buyerName);
  line(copy.purchase, String(row.purchaseId));
  line(copy.product, row.productName);
  line(copy.method, copy.methods[row.channel](row.last4));
  rule();
  for (const part of row.parts)
    line(copy.part(part.number, row.instalments), formatMoney(part.amountCentavos));
  if (row.feeCentavos > 0) line(copy.fee, formatMoney(row.feeCentavos));
  line(copy.total, `${formatMoney(row.amountCentavos)} MXN`, true);
  rule();
  if (row.purchaseState === 'cancelled') line(copy.balance, copy.cancelled);
  else if (row.balanceCentavos === 0) line(copy.balance, copy.paidOff);
  else line(copy.balance, `${formatMoney(row.balanceCentavos)} MXN`);
  if (row.nextDueOn !== null) line(copy.next, formatDateLong(row.nextDueOn));
  if (row.refundedCentavos > 0) line(copy.refunded, `${formatMoney(row.refundedCentavos)} MXN`);
  pdf.moveDown(0.5).font('Helvetica').fontSize(8).fillColor('#535870').text(copy.notAnInvoice, MARGIN);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

/** Writes a label with its value, and a rule between groups of them. */
function linesOn(pdf: InstanceType<typeof PDFDocument>) {
  const line = (label: string, value: string, bold = false) => {
    if (pdf.y > HEIGHT - MARGIN - ROOM) pdf.addPage();
    const top = pdf.y;
    pdf.font('Helvetica').fontSize(9).fillColor('#535870').text(label, MARGIN, top, { width: 130 });
    const left = pdf.y;
    pdf
      .font(bold ? 'Helvetica-Bold' : 'Helvetica')
      .fontSize(bold ? 12 : 10)
      .fillColor('#161a33')
      .text(printable(value), MARGIN + 140, top, { width: WIDTH - 2 * MARGIN - 140, align: 'right' });
    pdf.y = Math.max(left, pdf.y) + 5;
  };
  const rule = () => {
    pdf
      .moveTo(MARGIN, pdf.y + 2)
      .lineTo(WIDTH - MARGIN, pdf.y + 2)
      .lineWidth(0.5)
      .strokeColor('#b7b0a5')
      .stroke();
    pdf.y += 10;
  };
  return { line, rule };
}
