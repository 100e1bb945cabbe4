import type { CashNoticeOutcome } from '../../platform/db/tables.ts';
import type { Lifecycle } from '../../platform/lifecycle.ts';

export const CASH_NOTICE_OUTCOMES = [
  'unapplied',
  'applied',
  'owed_back',
  'reversed',
  'noted',
] as const satisfies CashNoticeOutcome[];

export const CASH_NOTICE_EVENTS = [
  /** A person assigned it to a purchase that owes money. */
  'applied',
  /** A person assigned it to a purchase that owes nothing: all of it goes back. */
  'owed_back',
  /** The provider reversed it, or returned it to the payer. */
  'taken_back',
  /** A person booked a reversal that could not be booked automatically. */
  'reversal_booked',
] as const;
export type CashNoticeEvent = (typeof CASH_NOTICE_EVENTS)[number];

/** The life of cash that the provider told us about. What is not `unapplied` is decided for good. */
export const CASH_NOTICE: Lifecycle<CashNoticeOutcome, CashNoticeEvent> = {
  subject: 'cash_notice',
  table: 'cash_notices',
  id: 'operation_id',
  column: 'outcome',
  hasHistory: true,
  initial: 'unapplied',
  moves: {
    unapplied: {
      applied: 'applied',
      owed_back: 'owed_back',
      taken_back: 'noted',
      reversal_booked: 'reversed',
    },
    applied: {},
    owed_back: {},
    reversed: {},
    noted: {},
  },
};
