import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { type Pruning, pruning } from '../../platform/db/pruning.ts';
import { defer } from '../../platform/db/transaction.ts';
import { forgetBuyerActs } from '../acts/retention.ts';
import { deleteCalendarLinkOf } from '../calendar/store.ts';
import { deletePushesOf } from '../pushes/store.ts';
import { deleteSessionsOf } from '../sessions/retention.ts';

/** Locks a buyer against a payment that begins meanwhile. Undefined for nobody, and for one who was erased. */
export async function lockBuyerToForget(
  tx: Tx,
  buyerId: number,
): Promise<{ readonly email: string } | undefined> {
  return tx
    .selectFrom('buyers')
    .select('email')
    .where('id', '=', buyerId)
    .where('erased_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Forgets who a buyer is and closes their sessions. The row stays, for the books refer to it. `erasedEmail` takes the place of
 * their address; `passwordHash` is of a secret that nobody knows.
 */
export async function forgetBuyerAccount(
  tx: Tx,
  buyerId: number,
  { erasedEmail, passwordHash }: { erasedEmail: string; passwordHash: string },
): Promise<void> {
  await defer(
    tx,
    tx
      .updateTable('buyers')
      .set({
        email: erasedEmail,
        user_name: '-',
        name: '-',
        phone: '',
        address_street: '',
        address_number: '',
        address_postal_code: '',
        password_hash: passwordHash,
        email_confirmed_at: null,
        erased_at: sql<Date>`app_now()`,
      })
      .where('id', '=', buyerId),
  );
  await deleteSessionsOf(tx, buyerId);
  await deletePushesOf(tx, buyerId);
  await deleteCalendarLinkOf(tx, buyerId);
  await forgetBuyerActs(tx, buyerId);
  await defer(tx, tx.deleteFrom('password_resets').where('buyer_id', '=', buyerId));
  await defer(tx, tx.deleteFrom('email_confirmations').where('buyer_id', '=', buyerId));
}

export const BUYER_PRUNINGS: readonly Pruning[] = [
  pruning(
    'password codes',
    (rowsAtOnce) => sql`
      delete from password_resets where ctid = any (array(
        select ctid from password_resets where expires_at < app_now() limit ${rowsAtOnce}))`,
  ),
  pruning(
    'email codes',
    (rowsAtOnce) => sql`
      delete from email_confirmations where ctid = any (array(
        select ctid from email_confirmations where expires_at < app_now() limit ${rowsAtOnce}))`,
  ),
];
