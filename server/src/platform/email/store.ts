import { sql } from 'kysely';
import type { Tx } from '../db/db.ts';
import type { EmailTopic } from '../db/tables.ts';
import { deferMove, moveState } from '../lifecycle.ts';
import { EMAIL } from './email.ts';

const MOST_TRIES = 12;

/** An email that is about to be sent. */
export interface TriedEmail {
  readonly id: number;
  readonly topic: EmailTopic;
  /** Null for what goes to whatever address was typed. */
  readonly buyerId: number | null;
  readonly recipient: string;
  readonly facts: unknown;
  /** This one counts. */
  readonly tries: number;
  /** It was queued more than 30 minutes ago. */
  readonly isLate: boolean;
}

/** Counts a try of an email and gives it; undefined when it does not wait. After the last of 12 it stays `failed`. */
export async function countTry(tx: Tx, id: number): Promise<TriedEmail | undefined> {
  const email = await tx
    .selectFrom('outbox')
    .select(['id', 'topic', 'buyer_id as buyerId', 'recipient', 'facts', 'tries'])
    .select(sql<boolean>`created_at < app_now() - interval '30 minutes'`.as('isLate'))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (email === undefined) return undefined;
  const tries = email.tries + 1;
  const to = tries >= MOST_TRIES ? 'failed' : 'waiting';
  await deferMove(tx, EMAIL, { event: 'tried', where: sql`id = ${id}`, to, set: { tries } });
  return { ...email, tries };
}

/** The mail server took it. */
export async function markSent(tx: Tx, id: number): Promise<void> {
  const set = { sent_at: sql`app_now()` };
  await deferMove(tx, EMAIL, { event: 'delivered', where: sql`id = ${id}`, set });
}

/** Drops an email that nobody waits for. Its address may be anybody's, so it is not kept. */
export async function dropUnneeded(tx: Tx, id: number): Promise<void> {
  await deferMove(tx, EMAIL, { event: 'not_needed', where: sql`id = ${id}`, set: { recipient: '' } });
}

/** Lets a failed email wait again, with all its tries; false when it is not failed. */
export async function retryFailed(tx: Tx, id: number): Promise<boolean> {
  const moved = await moveState(tx, EMAIL, { event: 'retried', where: sql`id = ${id}`, set: { tries: 0 } });
  return moved.length > 0;
}

/** Drops a failed email for good; false when it is not failed. */
export async function discardFailed(tx: Tx, id: number): Promise<boolean> {
  const moved = await moveState(tx, EMAIL, { event: 'discarded', where: sql`id = ${id}` });
  return moved.length > 0;
}
