import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import type { MailProvider } from '../providers/mail/port.ts';
import { type MailFacts, write } from './copy.ts';

export interface MailDeps {
  readonly db: Db;
  readonly mail: MailProvider;
  readonly productName: string;
  readonly publicOrigin: string;
}

const MOST_TRIES = 12;

/**
 * Sends one letter of the outbox, if it still waits. Throws when the provider did not take it, so that the queue tries again
 * with back-off; after the last try it stays as `failed` for the operator. A crash between sending and marking sends it twice,
 * with the same message id: a letter too many is better than none.
 */
export async function sendMail(deps: MailDeps, outboxId: number): Promise<void> {
  const letter = await deps.db
    .updateTable('outbox')
    .set({
      tries: sql<number>`tries + 1`,
      state: sql`case when tries + 1 >= ${MOST_TRIES} then 'failed' else 'waiting' end`,
    })
    .where('id', '=', outboxId)
    .where('state', '=', 'waiting')
    .returning(['topic', 'recipient', 'facts', 'dedupe_key'])
    .executeTakeFirst();
  if (letter === undefined) return;
  const { subject, text } = write(letter.topic, letter.facts as MailFacts, {
    name: deps.productName,
    origin: deps.publicOrigin,
  });
  await deps.mail.send({ to: letter.recipient, subject, text, id: `${letter.topic}.${outboxId}` });
  await deps.db
    .updateTable('outbox')
    .set({ state: 'sent', sent_at: sql<Date>`app_now()` })
    .where('id', '=', outboxId)
    .execute();
}
