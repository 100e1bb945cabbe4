import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { type Pruning, pruning } from '../../platform/db/pruning.ts';
import { defer } from '../../platform/db/transaction.ts';

/** What is forgotten of who paid: card, place, and the name and address of a helper. */
const NOTHING_OF_THE_PAYER = {
  source_address: '',
  source_ip_prefix: '',
  request_id: '',
  card_last4: null,
  card_brand: null,
  card_fingerprint: null,
  three_ds_url: null,
  payer_name: sql<string | null>`case when help_link_id is not null then '···' end`,
  payer_email: null,
};

/** Forgets a buyer's cards and from where they paid. Amounts and the provider's ids stay. */
export async function forgetBuyerCards(tx: Tx, buyerId: number): Promise<void> {
  await defer(tx, tx.updateTable('card_attempts').set(NOTHING_OF_THE_PAYER).where('buyer_id', '=', buyerId));
}

/** Forgets who gave these by help links. Amounts and the provider's ids stay. */
export async function forgetHelperCards(tx: Tx, attemptIds: readonly string[]): Promise<void> {
  await defer(tx, tx.updateTable('card_attempts').set(NOTHING_OF_THE_PAYER).where('id', 'in', attemptIds));
}

export const CARD_PRUNINGS: readonly Pruning[] = [
  // Where the bank's window was and from where the buyer paid: of use while a payment is disputed, not after.
  pruning(
    'payments’ addresses',
    (rowsAtOnce) => sql`
      update card_attempts set three_ds_url = null, source_address = '', source_ip_prefix = '' where ctid = any (array(
        select ctid from card_attempts
        where state not in ('submitting', 'pending_3ds', 'unknown', 'held') and created_at < app_now() - interval '180 days'
          and (three_ds_url is not null or source_address <> '')
        limit ${rowsAtOnce}))`,
  ),
  // A plan that they helped to pay may still end, and their money go back; the buyer keeps their name.
  pruning(
    'helpers’ addresses',
    (rowsAtOnce) => sql`
      update card_attempts set payer_email = null where ctid = any (array(
        select ctid from card_attempts
        where payer_email is not null and state not in ('submitting', 'pending_3ds', 'unknown', 'held')
          and created_at < app_now() - interval '400 days'
        limit ${rowsAtOnce}))`,
  ),
  // The limits count the last hour.
  pruning(
    'card fingerprints',
    (rowsAtOnce) => sql`
      update card_attempts set card_fingerprint = null where ctid = any (array(
        select ctid from card_attempts
        where card_fingerprint is not null and created_at < app_now() - interval '2 days'
        limit ${rowsAtOnce}))`,
  ),
];
