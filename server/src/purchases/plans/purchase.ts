import type { PurchaseState } from '../../platform/db/tables.ts';
import type { Lifecycle } from '../../platform/lifecycle.ts';

export const PURCHASE_STATES = ['active', 'cancelled'] as const satisfies PurchaseState[];

export const PURCHASE_EVENTS = [
  /** The buyer cancels it. */
  'cancelled',
  /** All of its money was taken back, the deposit too. */
  'voided',
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
  moves: { active: { cancelled: 'cancelled', voided: 'cancelled' }, cancelled: {} },
};
