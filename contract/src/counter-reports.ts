import { AGES } from '@aparta/domain/ageing';
import { COUNTER_METHODS } from '@aparta/domain/shop-lists';
import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { endedBy } from './purchases.ts';
import { askedDay, day, idField, idParam, moment, takingCursor } from './text.ts';

const method = v.picklist(COUNTER_METHODS);
const figure = { amount: pesos, count: v.number() };
const collectedFigure = {
  ...figure,
  /** Of payments of earlier days, taken back in these. A server of the version before takes it off their own day. */
  withdrawn: v.optional(pesos, 0),
};
const collected = v.array(v.object({ method, ...collectedFigure }));

/**
 * Where a shop stands this morning. What was taken back on the day of its payment is not in what was collected; what was refunded
 * since is.
 */
export const shopToday = v.object({
  day,
  today: collected,
  week: collected,
  /** From Monday to Sunday, the oldest first; the last is this one. */
  weeks: v.array(v.object({ from: day, to: day, ...collectedFigure })),
  /** Instalments that are due from today on, within so many days. */
  due: v.array(v.object({ days: v.number(), ...figure })),
  /** Instalments whose day is past. */
  overdue: v.object(figure),
  /** What purchases still owe, by how long their oldest unpaid day is past. */
  balances: v.array(v.object({ age: v.picklist(['in_time', ...AGES]), ...figure })),
  /** Reservations that end today without their deposit. */
  expiring: v.object(figure),
  /** Cash that waits for its buyer at the till. */
  refunds: v.object(figure),
  /** What is paid whole and waits for its buyer. */
  toHandOver: v.object(figure),
  /** What its buyers claim, by what they paid for it. */
  claims: v.object(figure),
  /** Drawers with cash of more than two days ago that nobody has cut. */
  uncut: v.object(figure),
});
export type ShopToday = v.InferOutput<typeof shopToday>;

const taking = v.object({
  id: idField,
  folio: v.string(),
  at: moment,
  method,
  /** 0 of money that was taken back. */
  amount: pesos,
  /** Of a payment of an earlier day, taken back at this moment. */
  withdrawn: v.optional(pesos, 0),
  // A server of the version before says nothing of it.
  fee: v.optional(pesos, 0),
  buyer: v.string(),
  productName: v.string(),
  purchaseId: v.nullable(idField),
  takenBy: v.nullable(v.string()),
  branch: v.nullable(v.string()),
});
export type Taking = v.InferOutput<typeof taking>;

const takenOnDay = v.object({ day, ...collectedFigure });
export type TakenOnDay = v.InferOutput<typeof takenOnDay>;

const owedRefund = v.object({
  id: idField,
  since: moment,
  amount: pesos,
  folio: v.string(),
  buyer: v.string(),
  // A server of the version before says nothing of it.
  payerName: v.optional(v.nullable(v.string()), null),
  /** Of the card that the shop's own terminal took, and gives it back to. Nor of this. */
  last4: v.optional(v.nullable(v.string()), null),
  /** Whether the store network took the payment back: not to be handed over. Nor of this. */
  storeReversed: v.optional(v.boolean(), false),
  productName: v.string(),
  purchaseId: v.nullable(idField),
});
export type OwedRefund = v.InferOutput<typeof owedRefund>;

const refundLine = v.object({
  id: idField,
  /** When it was done; of one that is not, since when it is owed. */
  at: moment,
  owedAt: moment,
  /** Of the payment that it gives back. */
  folio: v.string(),
  method: v.picklist(['card', 'cash']),
  /** Of the card that the shop's own terminal took, and gives it back to. */
  last4: v.nullable(v.string()),
  state: v.picklist(['owed', 'sending', 'unknown', 'blocked', 'done']),
  /** Still owed of money that the store network took back: a person looks at it first. */
  storeReversed: v.optional(v.boolean(), false),
  cause: v.picklist(['not_applicable', 'cancel', 'surplus', 'external']),
  /** Of what the end of a purchase gives back. */
  endedBy,
  amount: pesos,
  buyer: v.string(),
  payerName: v.nullable(v.string()),
  productName: v.string(),
  purchaseId: v.nullable(idField),
  /** Who handed it over in cash, as the books have it. */
  paidBy: v.nullable(v.picklist(['merchant', 'operator'])),
  /** By name, and where, out of a drawer. */
  handedOverBy: v.nullable(v.string()),
  branch: v.nullable(v.string()),
});
export type RefundLine = v.InferOutput<typeof refundLine>;

export const readShopToday = defineEndpoint({
  name: 'readShopToday',
  summary:
    "What the merchant collected today and this week, what is due soon, what is late and how long, and what waits. Managers see what the counters of their branches collected; the rest is the merchant's.",
  method: 'GET',
  path: '/v1/counter/today',
  access: ['staff'],
  act: 'see_reports',
  reply: envelope(shopToday),
  refusals: [],
});

export const listTakings = defineEndpoint({
  name: 'listTakings',
  summary:
    'What the merchant collected from one day to another, at most 400 of them, the newest first, 50 a page; the first page has the sum of each day. What is taken back on the day of its payment is left out, what is later is a line of that day. Managers see what the counters of their branches collected.',
  method: 'GET',
  path: '/v1/counter/takings',
  access: ['staff'],
  act: 'see_reports',
  query: v.object({
    from: askedDay,
    to: askedDay,
    method: v.optional(method),
    /** The page follows this one. */
    cursor: v.optional(takingCursor),
  }),
  reply: envelope(
    v.object({
      takings: v.array(taking),
      next: v.nullable(v.string()),
      /** Of all pages, the newest first, without days on which nothing was; null on a page that follows another. */
      days: v.nullable(v.array(takenOnDay)),
    }),
  ),
  refusals: [],
});

export const listOwedRefunds = defineEndpoint({
  name: 'listOwedRefunds',
  summary: 'Cash that waits for its buyer at the till, the oldest first, at most 500.',
  method: 'GET',
  path: '/v1/counter/refunds',
  access: ['staff'],
  act: 'see_reports',
  reply: envelope(v.array(owedRefund)),
  refusals: [],
});

export const listShopRefunds = defineEndpoint({
  name: 'listShopRefunds',
  summary:
    'What the merchant gave back from one day to another, at most 400 of them, by card and in cash, and what it owes since one of them, the newest first, 50 a page; the first page has the sums. Managers see what the counters of their branches had taken, or handed over.',
  method: 'GET',
  path: '/v1/counter/refunds/by-day',
  access: ['staff'],
  act: 'see_reports',
  query: v.object({
    from: askedDay,
    to: askedDay,
    /** The page follows this one. */
    cursor: v.optional(idParam),
  }),
  reply: envelope(
    v.object({
      refunds: v.array(refundLine),
      next: v.nullable(v.string()),
      /** Of all pages; null on a page that follows another. */
      sums: v.nullable(v.object({ done: v.object(figure), open: v.object(figure) })),
    }),
  ),
  refusals: [],
});
