import { type CancellationQuote, quoteCancellation } from '@aparta/domain/cancellation';
import { type Centavos, centavosToPesos, sum } from '@aparta/domain/money';

import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { cancelInvoicesOf } from '../../invoicing/invoices/cancel-with-purchase.ts';
import { listStandingInvoices } from '../../invoicing/invoices/store.ts';
import { type CancelledReturn, purchaseCancelled } from '../../ledger/books/postings.ts';
import { book } from '../../ledger/books/store.ts';
import { enqueueRefund } from '../../ledger/refunds/enqueue-refund.ts';
import { oweRefund } from '../../ledger/refunds/store.ts';
import { endPurchase } from '../plans/end-purchase.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { Refusal } from '../../platform/refusal.ts';
import {
  type CancellablePurchase,
  findCancellable,
  type HeldPayment,
  listHeldPayments,
  listRefundsOf,
  lockAttempts,
  lockCancellable,
  type RefundRow,
} from './read-model.ts';

/** What cancelling would cost and give back, with the payments that it comes from. */
export interface Quote {
  readonly quote: CancellationQuote;
  readonly payments: readonly HeldPayment[];
  readonly penaltyFreeUntil: Date;
  /** Whether an invoice of it stands, or may: the operator has to see to that one. */
  readonly isInvoiced: boolean;
}

/**
 * What cancelling would cost and give back now (rules/layaways#cancelling). Refuses NOT_FOUND, PURCHASE_CANCELLED
 * and PURCHASE_SETTLED.
 */
export async function quoteCancel(db: Db, buyerId: number, purchaseId: number): Promise<Quote> {
  const purchase = refuseUnlessCancellable(await findCancellable(db, buyerId, purchaseId));
  const [payments, invoices] = await Promise.all([
    listHeldPayments(db, purchase.id),
    listStandingInvoices(db, purchase.id),
  ]);
  return { ...quoteOf(purchase, payments), isInvoiced: invoices.length > 0 };
}

/**
 * Cancels a buyer's active purchase that is not paid off: the penalty takes the oldest money first, the rest goes back the way each peso
 * came (rules/ledger#cancel), all in one transaction; card refunds are then sent by their job, cash is owed by the merchant. An
 * open card attempt does not stop it: what is approved later goes back whole. Refuses as `quoteCancel` does, and QUOTE_CHANGED
 * when another refund was shown.
 */
export async function cancelPurchase(
  deps: { db: Db },
  buyerId: number,
  purchaseId: number,
  request: { notes: string; shownCentavos: Centavos | undefined },
): Promise<RefundRow[]> {
  await transaction(deps.db, async (tx) => {
    const purchase = refuseUnlessCancellable(await lockCancellable(tx, buyerId, purchaseId));
    const payments = await listHeldPayments(tx, purchase.id);
    await lockAttempts(
      tx,
      payments.flatMap(({ attemptId }) => attemptId ?? []),
    );
    const { quote } = quoteOf(purchase, payments);
    if (request.shownCentavos !== undefined && request.shownCentavos !== quote.refundCentavos) {
      throw new Refusal('QUOTE_CHANGED', { refund: centavosToPesos(quote.refundCentavos) });
    }
    await endPurchase(tx, purchase.id, 'cancelled', request.notes);
    await cancelInvoicesOf(tx, purchase.id);
    const returns = await oweRefunds(tx, quote, payments);
    const { merchantId } = purchase;
    const event = purchaseCancelled({ merchantId, purchaseId: purchase.id, returns, quote });
    // No event when tills and stores had taken all of its money back before.
    if (event.transfers.length > 0) await book(tx, event);
    for (const { refundId, method } of returns) {
      if (method === 'card') await enqueueRefund(tx, refundId);
    }
    const bill = billOf(quote);
    await sendEmail(tx, {
      topic: 'purchase_cancelled',
      dedupeKey: `purchase:${purchase.id}`,
      buyerId,
      facts: {
        amountCentavos: quote.refundCentavos,
        purchaseId: purchase.id,
        product: purchase.productName,
        paidCentavos: bill.paidCentavos,
        penaltyCentavos: bill.penaltyCentavos,
        feeKeptCentavos: bill.feeKeptCentavos,
      },
    });
  });
  return listRefundsOf(deps.db, purchaseId);
}

/** What a cancelled purchase came to: all that was paid, fees included, less what was kept, is what goes back. */
export interface CancelBill {
  readonly paidCentavos: Centavos;
  readonly penaltyCentavos: Centavos;
  readonly feeKeptCentavos: Centavos;
  readonly refundCentavos: Centavos;
}

/**
 * The quote that a cancelled purchase was cancelled by: its payments stay as history, so the moment of cancelling gives the
 * same figures. Undefined when tills and stores had taken all of its money back before.
 */
export async function readCancelBill(
  db: Db,
  purchase: { id: number; buyerId: number; cancelledAt: Date },
): Promise<CancelBill | undefined> {
  const [found, payments] = await Promise.all([
    findCancellable(db, purchase.buyerId, purchase.id),
    listHeldPayments(db, purchase.id),
  ]);
  if (found === undefined || payments.length === 0) return undefined;
  return billOf(quoteOf({ ...found, now: purchase.cancelledAt }, payments).quote);
}

/** The refunds of one of the buyer's purchases. Refuses NOT_FOUND. */
export async function readRefunds(db: Db, buyerId: number, purchaseId: number): Promise<RefundRow[]> {
  if ((await findCancellable(db, buyerId, purchaseId)) === undefined) throw new Refusal('NOT_FOUND');
  return listRefundsOf(db, purchaseId);
}

function billOf(quote: CancellationQuote): CancelBill {
  const { paidCentavos, penaltyCentavos, feeReturnedCentavos, feeKeptCentavos, refundCentavos } = quote;
  return {
    paidCentavos: sum([paidCentavos, feeReturnedCentavos, feeKeptCentavos]),
    penaltyCentavos,
    feeKeptCentavos,
    refundCentavos,
  };
}

async function oweRefunds(
  tx: Tx,
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
      cause: 'cancel',
      method: back.method,
      amountCentavos: back.refundCentavos,
    });
    returns.push({ ...back, refundId, sourceId: payment.sourceId });
  }
  return returns;
}

function quoteOf(purchase: CancellablePurchase, payments: readonly HeldPayment[]): Omit<Quote, 'isInvoiced'> {
  const quote = quoteCancellation(
    payments.map((payment) => ({
      ...payment,
      id: String(payment.receiptId),
      method: payment.attemptId === null ? 'cash' : 'card',
    })),
    purchase,
    purchase.now,
  );
  return { quote, payments, penaltyFreeUntil: purchase.penaltyFreeUntil };
}

function refuseUnlessCancellable(purchase: CancellablePurchase | undefined): CancellablePurchase {
  if (purchase === undefined) throw new Refusal('NOT_FOUND');
  if (purchase.state === 'cancelled') throw new Refusal('PURCHASE_CANCELLED');
  if (purchase.paidCentavos >= purchase.priceCentavos) throw new Refusal('PURCHASE_SETTLED');
  return purchase;
}
