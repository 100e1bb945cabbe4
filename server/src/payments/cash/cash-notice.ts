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
  /** A person found its purchase, which took what it owed. */
  'applied',
  /** A person found its purchase, which owes nothing: all of it goes back. */
  'owed_back',
  /** The provider took it back, or gave it back to who had paid it. */
  'taken_back',
  /** A person booked a reversal that could not be booked by itself. */
  'reversal_booked',
] as const;
export type CashNoticeEvent = (typeof CASH_NOTICE_EVENTS)[number];

/** The life of cash that the provider told of. What is not unapplied (`unapplied`) is decided for good. */
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
