import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { day, idField, moment } from './text.ts';

const folioParam = v.pipe(v.string(), v.regex(/^[0-9A-Z]{10}$/));

/** The receipt of one payment: what a buyer shows when somebody says that they did not pay. */
export const receipt = v.object({
  folio: v.string(),
  /** When the buyer paid, as the provider says; when that was booked is beside it. */
  paidAt: moment,
  bookedAt: moment,
  amount: pesos,
  /** The service fee inside it. */
  fee: pesos,
  method: v.picklist(['card', 'till', 'cash']),
  /** Of the buyer's own card. */
  last4: v.nullable(v.string()),
  /** Who paid it to help the buyer. */
  payerName: v.nullable(v.string()),
  /** Who took it at a counter. */
  takenBy: v.nullable(v.string()),
  /** Where it was taken, of a counter or of a till whose branch is known. */
  branch: v.nullable(v.string()),
  ventaId: idField,
  productName: v.string(),
  merchant: v.object({
    id: idField,
    tradeName: v.string(),
    businessName: v.string(),
    address: v.string(),
    phone: v.string(),
  }),
  buyerName: v.string(),
  /** What it paid: instalment n of m, and how much of each. */
  parts: v.array(v.object({ number: v.number(), of: v.number(), amount: pesos })),
  /** The other purchases that the same payment went to, with how much of it. */
  others: v.array(v.object({ ventaId: idField, productName: v.string(), amount: pesos })),
  /** Whether the purchase was cancelled meanwhile: then nothing is left to pay. */
  cancelled: v.boolean(),
  /** The purchase's balance after it, and what comes next. */
  balance: pesos,
  nextDueOn: v.nullable(day),
  /** What of it went back, or is on its way. */
  refunded: pesos,
  /** The last day on which an invoice of what it paid can be asked for, also once it is over; null where there is no such day. */
  invoiceUntil: v.nullable(day),
  /** Whether it can be asked for now. */
  mayBeInvoiced: v.boolean(),
  /** Whether the merchant invoices here; who does not owes an invoice outside. */
  invoicedHere: v.optional(v.boolean(), true),
});
export type Receipt = v.InferOutput<typeof receipt>;

export const getReceipt = defineEndpoint({
  name: 'getReceipt',
  summary: "The receipt of one of the buyer's payments.",
  method: 'GET',
  path: '/v1/Receipts/GetAsync/:folio',
  access: ['buyer'],
  params: v.object({ folio: folioParam }),
  reply: envelope(receipt),
  refusals: ['NOT_FOUND'],
});

export const getReceiptPdf = defineEndpoint({
  name: 'getReceiptPdf',
  summary: 'The same receipt as a PDF, in base64.',
  method: 'GET',
  path: '/v1/Receipts/PdfAsync/:folio',
  access: ['buyer'],
  params: v.object({ folio: folioParam }),
  reply: envelope(v.object({ fileName: v.string(), contentByteArray: v.string() })),
  refusals: ['NOT_FOUND'],
});
