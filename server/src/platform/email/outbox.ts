import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { writtenTogether } from '../db/batch.ts';
import type { Tx } from '../db/db.ts';
import { rowsAs } from '../db/rows.ts';
import type { EmailTopic } from '../db/tables.ts';
import { defer } from '../db/transaction.ts';

export interface QueuedEmail {
  readonly topic: EmailTopic;
  /** The same topic and key is one email, however often it is queued. */
  readonly dedupeKey: string;
  readonly buyerId: number;
  /** Ids and amounts only: the text is made when it is sent. */
  readonly facts: Readonly<Record<string, string | number>>;
}

/** Queues an email in the transaction that makes it true; `mail-lane.ts` sends it after the commit. A deferred write. */
export const sendEmail = writtenTogether<QueuedEmail>(async (tx, emails) => {
  const queued = rowsAs(
    'queued',
    { topic: 'text', dedupeKey: 'text', buyerId: 'bigint', facts: 'jsonb' },
    emails.map((email) => ({ ...email, facts: JSON.stringify(email.facts) })),
  );
  await defer(
    tx,
    sql`
    insert into outbox (topic, dedupe_key, buyer_id, recipient, facts, due_at)
    select topic, "dedupeKey", id, email, facts, app_now() from ${queued} join buyers on id = "buyerId"
    on conflict on constraint outbox_once do nothing`,
  );
});

/**
 * Queues an email with a reset link to the address that was typed. Whether it has an account is looked up when it is sent, so
 * that asking costs the same for any address.
 */
export async function sendResetEmail(tx: Tx, email: string): Promise<void> {
  const row = tx.insertInto('outbox').values({
    topic: 'password_reset',
    dedupe_key: randomUUID(),
    buyer_id: null,
    recipient: email,
    facts: '{}',
    due_at: sql`app_now()`,
  });
  await defer(tx, row);
}
