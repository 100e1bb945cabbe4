import { netOfIva, type IvaRate, type PaymentForm } from '@aparta/domain/fiscal';

import { raiseAlert, resolveAlert } from '../../platform/alerts.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import type { Log } from '../../platform/logging.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import type { InvoicingProvider, IssuedInvoice, NotKnown, Receiver, Refused } from '../provider/port.ts';
import { factsOf, lineOf, observationsOf } from '../copy.ts';
import { ensureCustomer } from '../fiscal-clients/ensure-customer.ts';
import {
  afterEvent,
  type InvoiceClocks,
  type InvoiceEvent,
  isClosed,
  isUnderWay,
  nextTryMs,
} from './invoice.ts';
import { differencesOf, readCfdi } from './stamped-cfdi.ts';
import {
  busyFor,
  moveInvoice,
  releaseInvoice,
  type InvoiceChanges,
  type InvoiceRound,
  listPaidParts,
  lockInvoice,
  takeUpInvoice,
} from '../store.ts';

export interface IssueDeps {
  readonly db: Db;
  readonly invoicing: InvoicingProvider;
  readonly invoiceClocks: InvoiceClocks;
}

/**
 * Brings an invoice as far as it goes now: the customer is made known, the invoice is claimed and asked for once, its files are
 * fetched and compared with what was paid (rules/invoicing#read-back). Safe to run at any time and any number of times: one at
 * a time is at an invoice, and what may have been stamped is never asked for again. What is left goes on by the job, later and
 * later; what no repetition helps is a person's affair. `isWaiting` tells whether the buyer still waits for the answer: what he
 * is shown there needs no email.
 */
export async function issueInvoice(
  deps: IssueDeps,
  invoiceId: number,
  log: Log,
  isWaiting: () => boolean = () => false,
): Promise<void> {
  const taken = await takeUp(deps, invoiceId);
  if (taken === undefined) return;
  switch (taken.state) {
    case 'requested': {
      const sent = await send(deps, taken, log, isWaiting);
      if (sent !== undefined) await fetchFiles(deps, sent, log);
      return;
    }
    case 'sending':
      // Whoever sent it is gone, and nobody else may ever send it.
      await moveAlone(deps, taken, 'lost', noted('its sender died before it could say what came of it'), log);
      return;
    case 'stamped':
      return fetchFiles(deps, taken, log);
    case 'issued':
      return addPdf(deps, taken);
    default:
      throw new Error(`nothing is left to do of a ${taken.state} invoice`);
  }
}

/** With a job that comes back when this round must be over, so that nothing waits for somebody who died. */
async function takeUp(deps: IssueDeps, id: number): Promise<InvoiceRound | undefined> {
  const { invoiceRoundMs } = deps.invoiceClocks;
  return transaction(deps.db, async (tx) => {
    if (!(await takeUpInvoice(tx, id, invoiceRoundMs))) {
      // Somebody's round has a job that this one may be, called before its time: it must come back all the same.
      const busyMs = await busyFor(tx, id);
      if (busyMs > 0) await later(tx, id, busyMs);
      return undefined;
    }
    await later(tx, id, invoiceRoundMs);
    return lockInvoice(tx, id);
  });
}

async function later(tx: Tx, invoiceId: number, afterMs: number): Promise<void> {
  await enqueue(tx, 'issue_invoice', { invoiceId }, { key: `invoice:${invoiceId}`, afterMs });
}

// --- Sending ------------------------------------------------------------------------------------------------

/** Asks for it, once. The invoice if it was stamped; undefined for every other end, which is recorded. */
async function send(
  deps: IssueDeps,
  invoice: InvoiceRound,
  log: Log,
  isWaiting: () => boolean,
): Promise<InvoiceRound | undefined> {
  const customer = await ensureCustomer(deps, {
    fiscalClientId: invoice.fiscalClientId,
    merchantId: invoice.merchantId,
    businessUuid: invoice.businessUuid,
    receiver: receiverOf(invoice.receiver),
    revision: invoice.receiverRevision,
  });
  if (customer.kind === 'refused') return recordSent(deps, invoice, customer, log, isWaiting);
  if (customer.kind !== 'known') {
    // However it ended there, no invoice was asked for.
    return tryLater(deps, invoice, `customer: ${customer.why}`, log);
  }
  const claimed = await claim(deps, invoice, log);
  if (claimed === undefined) return undefined;
  const answer = await deps.invoicing.issue({
    businessUuid: claimed.businessUuid,
    customerUuid: customer.uuid,
    productUuid: claimed.productUuid,
    paymentForm: claimed.paymentForm as PaymentForm,
    priceMicropesos: netOfIva(claimed.amountCentavos, claimed.ivaBasisPoints as IvaRate).priceMicropesos,
    description: lineOf(claimed),
    observations: observationsOf(claimed.folios),
  });
  // Its ids too: should nobody be able to write them down, a person finds them here.
  const { providerUuid, fiscalFolio } = answer.kind === 'issued' ? answer : {};
  log.info({ invoiceId: claimed.id, outcome: answer.kind, providerUuid, fiscalFolio }, 'invoice asked for');
  return recordSent(deps, claimed, answer, log, isWaiting);
}

