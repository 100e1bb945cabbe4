import type { Age } from './ageing.ts';

/** How a shop got money: by card, at its counter, at its own till, or in cash at a store. */
export const COUNTER_METHODS = ['counter_cash', 'counter_terminal', 'till', 'card', 'store'] as const;
export type CounterMethod = (typeof COUNTER_METHODS)[number];

/**
 * What of a merchant's purchases a list shows: `paid_off` waits to be handed over. The last two are reservations: no deposit has
 * come for them yet.
 */
export const PURCHASE_SHOWS = [
  'all',
  'active',
  'in_time',
  'late',
  'late_30',
  'late_60',
  'late_61',
  'due_5',
  'due_10',
  'due_15',
  'paid_off',
  'claimed',
  'delivered',
  'cancelled',
  'waiting',
  'expiring',
] as const;
export type PurchaseShow = (typeof PURCHASE_SHOWS)[number];

/** Of a list of what is late, the age that it is about. */
export const SHOWN_AGE: Readonly<Partial<Record<PurchaseShow, Age>>> = {
  late_30: '1-30',
  late_60: '31-60',
  late_61: '61+',
};

/** Of a list of what is due soon, within how many days. */
export const SHOWN_DAYS: Readonly<Partial<Record<PurchaseShow, number>>> = {
  due_5: 5,
  due_10: 10,
  due_15: 15,
};

/**
 * Where an instalment that a shop was paid stands: with an invoice, with one on its way or for review, without one, or without one of
 * a purchase that ended.
 */
export const INVOICE_GROUPS = ['invoiced', 'in_process', 'not_invoiced', 'ended'] as const;
export type InvoiceGroup = (typeof INVOICE_GROUPS)[number];

/** Which of a month's paid instalments a list shows. */
export const INVOICE_SHOWS = ['all', ...INVOICE_GROUPS] as const;
export type InvoiceShow = (typeof INVOICE_SHOWS)[number];

/** How an invoice stands for its shop; `credited`: issued, beside a credit note. */
export const SHOP_INVOICE_STATES = [
  'in_process',
  'review',
  'issued',
  'credited',
  'refused',
  'cancelled',
] as const;
export type ShopInvoiceState = (typeof SHOP_INVOICE_STATES)[number];

/** Whether a buyer can ask for the invoice of what they paid: yes, not any more, or never, since the shop does not invoice it here. */
export const INVOICE_ASKINGS = ['open', 'over', 'not_offered'] as const;
export type InvoiceAsking = (typeof INVOICE_ASKINGS)[number];

/** How many settlements a shop's screen lists; its file goes on behind them. */
export const MOST_SETTLEMENTS = 500;
