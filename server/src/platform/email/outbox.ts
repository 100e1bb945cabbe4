import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import type { Tx } from '../db/db.ts';
import type { EmailTopic } from '../db/tables.ts';
import { defer } from '../db/transaction.ts';
import { enqueue, jobFor } from '../jobs/enqueue.ts';

export interface QueuedEmail {
  readonly topic: EmailTopic;
  /** The same topic and key is one email, however often it is queued. */
  readonly dedupeKey: string;
  readonly buyerId: number;
  /** Ids and amounts only: the text is made when it is sent. */
  readonly facts: Readonly<Record<string, string | number>>;
}

/** Queues an email in the transaction that makes it true; a job sends it after the commit. A deferred write. */
export async function sendEmail(tx: Tx, email: QueuedEmail): Promise<void> {
  await defer(
    tx,
    sql`
    with queued as (
      insert into outbox (topic, dedupe_key, buyer_id, recipient, facts)
      select ${email.topic}, ${email.dedupeKey}, id, email, ${JSON.stringify(email.facts)}::jsonb
      from buyers where id = ${email.buyerId}
      on conflict on constraint outbox_once do nothing
      returning id
    )
    select ${jobFor('deliver_email', sql`json_build_object('outboxId', id)`, sql`'email:' || id`)} from queued`,
  );
}

/**
 * Queues an email with a reset link to the address that was typed. Whether it has an account is looked up when it is sent, so
 * that asking costs the same for any address.
 */
export async function sendResetEmail(tx: Tx, email: string): Promise<void> {
  const { id } = await tx
    .insertInto('outbox')
    .values({
      topic: 'password_reset',
      dedupe_key: randomUUID(),
      buyer_id: null,
      recipient: email,
      facts: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await enqueue(tx, 'deliver_email', { outboxId: id }, { key: `email:${id}` });
}
