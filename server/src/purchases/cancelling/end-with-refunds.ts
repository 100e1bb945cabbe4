import { type CancellationQuote, quoteCancellation } from '@aparta/domain/cancellation';
import { type Centavos, centavosToPesos, sum, zero } from '@aparta/domain/money';

import { announce } from '../../platform/changes/announce.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { EndedBy } from '../../platform/db/tables.ts';
import { cancelInvoicesOf } from '../../invoicing/invoices/cancel-with-purchase.ts';
import { listStandingInvoices } from '../../invoicing/invoices/store.ts';
import { type CancelledReturn, purchaseCancelled } from '../../ledger/books/postings.ts';
import { book } from '../../ledger/books/store.ts';
import { enqueueRefund } from '../../ledger/refunds/enqueue-refund.ts';
import { oweRefund } from '../../ledger/refunds/store.ts';
import { endPurchase } from '../plans/end-purchase.ts';
import { sendEmail, sendEmailTo } from '../../platform/email/outbox.ts';
import { Refusal } from '../../platform/refusal.ts';
import {
  type CancellablePurchase,
  findCancellable,
  type HeldPayment,
  listHeldPayments,
  lockAttempts,
} from './read-model.ts';

/** What ending a purchase would cost and give back, with the payments that it comes from. */
export interface Quote {
  readonly quote: CancellationQuote;
  readonly payments: readonly HeldPayment[];
  readonly penaltyFreeUntil: Date;
  /** Whether an invoice of it stands, or may: the operator has to see to that one. */
  readonly isInvoiced: boolean;
}

/** What an ended purchase came to: all that was paid, fees included, less what was kept, is what goes back. */
export interface CancelBill {
  readonly paidCentavos: Centavos;
  readonly penaltyCentavos: Centavos;
  readonly feeReturnedCentavos: Centavos;
  readonly feeKeptCentavos: Centavos;
  readonly refundCentavos: Centavos;
}

/** Whom a buyer pays no penalty to: where the goods are not there, or were not given, all of it comes back, fees too. */
const WITHOUT_PENALTY: readonly (EndedBy | null)[] = ['merchant', 'claim'];

/** What ending a purchase would cost and give back now, if it were ended by somebody. */
export async function quoteEnd(db: Db, purchase: CancellablePurchase, by: EndedBy): Promise<Quote> {
  const [payments, invoices] = await Promise.all([
    listHeldPayments(db, purchase.id),
    listStandingInvoices(db, purchase.id),
  ]);
  const { penaltyFreeUntil } = purchase;
  return {
    quote: quoteOf(purchase, payments, by),
    payments,
    penaltyFreeUntil,
    isInvoiced: invoices.length > 0,
  };
}

/**
 * Ends an active purchase and sends its money back: the penalty, where there is one, takes the buyer's own money first, the rest
 * goes back the way each peso came (rules/ledger#cancel), all in this transaction; card refunds are then sent by their job, cash is owed
 * by the merchant. An open card attempt does not stop it: what is approved later goes back whole. The caller holds the purchase's
 * lock (rules/ledger#lock-order, level 1). Refuses QUOTE_CHANGED when another refund was shown.
 */
export async function endWithRefunds(
  tx: Tx,
  purchase: CancellablePurchase,
  { by, notes, shownCentavos }: { by: EndedBy; notes: string; shownCentavos: Centavos | undefined },
): Promise<void> {
  const { id, merchantId, buyerId } = purchase;
  const payments = await listHeldPayments(tx, id);
  await lockAttempts(
    tx,
    payments.flatMap(({ attemptId }) => attemptId ?? []),
  );
  const quote = quoteOf(purchase, payments, by);
  if (shownCentavos !== undefined && shownCentavos !== quote.refundCentavos) {
    throw new Refusal('QUOTE_CHANGED', { refund: centavosToPesos(quote.refundCentavos) });
  }
  await endPurchase(tx, id, { event: 'cancelled', by, notes });
  const isInvoiced = await cancelInvoicesOf(tx, id);
  const returns = await oweRefunds(tx, id, quote, payments);
  const event = purchaseCancelled({ merchantId, purchaseId: id, returns, quote });
  // No event when tills and stores had taken all of its money back before.
  if (event.transfers.length > 0) await book(tx, event);
  for (const { refundId, method } of returns) {
    if (method === 'card') await enqueueRefund(tx, refundId);
  }
  await tellHelpers(tx, quote, payments);
  // Their screen may be open, and shows a code that opens nothing any more.
  if (by !== 'buyer') await announce(tx, `buyer:${buyerId}`);
  const bill = billOf(quote);
  await sendEmail(tx, {
    topic: by === 'buyer' ? 'purchase_cancelled' : 'purchase_ended',
    dedupeKey: `purchase:${id}`,
    buyerId,
    facts: {
      amountCentavos: quote.refundCentavos,
      purchaseId: id,
      product: purchase.productName,
      paidCentavos: bill.paidCentavos,
      penaltyCentavos: bill.penaltyCentavos,
      feeReturnedCentavos: bill.feeReturnedCentavos,
      feeKeptCentavos: bill.feeKeptCentavos,
      helpCentavos: shareOf(quote, payments, isHelp),
      terminalCentavos: shareOf(quote, payments, isByTerminal),
      ...(by !== 'buyer' && { endedBy: by }),
      ...(isInvoiced && { isInvoiced: 1 }),
    },
  });
}

