import { netOfIva, type IvaRate, type PaymentForm } from '@aparta/domain/fiscal';

import { raiseAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import type { Log } from '../../platform/logging.ts';
import { ensureCustomer } from '../fiscal-clients/ensure-customer.ts';
import type { IssuedInvoice, NotKnown, Receiver, Refused } from '../provider/port.ts';
import { factsOf, IVA_CHANGED, lineOf, observationsOf } from './copy.ts';
import { type InvoiceRound, listPaidParts, lockInvoice } from './instalment.read-model.ts';
import { afterEvent } from './invoice.ts';
import { type IssueDeps, later, move, moveAlone, noted, tryLater } from './round.ts';
import { endRound, moveInvoice } from './store.ts';

/**
 * Asks the provider for a requested invoice, once. Returns it when it was stamped; undefined after any other end, which is
 * recorded. A refusal is emailed unless the buyer still waits for the answer.
 */
export async function sendInvoice(
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
  if (customer.kind === 'refused') {
    await recordRefused(deps, invoice, customer, log, isWaiting);
    return undefined;
  }
  if (customer.kind !== 'known') {
    // Whatever happened to the customer, no invoice was asked for.
    await tryLater(deps, invoice, `customer: ${customer.why}`, log);
    return undefined;
  }
  const claimed = await claim(deps, invoice, log, isWaiting);
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
  // With its ids: if they cannot be stored, an operator finds them here.
  const { providerUuid, fiscalFolio } = answer.kind === 'issued' ? answer : {};
  log.info({ invoiceId: claimed.id, outcome: answer.kind, providerUuid, fiscalFolio }, 'invoice asked for');
  return recordAnswer(deps, claimed, answer, log, isWaiting);
}

/** The stored receiver may have fields that the provider must not get. */
function receiverOf(kept: Receiver): Receiver {
  const { rfc, name, alias, email, phone, taxRegime, cfdiUse, street, suburb, postalCode } = kept;
  return { rfc, name, alias, email, phone, taxRegime, cfdiUse, street, suburb, postalCode };
}

/** The point of no return, committed before the call. Undefined when the invoice must not, or not yet, be sent. */
async function claim(
  deps: IssueDeps,
  known: InvoiceRound,
  log: Log,
  isWaiting: () => boolean,
): Promise<(InvoiceRound & { folios: string[] }) | undefined> {
  return transaction(deps.db, async (tx) => {
    const invoice = await lockInvoice(tx, known.id);
    if (invoice === undefined || afterEvent(invoice.state, 'claimed') === undefined) return undefined;
    if (invoice.purchaseState === 'cancelled') {
      await move(tx, invoice, 'withdrawn', {}, log);
      return undefined;
    }
    if (invoice.ivaBasisPoints !== invoice.productIvaBasisPoints) {
      // The net price is of the old rate: with the new one another total would be stamped.
      const detail = { code: '', field: undefined, message: IVA_CHANGED };
      const isMoved = await move(tx, invoice, 'refused', { detail }, log);
      if (isMoved && !isWaiting()) await emailRefused(tx, invoice, detail);
      return undefined;
    }
    const { id, businessUuid, receiverRevision } = invoice;
    if (receiverRevision !== known.receiverRevision || businessUuid !== known.businessUuid) {
      // Corrected while the provider was told the old data, which may have replaced the correction there.
      await endRound(tx, id);
      await later(tx, id, 0);
      return undefined;
    }
    await moveInvoice(tx, id, { event: 'claimed', to: 'sending' }, { businessUuid, isFree: false });
    const parts = await listPaidParts(tx, invoice.instalmentId);
    const folios = [...new Set(parts.map(({ folio }) => folio))];
    return { ...invoice, state: 'sending', tries: invoice.tries + 1, folios };
  });
}

async function recordAnswer(
  deps: IssueDeps,
  invoice: InvoiceRound,
  answer: IssuedInvoice | Refused | NotKnown,
  log: Log,
  isWaiting: () => boolean,
): Promise<InvoiceRound | undefined> {
  switch (answer.kind) {
    case 'issued':
      return recordStamped(deps, invoice, answer, log);
    case 'refused':
      await recordRefused(deps, invoice, answer, log, isWaiting);
      return undefined;
    case 'not_sent':
      await tryLater(deps, invoice, answer.why, log);
      return undefined;
    case 'unreachable':
      await moveAlone(deps, invoice, 'unreachable', noted(answer.why), log);
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

async function recordRefused(
  deps: IssueDeps,
  invoice: InvoiceRound,
  answer: Refused,
  log: Log,
  isWaiting: () => boolean,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const isMoved = await move(tx, invoice, 'refused', { detail: answer }, log);
    if (!isMoved) return;
    if (answer.field === undefined) {
      // Nothing that the buyer could correct: the merchant's set-up, or something new.
      await raiseAlert(tx, 'invoice_refused', String(invoice.id), { code: answer.code });
    }
    if (!isWaiting()) await emailRefused(tx, invoice, answer);
  });
}

async function emailRefused(tx: Tx, invoice: InvoiceRound, { field }: Pick<Refused, 'field'>): Promise<void> {
  await sendEmail(tx, {
    topic: 'invoice_refused',
    dedupeKey: `invoice:${invoice.id}`,
    buyerId: invoice.buyerId,
    facts: { ...factsOf(invoice), ...(field !== undefined && { field }) },
  });
}
