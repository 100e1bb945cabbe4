import type { EmailState } from '../db/tables.ts';
import type { Lifecycle } from '../lifecycle.ts';

export const EMAIL_STATES = ['waiting', 'sent', 'failed', 'dropped'] as const satisfies EmailState[];

export const EMAIL_EVENTS = [
  /** The mail server is about to be asked; the last try counts as failed until it has answered. */
  'tried',
  /** The mail server took it. */
  'sent',
  /** There is nobody to send it to, or nobody waits for it any more. */
  'obsolete',
  /** Its buyer is erased. */
  'erased',
  /** An operator has it sent again from its beginning, or gives it up. */
  'retried',
  'given_up',
] as const;
export type EmailEvent = (typeof EMAIL_EVENTS)[number];

/** The life of an email. One that is dropped or sent while a try is under way is sent all the same. */
export const EMAIL: Lifecycle<EmailState, EmailEvent> = {
  subject: 'email',
  table: 'outbox',
  id: 'id',
  column: 'state',
  hasHistory: false,
  initial: 'waiting',
  moves: {
    waiting: { tried: ['waiting', 'failed'], sent: 'sent', obsolete: 'dropped', erased: 'dropped' },
    failed: { sent: 'sent', obsolete: 'dropped', retried: 'waiting', given_up: 'dropped' },
    sent: { sent: 'sent' },
    dropped: { sent: 'sent' },
  },
};
