import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { idParam, ignored, line, moment } from './text.ts';

/** How money goes back: to the card it came from by its provider, or by the merchant, in cash where no `last4` is said. */
const method = v.picklist(['card', 'cash']);

/** Where a refund stands, in the buyer's terms: to be sent, being confirmed, a person checks it, done. */
export const REFUND_STATES = ['owed', 'confirming', 'in_review', 'done'] as const;

/** Money on its way back to the buyer, or back already. */
export const refund = v.object({
  id: v.number(),
  amount: pesos,
  way: method,
  state: v.picklist(REFUND_STATES),
  /** Of the buyer's card, where it goes to it and the provider said; or of the one that the merchant's terminal took, and gives it back to. */
  last4: v.nullable(v.string()),
  /** Whose money it is, where somebody helped to pay. */
  payerName: v.nullable(v.string()),
  /** Folio of the payment that it gives back. */
  folio: v.string(),
  createdAt: moment,
  doneAt: v.nullable(moment),
});
export type Refund = v.InferOutput<typeof refund>;

/** What cancelling costs and gives back at this moment (rules/layaways#cancelling). */
export const cancelQuote = v.object({
  /** Paid so far, without service fees. */
  paid: pesos,
  penalty: pesos,
  /** Until when cancelling costs nothing. */
  penaltyFreeUntil: moment,
  feesReturned: pesos,
  feesKept: pesos,
  /** All that comes back: what the cancel call sends as `refundShown`. */
  refund: pesos,
  /** How it comes back, a line per payment that gives something back. */
  returns: v.array(
    v.object({
      folio: v.string(),
      amount: pesos,
      way: method,
      last4: v.nullable(v.string()),
      payerName: v.nullable(v.string()),
      paidAt: moment,
    }),
  ),
  /** Whether an invoice was issued for it, which cancelling opens again. */
  invoiced: v.boolean(),
});
export type CancelQuote = v.InferOutput<typeof cancelQuote>;

export const getCancelQuote = defineEndpoint({
  name: 'getCancelQuote',
  summary: 'What cancelling a purchase would cost and give back now.',
  method: 'GET',
  path: '/v1/Sales/CancelQuoteAsync/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  reply: envelope(cancelQuote),
  refusals: ['NOT_FOUND', 'PURCHASE_CANCELLED', 'PURCHASE_SETTLED'],
});

export const cancelPurchase = defineEndpoint({
  name: 'cancelPurchase',
  summary:
    'Cancels an active purchase of the buyer that is not paid off; every peso is refunded, owed or kept as quoted.',
  method: 'PUT',
  path: '/v1/Sales/UpdateCancelByBuyerAsync/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  /** The spec sends the whole sale; only these are read (rules/threats#extra-fields). */
  body: v.object({
    id: ignored,
    saleStatusId: ignored,
    /** The buyer's reason. */
    cancelNotes: v.optional(line(500), ''),
    /** Ours: the refund that was shown; another figure now is refused with the new one. */
    refundShown: v.optional(pesos),
  }),
  reply: envelope(v.object({ refunds: v.array(refund) })),
  refusals: ['NOT_FOUND', 'PURCHASE_CANCELLED', 'PURCHASE_SETTLED', 'QUOTE_CHANGED'],
});

export const listRefunds = defineEndpoint({
  name: 'listRefunds',
  summary: "The refunds of one of the buyer's purchases and where each stands.",
  method: 'GET',
  path: '/v1/Sales/RefundsAsync/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  reply: envelope(v.array(refund)),
  refusals: ['NOT_FOUND'],
});
