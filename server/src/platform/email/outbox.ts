import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import type { Tx } from '../db/db.ts';
import type { MailTopic } from '../db/tables.ts';
import { defer } from '../db/transaction.ts';
import { enqueue, jobFor } from '../jobs/enqueue.ts';

export interface QueuedMail {
  readonly topic: MailTopic;
  /** The same topic and key is one mail, however often it is queued. */
  readonly dedupeKey: string;
  readonly buyerId: number;
  /** Ids and amounts only: the text is made when it is sent. */
  readonly facts: Readonly<Record<string, string | number>>;
}

/** Writes an email in the transaction that makes it true; a job sends it once that is committed. */
export async function sendEmail(tx: Tx, mail: QueuedMail): Promise<void> {
  await defer(
    tx,
    sql`
    with queued as (
      insert into outbox (topic, dedupe_key, buyer_id, recipient, facts)
      select ${mail.topic}, ${mail.dedupeKey}, id, email, ${JSON.stringify(mail.facts)}::jsonb
      from buyers where id = ${mail.buyerId}
      on conflict on constraint outbox_once do nothing
      returning id
    )
    select ${jobFor('send_mail', sql`json_build_object('outboxId', id)`, sql`'mail:' || id`)} from queued`,
  );
}

/**
 * Queues a letter with a reset link to whatever was typed. Whether there is such an account is looked up when it is sent:
 * until then it costs the same, whoever asks for whomever.
 */
export async function queueResetMail(tx: Tx, email: string): Promise<void> {
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
  await enqueue(tx, 'send_mail', { outboxId: id }, { key: `mail:${id}` });
}
