import { sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';
import type { PushedTopic } from '../../platform/email/pushed-topics.ts';
import type { NewPush } from './store.ts';

/** What came about longer ago is no news. */
const STALE_AFTER = sql`interval '1 day'`;

/** What is told to one browser, and how it is reached. */
export interface DuePush extends NewPush {
  readonly id: string;
  readonly savedAt: Date;
  readonly buyerId: number;
  readonly outboxId: number;
  readonly topic: PushedTopic;
  readonly facts: unknown;
  readonly recipient: string;
}

/** Undefined once the browser is gone or another's, nobody waits for the news any more, or they are a day old. */
export async function findPush(
  db: Db,
  { outboxId, subscriptionId }: { outboxId: number; subscriptionId: string },
): Promise<DuePush | undefined> {
  const { rows } = await sql<DuePush>`
    select s.id, s.saved_at as "savedAt", s.endpoint, s.public_key as "publicKey", s.auth_secret as "authSecret",
      s.buyer_id as "buyerId", o.id as "outboxId", o.topic, o.facts, o.recipient
    from outbox o join push_subscriptions s on s.buyer_id = o.buyer_id
    where o.id = ${outboxId} and s.id = ${subscriptionId} and o.state <> 'dropped'
      and o.created_at > app_now() - ${STALE_AFTER}`.execute(db);
  return rows[0];
}
