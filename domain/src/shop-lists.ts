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
