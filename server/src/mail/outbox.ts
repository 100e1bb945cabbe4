import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import type { Tx } from '../db/db.ts';
import type { MailTopic } from '../db/tables.ts';
import { enqueue } from '../jobs/enqueue.ts';

export interface QueuedMail {
  readonly topic: MailTopic;
  /** The same topic and key is one mail, however often it is queued. */
  readonly dedupeKey: string;
  readonly buyerId: number;
  /** Ids and amounts only: the text is made when it is sent. */
  readonly facts: Readonly<Record<string, string | number>>;
}

/** Writes a mail in the transaction that makes it true; a job sends it once that is committed. */
export async function queueMail(tx: Tx, mail: QueuedMail): Promise<void> {
  const queued = await tx
    .insertInto('outbox')
    .columns(['topic', 'dedupe_key', 'buyer_id', 'recipient', 'facts'])
    .expression((eb) =>
      eb
        .selectFrom('buyers')
        .where('id', '=', mail.buyerId)
        .select([
          sql<MailTopic>`${mail.topic}`.as('topic'),
          sql<string>`${mail.dedupeKey}`.as('dedupe_key'),
          'id as buyer_id',
          'email as recipient',
          sql<unknown>`${JSON.stringify(mail.facts)}::jsonb`.as('facts'),
        ]),
    )
    .onConflict((conflict) => conflict.constraint('outbox_once').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (queued === undefined) return;
  await enqueue(tx, 'send_mail', { outboxId: queued.id }, { key: `mail:${queued.id}` });
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
