import { transaction } from '../../platform/db/transaction.ts';
import type { Log } from '../../platform/logging.ts';
import { addPdf, fetchFiles } from './fetch-files.ts';
import { type InvoiceRound, lockInvoice } from './instalment.read-model.ts';
import { type IssueDeps, later, moveAlone, noted } from './round.ts';
import { sendInvoice } from './send-invoice.ts';
import { beginRound, busyFor } from './store.ts';

/**
 * One round of an invoice: brings it as far as it goes now (rules/invoicing#life). Safe to call at any time and any number of
 * times: one round runs at a time, and what may have been stamped is never asked for again. The job does the rest later; what no
 * retry can solve goes to an operator. While `isWaiting`, the buyer sees the answer on screen and gets no email of a refusal.
 */
export async function issueInvoice(
  deps: IssueDeps,
  invoiceId: number,
  log: Log,
  isWaiting: () => boolean = () => false,
): Promise<void> {
  const invoice = await begin(deps, invoiceId);
  if (invoice === undefined) return;
  switch (invoice.state) {
    case 'requested': {
      const sent = await sendInvoice(deps, invoice, log, isWaiting);
      if (sent !== undefined) await fetchFiles(deps, sent, log);
      return;
    }
    case 'sending':
      // The process that sent it died, and nobody may send it again.
      await moveAlone(
        deps,
        invoice,
        'lost',
        noted('its sender died before it could say what came of it'),
        log,
      );
      return;
    case 'stamped':
      return fetchFiles(deps, invoice, log);
    case 'issued':
      return addPdf(deps, invoice);
    default:
      throw new Error(`nothing is left to do of a ${invoice.state} invoice`);
  }
}

/** The job comes back when this round must be over, so that a round that dies holds nothing up. */
async function begin(deps: IssueDeps, id: number): Promise<InvoiceRound | undefined> {
  const { invoiceRoundMs } = deps.invoiceClocks;
  return transaction(deps.db, async (tx) => {
    if (!(await beginRound(tx, id, invoiceRoundMs))) {
      // This may be the job of the round that runs, called early: it must come back all the same.
      const busyMs = await busyFor(tx, id);
      if (busyMs > 0) await later(tx, id, busyMs);
      return undefined;
    }
    await later(tx, id, invoiceRoundMs);
    return lockInvoice(tx, id);
  });
}
