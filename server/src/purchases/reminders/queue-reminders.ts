import { type DueReminder, remindersAt } from '@aparta/domain/reminders';

import type { Db } from '../../platform/db/db.ts';
import { databaseNow, transaction } from '../../platform/db/transaction.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { listUnreminded, reminderKey, type Unreminded } from './reminders.read-model.ts';

const AT_ONCE = 200;
const MOST_ROUNDS = 5_000;

/**
 * Queues the reminders of this hour (rules/reminders). The key of each makes it one, however often this runs and wherever; what it
 * says is read when it is sent.
 */
export async function queueReminders(db: Db): Promise<void> {
  for (const due of remindersAt(await databaseNow(db))) {
    let after: Unreminded | undefined;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const page = await transaction(db, async (tx) => {
        const unreminded = await listUnreminded(tx, due, after, AT_ONCE);
        for (const each of unreminded) await sendEmail(tx, reminderOf(each, due));
        return unreminded;
      });
      if (page.length < AT_ONCE) break;
      after = page.at(-1);
    }
  }
}

const reminderOf = ({ purchaseId, buyerId }: Unreminded, due: DueReminder) => ({
  topic: 'payment_due' as const,
  dedupeKey: reminderKey(purchaseId, due),
  buyerId,
  facts: { purchaseId, kind: due.kind, dueOn: due.dueOn },
});
