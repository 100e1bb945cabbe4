import { sql } from 'kysely';
import type { Tx } from '../db/db.ts';
import { type Pruning, pruning } from '../db/pruning.ts';
import { defer } from '../db/transaction.ts';
import { deferMove } from '../lifecycle.ts';
import { EMAIL } from './email.ts';

/**
 * Drops the emails to a buyer that wait, and forgets what every one of them said and to whom. `email` is the buyer's address,
 * `erasedEmail` the one that takes its place.
 */
export async function forgetBuyerEmails(
  tx: Tx,
  buyerId: number,
  { email, erasedEmail }: { email: string; erasedEmail: string },
): Promise<void> {
  // An email with a reset link names no buyer: it goes to whatever address was typed. Others without a buyer are of whoever helped
  // or has a shop by that address, and may say that money went back.
  const toTypedAddress = sql`buyer_id is null and topic = 'password_reset' and recipient = ${email}`;
  await deferMove(tx, EMAIL, {
    event: 'withdrawn',
    where: sql`buyer_id = ${buyerId} or ${toTypedAddress}`,
  });
  await defer(tx, sql`update outbox set recipient = '' where ${toTypedAddress}`);
  await defer(
    tx,
    sql`update outbox set recipient = ${erasedEmail}, facts = '{}' where buyer_id = ${buyerId}`,
  );
}

/** Drops the emails to helpers that wait, of these attempts and operations of stores, and forgets what every one of them said and to whom. */
export async function forgetHelperEmails(tx: Tx, paymentIds: readonly string[]): Promise<void> {
  const theirs = sql`buyer_id is null and coalesce(facts->>'attemptId', facts->>'operationId') = any (${[...paymentIds]})`;
  await deferMove(tx, EMAIL, { event: 'withdrawn', where: theirs });
  await defer(tx, sql`update outbox set recipient = '', facts = '{}' where ${theirs}`);
}

export const EMAIL_PRUNINGS: readonly Pruning[] = [
  // The row stays: its key is what keeps an email from being written twice.
  pruning(
    'emails’ words',
    (rowsAtOnce) => sql`
      update outbox set facts = '{}', recipient = '' where ctid = any (array(
        select ctid from outbox
        where state <> 'waiting' and created_at < app_now() - interval '90 days' and (facts <> '{}' or recipient <> '')
        limit ${rowsAtOnce}))`,
  ),
];
