import { COUNTER_METHODS, PURCHASE_SHOWS } from '@aparta/domain/shop-lists';
import * as v from 'valibot';

import { pesos } from './amount.ts';
import { claim } from './purchases.ts';
import { planChanges } from './moving.ts';
import { cancelQuote, refund } from './cancellations.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { endedBy, ending } from './purchases.ts';
import { askedDay, day, idField, idParam, line, moment } from './text.ts';

/** Money that goes back. */
export const shopRefund = v.object({
  id: idField,
  amount: pesos,
  method: v.picklist(['card', 'cash']),
  state: v.picklist(['owed', 'sending', 'unknown', 'blocked', 'done', 'moved_to_cash']),
  /** Of the payment that it gives back. */
  folio: v.string(),
  /** In cash: of the card to which the shop's own terminal gives it back instead. A server of the version before says nothing of it. */
  last4: v.optional(v.nullable(v.string()), null),
  /** Whether the store network took the payment back: not to be handed over. A server of the version before says nothing of it. */
  storeReversed: v.optional(v.boolean(), false),
  /** Whose money it is, where somebody helped to pay. */
  payerName: v.nullable(v.string()),
  at: moment,
  doneAt: v.nullable(moment),
});
export type ShopRefund = v.InferOutput<typeof shopRefund>;

/** A merchant's purchase, or a reservation that waits for its deposit, as a line of a list. */
export const shopPurchase = v.object({
  kind: v.picklist(['purchase', 'reservation']),
  id: idField,
  /** A number to take money by. */
  reference: v.string(),
  state: v.picklist(['active', 'late', 'paid_off', 'delivered', 'cancelled', 'waiting']),
  productName: v.string(),
  buyer: v.string(),
  madeAt: moment,
  price: pesos,
  paid: pesos,
  balance: pesos,
  /** What the list is about: what is late of it, what is due soon, else its balance. */
  listed: pesos,
  nextDueOn: v.nullable(day),
  /** How many days its oldest unpaid day is past; 0 in time. */
  lateDays: v.number(),
  expiresAt: v.nullable(moment),
  /** When the payment was made that settled it; null while something is to be paid. */
  settledAt: v.nullable(moment),
  /** The branch that keeps a unit for it; null where none does. */
  keptIn: v.nullable(v.string()),
  handedOverAt: v.nullable(moment),
  /** When its rule ends a late one as things stand, and how many warnings went out; null for any other. */
  ends: v.nullable(v.object({ endsOn: day, warned: v.number() })),
});
export type ShopPurchase = v.InferOutput<typeof shopPurchase>;

const shopPayment = v.object({
  folio: v.string(),
  at: moment,
  method: v.picklist(COUNTER_METHODS),
  amount: pesos,
  fee: pesos,
  /** What was taken back of it. */
  withdrawn: pesos,
  /** The instalments that it paid of. */
  numbers: v.array(v.number()),
  /** Who took it and where, at a counter. */
  takenBy: v.nullable(v.string()),
  branch: v.nullable(v.string()),
});

export const shopPurchaseStory = v.object({
  ...shopPurchase.entries,
  cancelledAt: v.nullable(moment),
  /** Where and when the goods were handed over, by and to whom. */
  handedOver: v.nullable(
    v.object({
      at: moment,
      branch: v.string(),
      by: v.string(),
      collector: v.nullable(v.string()),
      signed: v.boolean(),
    }),
  ),
  ending,
  /** Its buyer's newest claim. */
  claim: v.nullable(claim),
  endedBy,
  /** Why, in the words of who ended it. */
  cancelNotes: v.string(),
  /** Whether the merchant may still end it: its goods were not handed over. */
  mayEnd: v.boolean(),
  /** Whom to write to; only for who may find buyers by name. */
  contact: v.nullable(v.object({ name: v.string(), phone: v.string() })),
  schedule: v.array(
    v.object({ number: v.number(), dueOn: day, amount: pesos, balance: pesos, late: v.boolean() }),
  ),
  planChanges,
  /** What froze with it of a cancel and of its delivery; null of an older server. */
  frozen: v.optional(
    v.nullable(v.object({ penalty: pesos, penaltyFreeUntil: moment, deliveryDays: v.number() })),
    null,
  ),
  payments: v.array(shopPayment),
  refunds: v.array(shopRefund),
  emails: v.array(
    v.object({ topic: v.string(), at: moment, state: v.picklist(['waiting', 'sent', 'failed', 'dropped']) }),
  ),
});
export type ShopPurchaseStory = v.InferOutput<typeof shopPurchaseStory>;