/**
 * The quote that an ended purchase was ended by: its payments stay as history, so the moment of its end and who ended it give the
 * same figures. Undefined when tills and stores had taken all of its money back before.
 */
export async function readCancelBill(
  db: Db,
  purchase: { id: number; buyerId: number; cancelledAt: Date },
): Promise<CancelBill | undefined> {
  const [found, payments] = await Promise.all([
    findCancellable(db, purchase, purchase.id),
    listHeldPayments(db, purchase.id),
  ]);
  if (found === undefined || payments.length === 0) return undefined;
  return billOf(quoteOf({ ...found, now: purchase.cancelledAt }, payments, found.endedBy));
}

function quoteOf(
  purchase: CancellablePurchase,
  payments: readonly HeldPayment[],
  by: EndedBy | null,
): CancellationQuote {
  return quoteCancellation(
    payments.map((payment) => ({
      ...payment,
      id: String(payment.receiptId),
      method: payment.attemptId === null ? 'cash' : 'card',
      isHelp: isHelp(payment),
    })),
    WITHOUT_PENALTY.includes(by) ? { ...purchase, penaltyCentavos: zero } : purchase,
    purchase.now,
  );
}

function billOf(quote: CancellationQuote): CancelBill {
  const { paidCentavos, penaltyCentavos, feeReturnedCentavos, feeKeptCentavos, refundCentavos } = quote;
  return {
    paidCentavos: sum([paidCentavos, feeReturnedCentavos, feeKeptCentavos]),
    penaltyCentavos,
    feeReturnedCentavos,
    feeKeptCentavos,
    refundCentavos,
  };
}

/** Paid by somebody else, to help the buyer. */
const isHelp = ({ payerName }: HeldPayment) => payerName !== null;
/** Taken by the shop's own terminal, which gives it back to that card. */
const isByTerminal = ({ channel, last4 }: HeldPayment) => channel === 'till' && last4 !== null;

/** What goes back of some of the payments of a quote. */
function shareOf(
  quote: CancellationQuote,
  payments: readonly HeldPayment[],
  are: (payment: HeldPayment) => boolean,
): Centavos {
  const ids = new Set(payments.filter(are).map(({ receiptId }) => String(receiptId)));
  return sum(quote.returns.filter(({ id }) => ids.has(id)).map(({ refundCentavos }) => refundCentavos));
}

/**
 * Tells who helped what the penalty took of their money, and at stores what is owed back to them: they see no screen that would say
 * it. Who paid by card hears of the rest when it is back.
 */
async function tellHelpers(
  tx: Tx,
  quote: CancellationQuote,
  payments: readonly HeldPayment[],
): Promise<void> {
  for (const { id, method, penaltyCentavos, refundCentavos } of quote.returns) {
    const payment = payments.find(({ receiptId }) => String(receiptId) === id);
    const email = payment?.payerEmail ?? null;
    if (payment === undefined || email === null) continue;
    const { sourceId } = payment;
    const of = method === 'card' ? { attemptId: sourceId } : { operationId: sourceId };
    const taken = { ...of, amountCentavos: penaltyCentavos, leftCentavos: refundCentavos };
    if (penaltyCentavos > 0) await sendEmailTo(tx, 'help_penalty', email, taken, `cancel:${sourceId}`);
    const owed = { ...of, amountCentavos: refundCentavos };
    if (method === 'cash' && refundCentavos > 0)
      await sendEmailTo(tx, 'help_cash_owed_back', email, owed, `cancel:${sourceId}`);
  }
}

async function oweRefunds(
  tx: Tx,
  purchaseId: number,
  quote: CancellationQuote,
  payments: readonly HeldPayment[],
): Promise<CancelledReturn[]> {
  const returns: CancelledReturn[] = [];
  for (const back of quote.returns.filter(({ refundCentavos }) => refundCentavos > 0)) {
    const payment = payments.find(({ receiptId }) => String(receiptId) === back.id);
    if (payment === undefined) throw new Error(`no payment ${back.id} in the quote`);
    const refundId = await oweRefund(tx, {
      receiptId: payment.receiptId,
      attemptId: back.method === 'card' ? payment.attemptId : null,
      purchaseId,
      cause: 'cancel',
      method: back.method,
      amountCentavos: back.refundCentavos,
    });
    returns.push({ ...back, refundId, sourceId: payment.sourceId });
  }
  return returns;
}
