import { setTimeout as pause } from 'node:timers/promises';

import { isIvaRate } from '@aparta/domain/fiscal';
import { isPastCutOff, lastDayToInvoice } from '@aparta/domain/invoice-cut-off';

import type { Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import type { Log } from '../../platform/logging.ts';
import { Refusal } from '../../platform/refusal.ts';
import { refusalFacts } from '../fiscal-clients/ensure-customer.ts';
import { readFiscalData, wireFields } from '../fiscal-clients/fiscal-data.ts';
import { findFiscalClient, lockFiscalClient } from '../fiscal-clients/store.ts';
import { listPaidParts, lockInvoiceable } from './instalment.read-model.ts';
import { isClosed, isUnderWay } from './invoice.ts';
import { issueInvoice } from './issue-invoice.ts';
import { paymentFormOf } from './payment-form.ts';
import { closingOf, findInvoice, findNewestInvoice, type InvoiceView } from './read-model.ts';
import type { IssueDeps } from './round.ts';
import { insertInvoice } from './store.ts';

export interface RequestDeps extends IssueDeps {
  /** For work that goes on after the answer; the server waits for it before it stops. */
  inBackground(work: Promise<void>): void;
}

const POLL_MS = 200;
/** Of one instalment. */
const MOST_REFUSALS_AN_HOUR = 10;

/**
 * Requests the invoice of a paid instalment (rules/invoicing#one-per-instalment). The request is stored first, with a job that
 * finishes it whatever happens here; then a first round runs at once, and the caller waits for its end, at most
 * `invoiceCallMs`. Requested again with the same RFC, it is the same invoice, unless that one was refused or cancelled.
 *
 * Refuses NOT_FOUND, NOT_INVOICEABLE, INVOICING_NOT_OFFERED, INVOICE_TOO_LATE, INVOICE_OTHER_RFC, FISCAL_DATA_WRONG, TOO_MANY;
 * INVOICE_REFUSED when that is how it ended.
 */
export async function requestInvoice(
  deps: RequestDeps,
  buyerId: number,
  request: { instalmentId: number; fiscalClientId: number },
  log: Log,
): Promise<InvoiceView> {
  const id = await transaction(deps.db, (tx) => saveRequest(deps, tx, buyerId, request));
  const waiting = new AbortController();
  const work = issueNow(deps, id, buyerId, waiting.signal, log);
  deps.inBackground(work.catch((err: unknown) => log.error({ err, invoiceId: id }, 'an invoice failed')));
  const bound = pause(deps.invoiceClocks.invoiceCallMs, undefined, { signal: waiting.signal }).catch(
    () => {},
  );
  // If this fails, the job goes on: the request is stored.
  await Promise.race([work.catch(() => {}), bound]);
  waiting.abort();
  const invoice = await findInvoice(deps.db, buyerId, id);
  if (invoice === undefined) throw new Error(`the invoice ${id} is gone`);
  if (invoice.state === 'refused') {
    throw new Refusal('INVOICE_REFUSED', {
      ...refusalFacts({
        field: invoice.detailField,
        code: invoice.detailCode,
        message: invoice.detailMessage,
      }),
    });
  }
  return invoice;
}

/** Returns the invoice's id: a new one's, or that of the one that stands. */
async function saveRequest(
  deps: RequestDeps,
  tx: Tx,
  buyerId: number,
  { instalmentId, fiscalClientId }: { instalmentId: number; fiscalClientId: number },
): Promise<number> {
  const instalment = await lockInvoiceable(tx, buyerId, instalmentId);
  const wanted = await findFiscalClient(tx, buyerId, fiscalClientId);
  if (instalment === undefined || wanted === undefined) throw new Refusal('NOT_FOUND');

  const contact = instalment.phone ? `${instalment.tradeName} (${instalment.phone})` : instalment.tradeName;
  const newest = await findNewestInvoice(tx, buyerId, instalmentId);
  if (newest !== undefined && !isClosed(newest.state)) {
    // By RFC: an identity that was removed and registered again is the same one.
    if (newest.rfc !== wanted.rfc) throw new Refusal('INVOICE_OTHER_RFC', { rfc: newest.rfc, contact });
    return newest.id;
  }

  // Under a lock, so that a correction either comes first or finds this invoice.
  const fiscalClient = await lockFiscalClient(tx, buyerId, fiscalClientId);
  if (fiscalClient === undefined || fiscalClient.isDeleted) throw new Refusal('NOT_FOUND');
  if (instalment.purchaseState === 'cancelled' || instalment.balanceCentavos !== 0) {
    throw new Refusal('NOT_INVOICEABLE');
  }
  const { businessUuid, productUuid, ivaBasisPoints } = instalment;
  if (businessUuid === '' || productUuid === '' || !isIvaRate(ivaBasisPoints)) {
    throw new Refusal('INVOICING_NOT_OFFERED');
  }
  const parts = await listPaidParts(tx, instalment.id);
  const until = lastDayToInvoice(parts, instalment.cutOffDays, closingOf(newest));
  if (isPastCutOff(until, instalment.now)) {
    throw new Refusal('INVOICE_TOO_LATE', { until, contact });
  }
  if (instalment.refusedLately >= MOST_REFUSALS_AN_HOUR) {
    throw new Refusal('TOO_MANY', { retryAfterSeconds: 3_600 });
  }
  // SAT's tables may have changed since it was saved.
  const read = readFiscalData(fiscalClient);
  if (!read.ok) throw new Refusal('FISCAL_DATA_WRONG', { fields: wireFields(read.problems) });

  const id = await insertInvoice(tx, {
    buyerId,
    instalment,
    fiscalClient,
    receiver: read.data,
    paymentForm: paymentFormOf(parts),
  });
  await enqueue(
    tx,
    'issue_invoice',
    { invoiceId: id },
    { key: `invoice:${id}`, afterMs: deps.invoiceClocks.invoiceRoundMs },
  );
  return id;
}

/** Runs a round, and, as long as the buyer waits, waits for another one that runs already. */
async function issueNow(
  deps: RequestDeps,
  id: number,
  buyerId: number,
  waiting: AbortSignal,
  log: Log,
): Promise<void> {
  await issueInvoice(deps, id, log, () => !waiting.aborted);
  while (!waiting.aborted) {
    const invoice = await findInvoice(deps.db, buyerId, id);
    if (invoice === undefined || !isUnderWay(invoice.state) || !invoice.isBusy) return;
    await pause(POLL_MS);
  }
}
