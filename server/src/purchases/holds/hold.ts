import type { HoldState } from '../../platform/db/tables.ts';
import type { Lifecycle } from '../../platform/lifecycle.ts';

export const HOLD_STATES = ['held', 'released', 'delivered'] as const satisfies HoldState[];

export const HOLD_EVENTS = [
  /** Its reservation is paid after all, by a card that was late. */
  'taken_again',
  /** Its reservation or purchase ended without it. */
  'released',
  /** It was handed over to its buyer. */
  'delivered',
] as const;
export type HoldEvent = (typeof HOLD_EVENTS)[number];

/** The life of a unit that is kept for somebody (rules/goods#holds). */
export const HOLD: Lifecycle<HoldState, HoldEvent> = {
  subject: 'hold',
  table: 'holds',
  id: 'layaway_reference_id',
  column: 'state',
  hasHistory: false,
  initial: 'held',
  moves: {
    held: { released: 'released', delivered: 'delivered' },
    released: { taken_again: 'held' },
    delivered: {},
  },
};
