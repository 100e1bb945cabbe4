import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { sendEmailTo } from '../../platform/email/outbox.ts';
import { listOwnersToTell } from './digest.read-model.ts';

/**
 * Queues the emails of this morning to owners who have none yet, at most so many; says how many there were. Their key makes them
 * one a day, however often this runs and wherever. What they say is read when they are sent.
 */
export async function queueDigests(db: Db, most: number): Promise<number> {
  return transaction(db, async (tx) => {
    const owners = await listOwnersToTell(tx, most);
    for (const { email, dedupeKey, ...of } of owners)
      await sendEmailTo(tx, 'staff_digest', email, of, dedupeKey);
    return owners.length;
  });
}
