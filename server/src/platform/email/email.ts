import type { Lifecycle } from '../lifecycle.ts';

export const EMAIL_STATES = ['waiting', 'sent', 'failed', 'dropped'] as const;
export type EmailState = (typeof EMAIL_STATES)[number];

export const EMAIL_EVENTS = [
  /** The mail server took it. */
  'delivered',
  /** Its last try failed: an operator decides. */
  'gave_up',
  /** There is nobody to send it to, or nobody waits for it any more. */
  'not_needed',
  /** Its buyer leaves. */
  'withdrawn',
  /** An operator's decisions on one that failed. */
  'retried',
  'discarded',
] as const;
export type EmailEvent = (typeof EMAIL_EVENTS)[number];

/** The life of an email. One that failed stays so when its buyer leaves: it shows what was not delivered. */
export const EMAIL: Lifecycle<EmailState, EmailEvent> = {
  subject: 'email',
  table: 'outbox',
  id: 'id',
  column: 'state',
  hasHistory: false,
  initial: 'waiting',
  moves: {
    waiting: { delivered: 'sent', gave_up: 'failed', not_needed: 'dropped', withdrawn: 'dropped' },
    sent: {},
    failed: { retried: 'waiting', discarded: 'dropped' },
    dropped: {},
  },
};
