import { raiseAlert, resolveAlert } from '../../platform/alerts.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import type { Log } from '../../platform/logging.ts';
import type { InvoicingProvider } from '../provider/port.ts';
import { foundStampedAt, type InvoiceRound, lockInvoice } from './instalment.read-model.ts';
import {
  afterEvent,
  type InvoiceClocks,
  type InvoiceEvent,
  isClosed,
  isUnderWay,
  nextTryMs,
} from './invoice.ts';
import { endRound, type InvoiceChanges, moveInvoice } from './store.ts';

export interface IssueDeps {
  readonly db: Db;
  readonly invoicing: InvoicingProvider;
  readonly invoiceClocks: InvoiceClocks;
}

/** Has the job come back to an invoice in `afterMs`. */
export async function later(tx: Tx, invoiceId: number, afterMs: number): Promise<void> {
  await enqueue(tx, 'issue_invoice', { invoiceId }, { key: `invoice:${invoiceId}`, afterMs });
}

/** What an operator reads beside a state that no code of SAT's explains. */
export function noted(why: string): InvoiceChanges {
  return { detail: { code: '', field: undefined, message: why } };
}

/**
 * Moves an invoice by what a round found, and ends the round unless it `goesOn`. False, and nothing changed, when the answer
 * belongs to an older claim or its state does not know the event; that it was stamped raises an alert then, since it stands at SAT.
 */
export async function move(
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
  // A late answer spares the operator the review.
  if (now.state === 'review') await resolveAlert(tx, 'invoice_in_review', String(id));
  if (state === 'review') {
    // The reason stays in the row: the provider's words may name the receiver.
    await raiseAlert(tx, 'invoice_in_review', String(id), { event });
    log.error({ invoiceId: id, event }, 'an invoice needs a person');
  }
  return true;
}

/** `move` in a transaction of its own. */
export async function moveAlone(
  { db }: Pick<IssueDeps, 'db'>,
  invoice: InvoiceRound,
  event: InvoiceEvent,
  changes: InvoiceChanges,
  log: Log,
): Promise<void> {
  await transaction(db, (tx) => move(tx, invoice, event, changes, log));
}

/**
 * Ends a round in which the provider did not answer: the invoice was certainly not sent, or is stamped and not read yet. It is
 * tried again later, for `invoiceLateMs`; then an operator reviews it.
 */
export async function tryLater(
  { db, invoiceClocks }: IssueDeps,
  invoice: InvoiceRound,
  why: string,
  log: Log,
): Promise<void> {
  const { id, state: before } = invoice;
  log.warn({ invoiceId: id, state: before, why: codeOf(why) }, 'the invoicing provider does not answer');
  await transaction(db, async (tx) => {
    const now = await lockInvoice(tx, id);
    if (now === undefined || now.tries !== invoice.tries) return;
    const again = afterEvent(now.state, 'not_sent');
    const state = again ?? now.state;
    if (!isUnderWay(state)) return; // its purchase was cancelled meanwhile
    const since =
      state === 'requested' ? now.createdAt : ((await foundStampedAt(tx, id)) ?? now.sentAt ?? now.createdAt);
    const ageMs = now.now.getTime() - since.getTime();
    if (again === undefined) await endRound(tx, id);
    else await moveInvoice(tx, id, { event: 'not_sent', to: again }, { isFree: true });
    if (ageMs < invoiceClocks.invoiceLateMs) return later(tx, id, nextTryMs(ageMs));
    await move(tx, now, 'late', noted(why), log);
  });
}

/** Drops the provider's words, which may name the receiver. */
function codeOf(why: string): string {
  return /^(?:\w+: )?status \d{3}/.exec(why)?.[0] ?? why;
}