/** What is kept of him may have more than a provider is told. */
function receiverOf(kept: Receiver): Receiver {
  const { rfc, name, alias, email, phone, taxRegime, cfdiUse, street, suburb, postalCode } = kept;
  return { rfc, name, alias, email, phone, taxRegime, cfdiUse, street, suburb, postalCode };
}

/** The point of no return: committed before anything is sent. Undefined when it must not, or not yet, be sent. */
async function claim(
  deps: IssueDeps,
  known: InvoiceRound,
  log: Log,
): Promise<(InvoiceRound & { folios: string[] }) | undefined> {
  return transaction(deps.db, async (tx) => {
    const invoice = await lockInvoice(tx, known.id);
    if (invoice === undefined || afterEvent(invoice.state, 'claimed') === undefined) return undefined;
    if (invoice.purchaseState !== 'active') {
      await move(tx, invoice, 'withdrawn', {}, log);
      return undefined;
    }
    const { id, businessUuid, receiverRevision } = invoice;
    if (receiverRevision !== known.receiverRevision || businessUuid !== known.businessUuid) {
      // Corrected since the provider was told; what it was told may even have replaced the correction there.
      await releaseInvoice(tx, id);
      await later(tx, id, 0);
      return undefined;
    }
    await moveInvoice(tx, id, { event: 'claimed', to: 'sending' }, { businessUuid, isFree: false });
    const parts = await listPaidParts(tx, invoice.instalmentId);
    const folios = [...new Set(parts.map(({ folio }) => folio))];
    return { ...invoice, state: 'sending', tries: invoice.tries + 1, folios };
  });
}

async function recordSent(
  deps: IssueDeps,
  invoice: InvoiceRound,
  answer: IssuedInvoice | Refused | NotKnown,
  log: Log,
  isWaiting: () => boolean,
): Promise<InvoiceRound | undefined> {
  switch (answer.kind) {
    case 'issued':
      return recordStamped(deps, invoice, answer, log);
    case 'not_sent':
      return tryLater(deps, invoice, answer.why, log);
    case 'unreachable':
      await moveAlone(deps, invoice, 'unreachable', noted(answer.why), log);
      return undefined;
    case 'refused':
      await transaction(deps.db, async (tx) => {
        const refused = await move(tx, invoice, 'refused', { detail: answer }, log);
        if (!refused) return;
        if (answer.field === undefined) {
          // Nothing that the buyer could correct: the merchant's set-up, or something new.
          await raiseAlert(tx, 'invoice_refused', String(invoice.id), { code: answer.code });
        }
        if (!isWaiting()) await tellRefused(tx, invoice, answer);
      });
      return undefined;
  }
}

async function recordStamped(
  deps: IssueDeps,
  invoice: InvoiceRound,
  answer: IssuedInvoice,
  log: Log,
): Promise<InvoiceRound | undefined> {
  const { providerUuid, fiscalFolio, folio } = answer;
  try {
    const isMoved = await transaction(deps.db, (tx) =>
      move(tx, invoice, 'stamped', { providerUuid, fiscalFolio, folio }, log, { goesOn: true }),
    );
    return isMoved ? { ...invoice, state: 'stamped', providerUuid, fiscalFolio, folio } : undefined;
  } catch (error) {
    if (refusedBy(error) !== 'invoices_folio_once') throw error;
    await moveAlone(deps, invoice, 'unreachable', noted(`the folio of another invoice: ${fiscalFolio}`), log);
    return undefined;
  }
}

/** It was certainly not sent, or is stamped and not read yet: again later, for three days; then a person. */
async function tryLater(deps: IssueDeps, invoice: InvoiceRound, why: string, log: Log): Promise<undefined> {
  const { invoiceLateMs } = deps.invoiceClocks;
  const { id, state: before } = invoice;
  log.warn({ invoiceId: id, state: before, why: codeOf(why) }, 'the invoicing provider does not answer');
  await transaction(deps.db, async (tx) => {
    const now = await lockInvoice(tx, invoice.id);
    if (now === undefined || now.tries !== invoice.tries) return;
    const again = afterEvent(now.state, 'not_sent');
    const state = again ?? now.state;
    if (!isUnderWay(state)) return; // its purchase was cancelled meanwhile
    const since = state === 'requested' ? now.createdAt : (now.sentAt ?? now.createdAt);
    const ageMs = now.now.getTime() - since.getTime();
    if (again === undefined) await releaseInvoice(tx, now.id);
    else await moveInvoice(tx, now.id, { event: 'not_sent', to: again }, { isFree: true });
    if (ageMs < invoiceLateMs) return later(tx, now.id, nextTryMs(ageMs));
    await move(tx, now, 'late', noted(why), log);
  });
  return undefined;
}

