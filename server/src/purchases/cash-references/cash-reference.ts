import type { CashReferenceState } from '../../platform/db/tables.ts';
import type { Lifecycle } from '../../platform/lifecycle.ts';

export const CASH_REFERENCE_STATES = [
  'requesting',
  'issued',
  'with_helper',
  'failed',
  'closed',
] as const satisfies CashReferenceState[];

export const CASH_REFERENCE_EVENTS = [
  /** The provider gave it a number. */
  'issued',
  /** The same, of who helps by a link: beside the buyer's number, and other helpers'. */
  'issued_to_helper',
  /** The provider refused to give it one. */
  'refused',
  /** A store took cash for it, its instalment has another balance now, or none, or its purchase ended. */
  'closed',
] as const;
export type CashReferenceEvent = (typeof CASH_REFERENCE_EVENTS)[number];

/**
 * The life of a number that stores take cash for. That its time is over (`valid`, set by
 * payments/cash/issue-reference.ts) is no state of it. A store may take cash for
 * one that is closed or out of time: that money is applied or owed back like any other.
 */
export const CASH_REFERENCE: Lifecycle<CashReferenceState, CashReferenceEvent> = {
  subject: 'cash_reference',
  table: 'cash_references',
  id: 'id',
  column: 'state',
  hasHistory: true,
  initial: 'requesting',
  moves: {
    requesting: { issued: 'issued', issued_to_helper: 'with_helper', refused: 'failed', closed: 'closed' },
    issued: { closed: 'closed' },
    with_helper: { closed: 'closed' },
    // Ended while the provider was asked. It gets its number: a store may take cash for it.
    failed: { issued: 'failed', issued_to_helper: 'failed' },
    closed: { issued: 'closed', issued_to_helper: 'closed' },
  },
};
