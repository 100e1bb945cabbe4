import { COUNTER_METHODS, PURCHASE_SHOWS } from '@aparta/domain/shop-lists';
import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { day, idField, idParam, line, moment } from './text.ts';

/** A merchant's purchase, or a reservation that waits for its deposit, as a line of a list. */
export const shopPurchase = v.object({
  kind: v.picklist(['purchase', 'reservation']),
  id: idField,
  /** A number to take money by. */
  reference: v.string(),
  state: v.picklist(['active', 'late', 'paid_off', 'cancelled', 'waiting']),
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
  /** Whom to write to; only for who may find buyers by name. */
  contact: v.nullable(v.object({ name: v.string(), phone: v.string() })),
  schedule: v.array(
    v.object({ number: v.number(), dueOn: day, amount: pesos, balance: pesos, late: v.boolean() }),
  ),
  payments: v.array(shopPayment),
  refunds: v.array(
    v.object({
      id: idField,
      amount: pesos,
      method: v.picklist(['card', 'cash']),
      state: v.picklist(['owed', 'sending', 'unknown', 'blocked', 'done', 'moved_to_cash']),
      at: moment,
      doneAt: v.nullable(moment),
    }),
  ),
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
