import type { Tx } from '../db/db.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { RefusedChange } from '../refused-change.ts';

/**
 * An email that the mail server did not take, twelve times over: sent again from its beginning, or given up. Refuses one that
 * is not there, or does not wait for a person.
 */
export async function decideEmail(tx: Tx, outboxId: number, decision: 'retry' | 'drop'): Promise<void> {
  const email = await tx
    .updateTable('outbox')
    .set(decision === 'retry' ? { state: 'waiting', tries: 0 } : { state: 'dropped' })
    .where('id', '=', outboxId)
    .where('state', '=', 'failed')
    .returning('id')
    .executeTakeFirst();
  if (email === undefined) throw new RefusedChange('email_not_failed', { id: outboxId });
  if (decision === 'retry') await enqueue(tx, 'deliver_email', { outboxId }, { key: `email:${outboxId}` });
}
