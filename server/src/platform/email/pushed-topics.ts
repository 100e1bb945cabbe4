import type { EmailTopic } from '../db/tables.ts';

/** The emails that a buyer's browsers are told of too: due dates, a plan's end by rule, money that arrived, money that goes back. */
export const PUSHED_TOPICS = [
  'payment_due',
  'end_warned',
  'more_time',
  'purchase_ended',
  'layaway_paid',
  'instalment_paid',
  'several_paid',
  'payment_returned',
  'cash_owed_back',
  'refund_done',
  'refund_in_cash',
  'refund_paid_in_cash',
  'refund_bounced',
] as const satisfies readonly EmailTopic[];
export type PushedTopic = (typeof PUSHED_TOPICS)[number];
