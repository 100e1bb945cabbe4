import type { PurchaseState } from '../../platform/db/tables.ts';
import type { Lifecycle } from '../../platform/lifecycle.ts';

export const PURCHASE_STATES = ['active', 'cancelled', 'delivered'] as const satisfies PurchaseState[];

export const PURCHASE_EVENTS = [
  /** It ends before its goods are handed over, and what was paid comes back. */
  'cancelled',
  /** All of its money was taken back, the deposit too. */
  'voided',
  /** The goods are the buyer's; only of one that is paid whole. */
  'handed_over',
] as const;
export type PurchaseEvent = (typeof PURCHASE_EVENTS)[number];

/** The life of a purchase. Paid off is no state of it: its instalments say so. */
export const PURCHASE: Lifecycle<PurchaseState, PurchaseEvent> = {
  subject: 'purchase',
  table: 'purchases',
  id: 'id',
  column: 'state',
  hasHistory: false,
  initial: 'active',
  moves: {
    active: { cancelled: 'cancelled', voided: 'cancelled', handed_over: 'delivered' },
    cancelled: {},
    delivered: {},
  },
};
