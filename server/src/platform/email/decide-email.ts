import type { DateOnly } from '@aparta/domain/calendar';
import type { Tx } from '../db/db.ts';
import { RefusedChange } from '../refused-change.ts';
import { discardFailed, retryFailed } from './store.ts';

/**
 * Sends an email again that the mail server refused twelve times, from its first try, or gives it up. Refuses one that is not
 * there or has not failed.
 */
export async function decideEmail(tx: Tx, outboxId: number, decision: 'retry' | 'drop'): Promise<void> {
  const isMoved =
    decision === 'retry' ? (await retryFailed(tx, outboxId)) > 0 : await discardFailed(tx, outboxId);
  if (!isMoved) throw new RefusedChange('email_not_failed', { id: outboxId });
}

/** After an outage of the mail server: sends all again that were queued from that day on and given up. Resolves with how many. */
export async function retryEmails(tx: Tx, since: DateOnly): Promise<number> {
  return retryFailed(tx, { since });
}