/** Without the provider's words, which may name the receiver. */
function codeOf(why: string): string {
  return /^(?:\w+: )?status \d{3}/.exec(why)?.[0] ?? why;
}

// --- What was stamped ---------------------------------------------------------------------------------------

/** Reads what SAT stamped: it is issued only when it says what was paid. A PDF that is not there yet does not hold it back. */
async function fetchFiles(deps: IssueDeps, invoice: InvoiceRound, log: Log): Promise<void> {
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
    await tellIssued(tx, { ...invoice, folio });
  });
}

/** The PDF that was not there when it was issued. After three days nobody asks any more: the XML is the invoice. */
async function addPdf(deps: IssueDeps, invoice: InvoiceRound): Promise<void> {
  if (invoice.providerUuid === null || invoice.issuedAt === null) return;
  const ageMs = invoice.now.getTime() - invoice.issuedAt.getTime();
  const pdf = await deps.invoicing.fetchFile(invoice.businessUuid, invoice.providerUuid, 'pdf');
  await transaction(deps.db, async (tx) => {
    const now = await lockInvoice(tx, invoice.id);
    if (now?.state !== 'issued') return;
    await releaseInvoice(tx, now.id, pdf.kind === 'file' ? pdf.bytes : undefined);
    if (pdf.kind !== 'file' && ageMs < deps.invoiceClocks.invoiceLateMs) {
      await later(tx, now.id, nextTryMs(ageMs));
    }
  });
}

// --- Moving -------------------------------------------------------------------------------------------------

/** What an operator reads beside a state that no code of SAT's explains. */
function noted(why: string): InvoiceChanges {
  return { detail: { code: '', field: undefined, message: why } };
}

async function moveAlone(
  deps: IssueDeps,
  invoice: InvoiceRound,
  event: InvoiceEvent,
  changes: InvoiceChanges,
  log: Log,
): Promise<void> {
  await transaction(deps.db, (tx) => move(tx, invoice, event, changes, log));
}

/**
 * One step along the table. False, and nothing changed, for an answer that comes too late for its claim. One that says that it
 * was stamped raises an alert: it stands at SAT.
 */
async function move(
  tx: Tx,
  { id, tries }: Pick<InvoiceRound, 'id' | 'tries'>,
  event: InvoiceEvent,
  changes: InvoiceChanges,
  log: Log,
  { goesOn = false } = {},
): Promise<boolean> {
  const now = await lockInvoice(tx, id);
  const state = now && afterEvent(now.state, event);
  if (now === undefined || state === undefined || now.tries !== tries) {
    if (event === 'stamped') {
      const { providerUuid, fiscalFolio } = changes;
      await raiseAlert(tx, 'invoice_stamped_late', String(id), {
        state: now?.state,
        providerUuid,
        fiscalFolio,
      });
    }
    log.warn({ invoiceId: id, event, state: now?.state }, 'an answer about an invoice came too late');
    return false;
  }
  await moveInvoice(tx, id, { event, to: state }, { ...changes, isFree: !goesOn });
  if (isClosed(state)) await resolveAlert(tx, 'invoice_to_cancel', String(id));
  // A late answer does what a person was called for.
  if (now.state === 'review') await resolveAlert(tx, 'invoice_in_review', String(id));
  if (state === 'review') {
    // Why is in its row alone: the provider's words may name the receiver.
    await raiseAlert(tx, 'invoice_in_review', String(id), { event });
    log.error({ invoiceId: id, event }, 'an invoice needs a person');
  }
  return true;
}

async function tellIssued(tx: Tx, invoice: InvoiceRound): Promise<void> {
  await sendEmail(tx, {
    topic: 'invoice_issued',
    dedupeKey: `invoice:${invoice.id}`,
    buyerId: invoice.buyerId,
    facts: factsOf(invoice),
  });
}

async function tellRefused(tx: Tx, invoice: InvoiceRound, { field }: Refused): Promise<void> {
  await sendEmail(tx, {
    topic: 'invoice_refused',
    dedupeKey: `invoice:${invoice.id}`,
    buyerId: invoice.buyerId,
    facts: { ...factsOf(invoice), ...(field !== undefined && { field }) },
  });
}
