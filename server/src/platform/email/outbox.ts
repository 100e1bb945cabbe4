import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { writtenTogether } from '../db/batch.ts';
import { builtOnce } from '../db/built-once.ts';
import type { Tx } from '../db/db.ts';
import { rowsAs } from '../db/rows.ts';
import type { EmailTopic } from '../db/tables.ts';
import { defer } from '../db/transaction.ts';
import { PUSHED_TOPICS } from './pushed-topics.ts';

export interface QueuedEmail {
  readonly topic: EmailTopic;
  /** The same topic and key is one email, however often it is queued. */
  readonly dedupeKey: string;
  readonly buyerId: number;
  /** Ids and amounts only: the text is made when it is sent. */
  readonly facts: Readonly<Record<string, string | number>>;
}

/**
 * Queues an email in the transaction that makes it true; `mail-lane.ts` sends it after the commit. What its buyer's browsers are
 * told too is a job for each. Nobody is told who was erased while the call was under way. A deferred write.
 */
export const sendEmail = writtenTogether<QueuedEmail>(async (tx, emails) => {
  const rows = emails.map((email) => ({ ...email, facts: JSON.stringify(email.facts) }));
  await defer(tx, emailInsert(tx, { rows }));
});

const emailInsert = builtOnce(
  (_, { rows }: { rows: readonly (Omit<QueuedEmail, 'facts'> & { readonly facts: string })[] }) => sql`
    with told as (
      insert into outbox (topic, dedupe_key, buyer_id, recipient, facts, due_at)
      select topic, "dedupeKey", id, email, facts, app_now() from ${rowsAs('queued', QUEUED, rows)} join buyers on id = "buyerId"
      where erased_at is null for key share of buyers
      on conflict on constraint outbox_once do nothing
      returning id, topic, buyer_id)
    select enqueue_job('send_push', json_build_object('outboxId', t.id, 'subscriptionId', s.id), now(),
      'push:' || t.id || ':' || s.id)
    from told t join push_subscriptions s on s.buyer_id = t.buyer_id
    where t.topic = any (${PUSHED_TOPICS}::text[])`,
);
const QUEUED = { topic: 'text', dedupeKey: 'text', buyerId: 'bigint', facts: 'jsonb' } as const;

/** The emails that go to an address of no buyer, or of whom nobody knows yet, as helpers’. */
export type AddressedTopic = Extract<EmailTopic, 'password_reset' | `staff_${string}` | `help_${string}`>;

/**
 * Queues an email to an address. Whether it has an account, and what its link is, is looked up when it is sent, so that asking
 * costs the same for any address. With a key, the same topic and key is one email.
 */
export async function sendEmailTo(
  tx: Tx,
  topic: AddressedTopic,
  email: string,
  facts: QueuedEmail['facts'] = {},
  dedupeKey: string = randomUUID(),
): Promise<void> {
  const row = tx.insertInto('outbox').values({
    topic,
    dedupe_key: dedupeKey,
    buyer_id: null,
    recipient: email,
    facts: JSON.stringify(facts),
    due_at: sql`app_now()`,
  });
  await defer(
    tx,
    row.onConflict((of) => of.constraint('outbox_once').doNothing()),
  );
}
