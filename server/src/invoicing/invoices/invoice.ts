/**
 * The life of an invoice: its states and one table of what each event does in each of them (rules/invoicing#life). Pure.
 * Nothing else moves an invoice.
 */
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
  /** Somebody is about to ask the provider for it. */
  'claimed',
  /** The provider stamped it, or an operator found it stamped. */
  'stamped',
  /** SAT or the provider will not, as asked; or an operator says so. */
  'refused',
  /** It certainly was not sent, so it may be sent again. */
  'not_sent',
  /** Sent, and no usable answer: sent again it might be stamped twice. */
  'unreachable',
  /** Who had claimed it died before he could say what came of it. */
  'lost',
  /** It waited too long for a provider that does not answer. */
  'late',
  /** What SAT stamped is what was paid. */
  'agrees',
  /** What SAT stamped is something else. */
  'differs',
  /** An operator takes what SAT stamped as it is. */
  'accepted',
  /** The purchase ended before it was sent. */
  'withdrawn',
  /** An operator saw to it that SAT cancelled it. */
  'undone',
] as const;
export type InvoiceEvent = (typeof INVOICE_EVENTS)[number];

/** All moves there are; an event that a state does not list changes nothing there. */
export const INVOICE_TABLE = {
  requested: {
    claimed: 'sending',
    // The answer to a sending that an operator had taken for lost: sent again it would be a second one.
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

/** The table as moves, for the helper that writes them. */
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

/** In these another invoice of the same instalment may be asked for. */
export function isClosed(state: InvoiceState): boolean {
  return state === 'refused' || state === 'cancelled';
}

/** In these the product itself goes on with it, without anybody. */
export function isUnderWay(state: InvoiceState): boolean {
  return state === 'requested' || state === 'sending' || state === 'stamped';
}

/** How long things may take, in milliseconds. */
export interface InvoiceClocks {
  /** A buyer who asks waits this long for the end of it; then he is told 'en proceso'. */
  readonly invoiceCallMs: number;
  /** Longer than all calls of one round take: whoever is still at it afterwards died. */
  readonly invoiceRoundMs: number;
  /** A provider that does not answer for so long is a person's affair. */
  readonly invoiceLateMs: number;
}

export const DEFAULT_INVOICE_CLOCKS: InvoiceClocks = {
  invoiceCallMs: 8_000,
  invoiceRoundMs: 4 * 60_000,
  invoiceLateMs: 3 * 24 * 3_600_000,
};

const SOONEST_MS = 30_000;
const LATEST_MS = 3_600_000;

/** When to try again what could not be done: the older it is the later, half a minute to an hour. */
export function nextTryMs(ageMs: number): number {
  return Math.min(Math.max(ageMs / 2, SOONEST_MS), LATEST_MS);
}