export const listShopPurchases = defineEndpoint({
  name: 'listShopPurchases',
  summary:
    "The merchant's purchases, the newest first, 50 a page. `search` is a printed number, a receipt's folio or a purchase's number; of managers and owners also a buyer's name or the last four digits of their telephone.",
  method: 'GET',
  path: '/v1/counter/purchases',
  access: ['staff'],
  act: 'list_purchases',
  query: v.object({
    show: v.optional(v.picklist(PURCHASE_SHOWS), 'all'),
    search: v.optional(v.pipe(line(80), v.minLength(2))),
    /** The page follows this one. */
    cursor: v.optional(idParam),
  }),
  reply: envelope(v.object({ purchases: v.array(shopPurchase), next: v.nullable(v.string()) })),
  refusals: ['ROLE_NOT_ALLOWED'],
});

export const saveEvidence = defineEndpoint({
  name: 'saveEvidence',
  summary:
    'All that proves what was agreed, paid and handed over of a purchase, as a PDF in base64: for a dispute. Written down in the audit.',
  method: 'POST',
  path: '/v1/counter/purchases/:purchaseId/evidence',
  access: ['staff'],
  act: 'save_evidence',
  params: v.object({ purchaseId: idParam }),
  reply: envelope(v.object({ fileName: v.string(), contentByteArray: v.string() })),
  refusals: ['NOT_FOUND'],
});

export const getShopPurchase = defineEndpoint({
  name: 'getShopPurchase',
  summary: 'One purchase of the merchant with its story.',
  method: 'GET',
  path: '/v1/counter/purchases/:purchaseId',
  access: ['staff'],
  act: 'see_purchase',
  params: v.object({ purchaseId: idParam }),
  reply: envelope(shopPurchaseStory),
  refusals: ['NOT_FOUND'],
});

export const getEndQuote = defineEndpoint({
  name: 'getEndQuote',
  summary: 'What the merchant gives back if it ends a purchase now: everything, fees too.',
  method: 'GET',
  path: '/v1/counter/purchases/:purchaseId/end-quote',
  access: ['staff'],
  act: 'end_plan',
  params: v.object({ purchaseId: idParam }),
  reply: envelope(cancelQuote),
  refusals: ['NOT_FOUND', 'PURCHASE_CANCELLED', 'PURCHASE_SETTLED'],
});

export const endPlan = defineEndpoint({
  name: 'endPlan',
  summary:
    'Ends a purchase whose goods the merchant cannot deliver, paid off or not: everything goes back the way it came. One that it ended before answers its refunds.',
  method: 'POST',
  path: '/v1/counter/purchases/:purchaseId/end',
  access: ['staff'],
  act: 'end_plan',
  params: v.object({ purchaseId: idParam }),
  body: v.object({ reason: v.pipe(line(200), v.minLength(3)), refundShown: pesos }),
  reply: envelope(v.object({ refunds: v.array(refund) })),
  refusals: ['NOT_FOUND', 'PURCHASE_CANCELLED', 'PURCHASE_SETTLED', 'QUOTE_CHANGED'],
});

export const giveTime = defineEndpoint({
  name: 'giveTime',
  summary:
    'Gives a late plan that ends by a rule time until a day, that day included, 1 to 60 days after `ends`; its buyer is mailed. Warnings whose days are to come go out again. The same day again changes nothing.',
  method: 'POST',
  path: '/v1/counter/purchases/:purchaseId/more-time',
  access: ['staff'],
  act: 'give_time',
  params: v.object({ purchaseId: idParam }),
  body: v.object({ endsOn: askedDay, reason: v.pipe(line(200), v.minLength(3)) }),
  reply: envelope(v.object({ endsOn: day })),
  refusals: ['NOT_FOUND', 'PURCHASE_CANCELLED', 'PURCHASE_SETTLED'],
});
