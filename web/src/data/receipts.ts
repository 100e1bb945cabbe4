import { centavosFromPesos } from '@aparta/contract/amount';
import { getReceipt, getReceiptPdf, type Receipt as WireReceipt } from '@aparta/contract/receipts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { fileOf } from './file.ts';
import { PURCHASES } from './purchases-key.ts';

export type PaymentMethod = WireReceipt['method'];

export type Receipt = ReturnType<typeof readReceipt>;

export const receiptQuery = (folio: string) =>
  queryOptions({
    queryKey: [...PURCHASES, 'receipt', folio],
    queryFn: async ({ signal }) =>
      readReceipt((await call(getReceipt, { params: { folio } }, { signal })).data),
  });

/** The receipt's PDF as a file. */
export async function receiptPdf(folio: string): Promise<File> {
  return fileOf((await call(getReceiptPdf, { params: { folio } })).data, 'application/pdf');
}

function readReceipt(wire: WireReceipt) {
  return {
    folio: wire.folio,
    paidAt: new Date(wire.paidAt),
    bookedAt: new Date(wire.bookedAt),
    /** With the fee. */
    amount: centavosFromPesos(wire.amount),
    fee: centavosFromPesos(wire.fee),
    method: wire.method,
    last4: wire.last4 ?? undefined,
    payer: wire.payerName ?? undefined,
    /** Who took it at a counter, and in which branch. */
    takenBy: wire.takenBy ?? undefined,
    branch: wire.branch ?? undefined,
    purchaseId: wire.ventaId,
    product: wire.productName,
    merchant: wire.merchant,
    buyer: wire.buyerName,
    parts: wire.parts.map((part) => ({ ...part, amount: centavosFromPesos(part.amount) })),
    /** The other purchases that it went to. */
    others: wire.others.map((other) => ({ ...other, amount: centavosFromPesos(other.amount) })),
    isCancelled: wire.cancelled,
    /** What was left of the purchase after it. */
    balance: centavosFromPesos(wire.balance),
    nextDueOn: wire.nextDueOn ?? undefined,
    refunded: centavosFromPesos(wire.refunded),
    mayBeInvoiced: wire.mayBeInvoiced,
    isInvoicedHere: wire.invoicedHere,
    /** The last day to ask for an invoice of it, past or to come, if there is such a day. */
    invoiceUntil: wire.invoiceUntil ?? undefined,
  };
}
