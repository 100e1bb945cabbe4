/** The states of an invoice, and the table of what each event does in each of them (rules/invoicing#life). Pure. */
import type { InvoiceState } from '../../platform/db/tables.ts';
import type { Lifecycle } from '../../platform/lifecycle.ts';

export const INVOICE_STATES = [
  'requested',
  'sending',
  'stamped',
  'issued',
  'review',
  'refused',
  'cancelled',
] as const satisfies InvoiceState[];

export const INVOICE_EVENTS = [
  /** A round is about to ask the provider for it. */
  'claimed',
  /** The provider stamped it, or an operator found it stamped. */
  'stamped',
  /** SAT or the provider refused it, or an operator says so. */
  'refused',
  /** It was certainly not sent, so it may be sent again. */
  'not_sent',
  /** It was sent and no usable answer came: sent again, it might be stamped twice. */
  'unreachable',
  /** The process that claimed it died before it recorded an answer. */
  'lost',
  /** The provider has not answered for too long. */
  'late',
  /** SAT stamped what was paid. */
  'agrees',
  /** SAT stamped something else. */
  'differs',
  /** An operator accepts what SAT stamped as it is. */
  'accepted',
  /** The purchase ended before it was sent. */
  'withdrawn',
  /** An operator had it cancelled at SAT. */
  'undone',
] as const;
export type InvoiceEvent = (typeof INVOICE_EVENTS)[number];

/** An event that a state does not list changes nothing there. */
export const INVOICE_TABLE = {
  requested: {
    claimed: 'sending',
    // A late answer to a call that an operator took for lost: sent again, it would be stamped twice.
    stamped: 'stamped',
    refused: 'refused',
    late: 'review',
    withdrawn: 'cancelled',
  },
  sending: {
    stamped: 'stamped',
    refused: 'refused',
    not_sent: 'requested',
    unreachable: 'review',
    lost: 'review',
  },
  stamped: { agrees: 'issued', differs: 'review', late: 'review' },
  issued: { undone: 'cancelled' },
  review: {
    stamped: 'stamped',
    refused: 'refused',
    not_sent: 'requested',
    accepted: 'issued',
    undone: 'cancelled',
  },
  refused: {},
  cancelled: {},
} as const satisfies Record<InvoiceState, Partial<Record<InvoiceEvent, InvoiceState>>>;

export const INVOICE: Lifecycle<InvoiceState, InvoiceEvent> = {
  subject: 'invoice',
  table: 'invoices',
  id: 'id',
  column: 'state',
  hasHistory: true,
  detail: 'detail_code',
  initial: 'requested',
  moves: INVOICE_TABLE,
};

/** The state that an event leads to; undefined where it changes nothing. */
export function afterEvent(state: InvoiceState, event: InvoiceEvent): InvoiceState | undefined {
  const moves: Partial<Record<InvoiceEvent, InvoiceState>> = INVOICE_TABLE[state];
  return moves[event];
}

/** Whether another invoice of the same instalment may be requested. */
export function isClosed(state: InvoiceState): boolean {
  return state === 'refused' || state === 'cancelled';
}

/** Whether the job goes on with it, without an operator. */
export function isUnderWay(state: InvoiceState): boolean {
  return state === 'requested' || state === 'sending' || state === 'stamped';
}

/** All in milliseconds. */
export interface InvoiceClocks {
  /** How long a request waits for the end; after it the buyer reads 'en proceso'. */
  readonly invoiceCallMs: number;
  /** Longer than all calls of a round together: a round that runs longer died. */
  readonly invoiceRoundMs: number;
  /** After this long without an answer an operator takes over. */
  readonly invoiceLateMs: number;
}

export const DEFAULT_INVOICE_CLOCKS: InvoiceClocks = {
  invoiceCallMs: 8_000,
  invoiceRoundMs: 4 * 60_000,
  invoiceLateMs: 3 * 24 * 3_600_000,
};

const SOONEST_MS = 30_000;
const LATEST_MS = 3_600_000;

/** When to try again: half the age of the request, between half a minute and an hour. */
export function nextTryMs(ageMs: number): number {
  return Math.min(Math.max(ageMs / 2, SOONEST_MS), LATEST_MS);
}
