import type { RefundState } from '../../platform/db/tables.ts';
import type { Lifecycle } from '../../platform/lifecycle.ts';

export const REFUND_STATES = [
  'owed',
  'sending',
  'unknown',
  'blocked',
  'done',
  'moved_to_cash',
] as const satisfies RefundState[];

export const REFUND_EVENTS = [
  /** Its job is about to ask the provider. */
  'claimed',
  /** The provider refunded it, as its answer or a later reading says. */
  'refunded',
  /** The provider did not refund it, and may later. */
  'declined',
  /** The merchant's key may not refund. */
  'unauthorised',
  /** No usable answer. */
  'unreachable',
  /** The provider says that more would go back than was paid. */
  'books_disagree',
  /** A reading does not show it, and is too early to prove anything. */
  'not_seen',
  /** A person must decide. */
  'blocked',
  /** A person lets it be asked for again. */
  'retried',
  /** The debt goes on as a refund in cash. */
  'moved_to_cash',
  /** The merchant or the operator handed it over in cash. */
  'handed_over',
  /** What was handed over came back. */
  'bounced',
  /** All of it, or a part, was refunded externally. */
  'refunded_externally',
  'partly_refunded_externally',
  /** The store gave the cash back itself. */
  'returned_by_store',
] as const;
export type RefundEvent = (typeof REFUND_EVENTS)[number];

const asked = {
  refunded: 'done',
  declined: 'owed',
  unauthorised: 'owed',
  unreachable: 'unknown',
  books_disagree: 'unknown',
  not_seen: 'unknown',
  blocked: 'blocked',
  moved_to_cash: 'moved_to_cash',
} as const;

/** The life of a refund, by card or in cash. */
export const REFUND: Lifecycle<RefundState, RefundEvent> = {
  subject: 'refund',
  table: 'refunds',
  id: 'id',
  column: 'state',
  hasHistory: true,
  detail: 'detail_code',
  initial: 'owed',
  moves: {
    owed: {
      claimed: 'sending',
      refunded: 'done',
      blocked: 'blocked',
      moved_to_cash: 'moved_to_cash',
      handed_over: 'done',
      refunded_externally: 'done',
      partly_refunded_externally: 'owed',
      returned_by_store: 'done',
    },
    sending: asked,
    unknown: asked,
    blocked: {
      retried: 'owed',
      moved_to_cash: 'moved_to_cash',
      refunded_externally: 'done',
      partly_refunded_externally: 'owed',
    },
    done: { bounced: 'owed' },
    moved_to_cash: {},
  },
};
