import type { CashReferenceState } from '../../platform/db/tables.ts';
import type { Lifecycle } from '../../platform/lifecycle.ts';

export const CASH_REFERENCE_STATES = [
  'requesting',
  'issued',
  'failed',
  'closed',
] as const satisfies CashReferenceState[];

export const CASH_REFERENCE_EVENTS = [
  /** The provider gave it its number. */
  'issued',
  /** The provider refused to. */
  'refused',
  /** Its instalment has another balance, or none, or its purchase ended. */
  'closed',
] as const;
export type CashReferenceEvent = (typeof CASH_REFERENCE_EVENTS)[number];

/**
 * The life of a number that stores take cash for. It runs out by its own time (`valid`), which is no state; and a store may
 * take cash for one that is closed or has run out: that money has a home all the same.
 */
export const CASH_REFERENCE: Lifecycle<CashReferenceState, CashReferenceEvent> = {
  subject: 'cash_reference',
  table: 'cash_references',
  id: 'id',
  column: 'state',
  hasHistory: true,
  initial: 'requesting',
  moves: {
    requesting: { issued: 'issued', refused: 'failed', closed: 'closed' },
    issued: { closed: 'closed' },
    // Ended while the provider was asked: it stays so, and keeps the number that comes.
    failed: { issued: 'failed' },
    closed: { issued: 'closed' },
  },
};
