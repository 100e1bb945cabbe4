import { resolveAlert } from '../../platform/alerts.ts';
import type { AuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/db.ts';
import { refusedBy } from '../../platform/db/transaction.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { factsOf } from './copy.ts';
import { type InvoiceRound, isFolioByOperator, lockInvoice } from './instalment.read-model.ts';
import { afterEvent, type InvoiceEvent, isClosed } from './invoice.ts';
import { type InvoiceChanges, markCredited, moveInvoice } from './store.ts';

/** What an operator found out about an invoice in the provider's panel. */
export type Resolution =
  /** It is stamped: its files are fetched and checked as for any other. */
  | {
      readonly as: 'stamped';
      /** The provider's own id, by which the files are fetched. */
      readonly providerUuid: string;
      readonly fiscalFolio: string;
      readonly folio: string;
    }
  /** What was stamped is right although it differs from what was expected. Only once its XML is here. */
  | { readonly as: 'accepted' }
  /** It was never stamped: it is sent again. `isWrongFolio`: the one that an operator gave it is another invoice's. */
  | { readonly as: 'not_stamped'; readonly isWrongFolio?: boolean }
  /** It was never stamped and will not be: the buyer may ask again. */
  | { readonly as: 'refused'; readonly message: string; readonly isWrongFolio?: boolean }
  /** It was stamped, and SAT cancelled it: the buyer may ask again while the purchase is active. */
  | { readonly as: 'cancelled' };

/** SAT has a credit note (CFDI of type E) for an invoice that stands, and so stays the buyer's. */
export interface Credited {
  readonly as: 'credited';
}

const EVENT = {
  stamped: 'stamped',
  accepted: 'accepted',
  not_stamped: 'not_sent',
  refused: 'refused',
  cancelled: 'undone',
} as const satisfies Record<Resolution['as'], InvoiceEvent>;

/**
 * Ends the review of an invoice, or records that an issued one was cancelled or credited at SAT. Throws `RefusedChange`: invoice_unknown;
 * invoice_folio_taken when another invoice has that folio; invoice_state when its state does not allow it, when one that is to
 * be sent again or refused has a folio, unless that is another's and only an operator ever gave it one, or when one that is to be
 * accepted has no XML.
 */
export async function resolveInvoice(
  tx: Tx,
  id: number,
  resolution: Resolution | Credited,
): Promise<AuditEntry> {
  const invoice = await lockKnown(tx, id);
  if (resolution.as === 'credited') return recordCredit(tx, invoice);
  const state = afterEvent(invoice.state, EVENT[resolution.as]);
  const isUnstamped = resolution.as === 'not_stamped' || resolution.as === 'refused';
  const isGivenBack = isUnstamped && resolution.isWrongFolio === true && (await isFolioByOperator(tx, id));
  const isAmiss =
    (isUnstamped && invoice.fiscalFolio !== null && !isGivenBack) ||
    (resolution.as === 'accepted' && !invoice.hasXml) ||
    // The job still works on it, so an operator may not end it.
    (resolution.as !== 'cancelled' && invoice.state !== 'review');
  if (state === undefined || isAmiss) throw new RefusedChange('invoice_state', { id, state: invoice.state });

  try {
    await moveInvoice(
      tx,
      id,
      { event: EVENT[resolution.as], to: state },
      { ...changesOf(resolution), ...(isGivenBack && { isGivenBack }), isFree: true },
    );
  } catch (error) {
    if (resolution.as !== 'stamped' || refusedBy(error) !== 'invoices_folio_once') throw error;
    throw new RefusedChange('invoice_folio_taken', { folio: resolution.fiscalFolio });
  }
  await resolveAlert(tx, 'invoice_in_review', String(id));
  if (isClosed(state)) await resolveAlert(tx, 'invoice_to_cancel', String(id));
  // Also of an accepted one: its PDF may not have come yet.
  if (!isClosed(state)) await issueSoon(tx, id);
  const topic = emailOf(resolution, invoice);
  if (topic !== undefined) {
    await sendEmail(tx, {
      topic,
      dedupeKey: `invoice:${id}`,
      buyerId: invoice.buyerId,
      facts: {
        ...factsOf(isGivenBack ? { ...invoice, folio: '' } : invoice),
        ...(invoice.purchaseState === 'cancelled' && { isPurchaseCancelled: 1 }),
      },
    });
  }
  const { providerUuid, fiscalFolio } = invoice;
  const had = isGivenBack ? { providerUuid, fiscalFolio } : {};
  return {
    subject: { kind: 'invoice', id },
    detail: { from: invoice.state, to: state, ...resolution, ...had },
  };
}

/**
 * Records that the merchant credited an issued invoice of a purchase that was cancelled. Its state stays: at SAT it is in force,
 * and the buyer's accountant needs it beside the credit note.
 */
async function recordCredit(tx: Tx, invoice: InvoiceRound): Promise<AuditEntry> {
  const { id, state, buyerId, purchaseState } = invoice;
  if (state !== 'issued' || purchaseState !== 'cancelled') {
    throw new RefusedChange('invoice_state', { id, state });
  }
  await markCredited(tx, id);
  await resolveAlert(tx, 'invoice_to_cancel', String(id));
  await sendEmail(tx, {
    topic: 'invoice_cancelled',
    dedupeKey: `invoice:${id}:credited`,
    buyerId,
    facts: { ...factsOf(invoice), isPurchaseCancelled: 1, isCredited: 1 },
  });
  return { subject: { kind: 'invoice', id }, detail: { from: state, to: state, as: 'credited' } };
}

/** The screen promised an email to buyers who read 'en revisión'; those who have the files learn that they are void. */
function emailOf({ as }: Resolution, { state, purchaseState }: InvoiceRound) {
  if (as === 'accepted') return 'invoice_issued';
  if (as === 'cancelled' && state === 'issued') return 'invoice_cancelled';
  const isNone = as === 'refused' || (as === 'cancelled' && purchaseState !== 'cancelled');
  return isNone ? 'invoice_refused' : undefined;
}

/**
 * Tries an invoice again at once instead of at its next time. Throws `RefusedChange`: invoice_unknown; invoice_state for one in
 * review or closed.
 */
export async function retryInvoice(tx: Tx, id: number): Promise<AuditEntry> {
  const { state } = await lockKnown(tx, id);
  if (state === 'review' || state === 'refused' || state === 'cancelled') {
    throw new RefusedChange('invoice_state', { id, state });
  }
  await issueSoon(tx, id);
  return { subject: { kind: 'invoice', id }, detail: { state } };
}

async function lockKnown(tx: Tx, id: number): Promise<InvoiceRound> {
  const invoice = await lockInvoice(tx, id);
  if (invoice === undefined) throw new RefusedChange('invoice_unknown', { id });
  return invoice;
}

async function issueSoon(tx: Tx, invoiceId: number): Promise<void> {
  await enqueue(tx, 'issue_invoice', { invoiceId }, { key: `invoice:${invoiceId}` });
}

function changesOf(resolution: Resolution): InvoiceChanges {
  switch (resolution.as) {
    case 'stamped': {
      const { providerUuid, fiscalFolio, folio } = resolution;
      return { providerUuid, fiscalFolio: fiscalFolio.toUpperCase(), folio, detail: NOTHING };
    }
    case 'accepted':
      return { detail: NOTHING };
    case 'refused':
      return { detail: { ...NOTHING, message: resolution.message } };
    case 'not_stamped':
    case 'cancelled':
      return {};
  }
}

const NOTHING = { code: '', field: undefined, message: '' };
