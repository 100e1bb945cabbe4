import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import type { MailTopic } from '../db/tables.ts';
import type { MailProvider } from '../providers/mail/port.ts';
import { type Letter, type MailFacts, type MoneyTopic, write } from './copy.ts';

export interface MailDeps {
  readonly db: Db;
  readonly mail: MailProvider;
  readonly productName: string;
  readonly publicOrigin: string;
  /** Makes the link that changes the password of an e-mail's account; undefined when there is no account. */
  readonly resetLink: (email: string) => Promise<string | undefined>;
}

const MOST_TRIES = 12;

/**
 * Sends one letter of the outbox, if it still waits. Throws when the provider did not take it, so that the queue tries again
 * with back-off; after the last try it stays as `failed` for the operator. A crash between sending and marking sends it twice,
 * with the same message id: a letter too many is better than none.
 */
export async function sendMail(deps: MailDeps, outboxId: number): Promise<void> {
  const queued = await deps.db
    .updateTable('outbox')
    .set({
      tries: sql<number>`tries + 1`,
      state: sql`case when tries + 1 >= ${MOST_TRIES} then 'failed' else 'waiting' end`,
    })
    .where('id', '=', outboxId)
    .where('state', '=', 'waiting')
    .returning(['id', 'topic', 'recipient', 'facts', 'tries'])
    .returning(sql<boolean>`created_at < app_now() - interval '30 minutes'`.as('is_late'))
    .executeTakeFirst();
  if (queued === undefined) return;
  const letter = await letterOf(deps, queued);
  if (letter === undefined) {
    // The address may be anybody's: it is not kept.
    await deps.db
      .updateTable('outbox')
      .set({ state: 'dropped', recipient: '' })
      .where('id', '=', outboxId)
      .execute();
    return;
  }
  const words = write(letter, { name: deps.productName, origin: deps.publicOrigin });
  await deps.mail.send({ to: queued.recipient, ...words, id: messageId(queued) });
  await deps.db
    .updateTable('outbox')
    .set({ state: 'sent', sent_at: sql<Date>`app_now()` })
    .where('id', '=', outboxId)
    .execute();
}

interface Queued {
  readonly id: number;
  readonly topic: MailTopic;
  readonly recipient: string;
  readonly facts: unknown;
  readonly tries: number;
  readonly is_late: boolean;
}

/** What is to be said; undefined when there is nobody to say it to, or nobody waits for it any more. */
async function letterOf(
  deps: MailDeps,
  { topic, facts, recipient, is_late }: Queued,
): Promise<Letter | undefined> {
  switch (topic) {
    case 'password_reset': {
      const link = is_late ? undefined : await deps.resetLink(recipient);
      return link === undefined ? undefined : { topic, link };
    }
    case 'password_changed':
      return { topic };
    default:
      return { topic: topic satisfies MoneyTopic, facts: facts as MailFacts };
  }
}

/** Each try of a reset letter carries another code, so that none may hide the newest. */
function messageId({ topic, id, tries }: Queued): string {
  return topic === 'password_reset' ? `${topic}.${id}.${tries}` : `${topic}.${id}`;
}
