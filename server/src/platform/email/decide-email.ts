import type { Tx } from '../db/db.ts';
import { RefusedChange } from '../refused-change.ts';
import { discardFailed, retryFailed } from './store.ts';

/**
 * Sends an email again that the mail server refused twelve times, from its first try, or gives it up. Refuses one that is not
 * there or has not failed.
 */
export async function decideEmail(tx: Tx, outboxId: number, decision: 'retry' | 'drop'): Promise<void> {
  const isMoved = await (decision === 'retry' ? retryFailed : discardFailed)(tx, outboxId);
  if (!isMoved) throw new RefusedChange('email_not_failed', { id: outboxId });
}
