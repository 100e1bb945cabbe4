import type { DateOnly } from '@aparta/domain/calendar';
import { sql } from 'kysely';
import type { Tx } from '../db/db.ts';
import { startOf } from '../db/mexico-city.ts';
import type { EmailTopic } from '../db/tables.ts';
import { defer } from '../db/transaction.ts';
import { deferMove, moveState } from '../lifecycle.ts';
import { EMAIL } from './email.ts';
import { IS_OF_ERASED } from './read-model.ts';

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

/** Longer than a try may take: the email of a server that died in the middle of it is tried again then. */
const UNTIL_DEAD = sql`interval '6 minutes'`;

/**
 * Counts a try of an email and gives it: the one with this id, or whatever has been due for longest and nobody else takes.
 * Undefined when it does not wait. After the last of 12 it stays `failed`.
 */
export async function countTry(tx: Tx, which: number | 'due'): Promise<TriedEmail | undefined> {
  const waiting = tx.selectFrom('outbox').where('state', '=', 'waiting').forNoKeyUpdate();
  const wanted =
    which === 'due'
      ? waiting
          .where('due_at', '<=', sql<Date>`app_now()`)
          .orderBy('due_at')
          .limit(1)
          .skipLocked()
      : waiting.where('id', '=', which);
  const email = await wanted
    .select(['id', 'topic', 'buyer_id as buyerId', 'recipient', 'facts', 'tries'])
    .select(sql<boolean>`created_at < app_now() - interval '30 minutes'`.as('isLate'))
    .executeTakeFirst();
  if (email === undefined) return undefined;
  const tries = email.tries + 1;
  const to = tries >= MOST_TRIES ? 'failed' : 'waiting';
  const set = { tries, due_at: sql`app_now() + ${UNTIL_DEAD}` };
  await deferMove(tx, EMAIL, { event: 'tried', where: sql`id = ${email.id}`, to, set });
  return { ...email, tries };
}

/** Says when an email is due again that was not taken: after 3 s, 7 s, 20 s and so on, to six hours. */
export async function waitLonger(tx: Tx, { id, tries }: TriedEmail): Promise<void> {
  const due = sql`app_now() + ${Math.exp(Math.min(tries, 10))} * interval '1 second'`;
  await defer(tx, sql`update outbox set due_at = ${due} where id = ${id}`);
}

/** Lets an email that waits be due now. */
export async function hurryEmail(tx: Tx, id: number): Promise<void> {
  await defer(
    tx,
    sql`update outbox set due_at = least(due_at, app_now()) where id = ${id} and state = 'waiting'`,
  );
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

/**
 * Lets a failed email wait again, with all its tries; or all that were queued from a day of Mexico City's on, but those whose words or
 * address were forgotten meanwhile. Resolves with how many.
 */
export async function retryFailed(tx: Tx, which: number | { readonly since: DateOnly }): Promise<number> {
  const moved = await moveState(tx, EMAIL, {
    event: 'retried',
    where:
      typeof which === 'number'
        ? sql`id = ${which}`
        : sql`state = 'failed' and created_at >= ${startOf(which.since)}
            and recipient <> '' and not ${IS_OF_ERASED}`,
    set: { tries: 0, due_at: sql`app_now()` },
  });
  return moved.length;
}

/** Drops a failed email for good; false when it is not failed. */
export async function discardFailed(tx: Tx, id: number): Promise<boolean> {
  const moved = await moveState(tx, EMAIL, { event: 'discarded', where: sql`id = ${id}` });
  return moved.length > 0;
}
