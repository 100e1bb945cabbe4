import type { LayawayReferenceState } from '../../platform/db/tables.ts';
import type { Lifecycle } from '../../platform/lifecycle.ts';

export const LAYAWAY_REFERENCE_STATES = [
  'open',
  'paid',
  'expired',
  'cancelled',
] as const satisfies LayawayReferenceState[];

export const LAYAWAY_REFERENCE_EVENTS = [
  /** A card or a till paid it, and it became a purchase. */
  'paid',
  /** Its time is over. */
  'expired',
  /** Its buyer pays another one of the product, or their account was erased. */
  'cancelled',
] as const;
export type LayawayReferenceEvent = (typeof LAYAWAY_REFERENCE_EVENTS)[number];

/** The life of a layaway reference. A payment that began in time may pay one that has expired since. */
export const LAYAWAY_REFERENCE: Lifecycle<LayawayReferenceState, LayawayReferenceEvent> = {
  subject: 'layaway_reference',
  table: 'layaway_references',
  id: 'id',
  column: 'state',
  hasHistory: false,
  initial: 'open',
  moves: {
    open: { paid: 'paid', expired: 'expired', cancelled: 'cancelled' },
    paid: {},
    expired: { paid: 'paid' },
    cancelled: {},
  },
};
