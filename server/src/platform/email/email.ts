import type { EmailState } from '../db/tables.ts';
import type { Lifecycle } from '../lifecycle.ts';

export const EMAIL_STATES = ['waiting', 'sent', 'failed', 'dropped'] as const satisfies EmailState[];

export const EMAIL_EVENTS = [
  /** The mail server is about to be asked; the last try counts as failed until it has answered. */
  'tried',
  /** The mail server took it. */
  'delivered',
  /** There is nobody to send it to, or nobody waits for it any more. */
  'not_needed',
  /** Its buyer leaves. */
  'withdrawn',
  /** An operator's decisions on one that failed. */
  'retried',
  'discarded',
] as const;
export type EmailEvent = (typeof EMAIL_EVENTS)[number];

/**
 * The life of an email. One that failed stays so when its buyer leaves: it shows what was not delivered. What the mail server
 * took was sent, even if it was dropped meanwhile.
 */
export const EMAIL: Lifecycle<EmailState, EmailEvent> = {
  subject: 'email',
  table: 'outbox',
  id: 'id',
  column: 'state',
  hasHistory: false,
  initial: 'waiting',
  moves: {
    waiting: {
      tried: ['waiting', 'failed'],
      delivered: 'sent',
      not_needed: 'dropped',
      withdrawn: 'dropped',
    },
    sent: { delivered: 'sent' },
    failed: { delivered: 'sent', not_needed: 'dropped', retried: 'waiting', discarded: 'dropped' },
    dropped: { delivered: 'sent' },
  },
};
