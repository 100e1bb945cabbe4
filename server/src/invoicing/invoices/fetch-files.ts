import { transaction } from '../../platform/db/transaction.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import type { Log } from '../../platform/logging.ts';
import { factsOf } from './copy.ts';
import { type InvoiceRound, lockInvoice } from './instalment.read-model.ts';
import { nextTryMs } from './invoice.ts';
import { type IssueDeps, later, move, moveAlone, noted, tryLater } from './round.ts';
import { differencesOf, readCfdi } from './stamped-cfdi.ts';
import { endRound } from './store.ts';

/**
 * Fetches the files of a stamped invoice, and issues it only when the XML says what was paid (rules/invoicing#read-back); any
 * difference sends it to review. A PDF that has not come yet does not hold it back.
 */
export async function fetchFiles(deps: IssueDeps, invoice: InvoiceRound, log: Log): Promise<void> {
  const { businessUuid, providerUuid, fiscalFolio, amountCentavos, paymentForm, issuerRfc, receiver } =
    invoice;
  if (providerUuid === null || fiscalFolio === null) throw new Error(`invoice ${invoice.id} has no folio`);
  const [xml, pdf] = await Promise.all([
    deps.invoicing.fetchFile(businessUuid, providerUuid, 'xml'),
    deps.invoicing.fetchFile(businessUuid, providerUuid, 'pdf'),
  ]);
  if (xml.kind !== 'file') {
    await tryLater(deps, invoice, `xml: ${xml.why}`, log);
    return;
  }
  const cfdi = readCfdi(xml.bytes);
  const agreed = { fiscalFolio, amountCentavos, paymentForm, issuerRfc, receiver };
  const differences = cfdi === undefined ? ['not a CFDI'] : differencesOf(cfdi, agreed);
  const files = { xml: xml.bytes, ...(pdf.kind === 'file' && { pdf: pdf.bytes }) };
  if (differences.length > 0) {
    const why = `what was stamped differs: ${differences.join(', ')}`;
    await moveAlone(deps, invoice, 'differs', { ...files, ...noted(why) }, log);
    return;
  }
  const folio = invoice.folio === '' ? (cfdi?.folio ?? '') : invoice.folio;
  await transaction(deps.db, async (tx) => {
    if (!(await move(tx, invoice, 'agrees', { ...files, folio }, log))) return;
    if (pdf.kind !== 'file') await later(tx, invoice.id, nextTryMs(0));
    await sendEmail(tx, {
      topic: 'invoice_issued',
      dedupeKey: `invoice:${invoice.id}`,
      buyerId: invoice.buyerId,
      facts: factsOf({ ...invoice, folio }),
    });
  });
}

/** Adds the PDF that was missing when the invoice was issued. Gives up after `invoiceLateMs`: the XML is the invoice. */
export async function addPdf(deps: IssueDeps, invoice: InvoiceRound): Promise<void> {
  if (invoice.providerUuid === null || invoice.issuedAt === null) return;
  const ageMs = invoice.now.getTime() - invoice.issuedAt.getTime();
  const pdf = await deps.invoicing.fetchFile(invoice.businessUuid, invoice.providerUuid, 'pdf');
  await transaction(deps.db, async (tx) => {
    const now = await lockInvoice(tx, invoice.id);
    if (now?.state !== 'issued') return;
    await endRound(tx, now.id, pdf.kind === 'file' ? pdf.bytes : undefined);
    if (pdf.kind !== 'file' && ageMs < deps.invoiceClocks.invoiceLateMs) {
      await later(tx, now.id, nextTryMs(ageMs));
    }
  });
}
