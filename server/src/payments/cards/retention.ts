import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { type Pruning, pruning } from '../../platform/db/pruning.ts';
import { defer } from '../../platform/db/transaction.ts';

/** Forgets a buyer's cards and from where they paid. Amounts and the provider's ids stay. */
export async function forgetBuyerCards(tx: Tx, buyerId: number): Promise<void> {
  await defer(
    tx,
    tx
      .updateTable('card_attempts')
      .set({
        source_address: '',
        source_ip_prefix: '',
        request_id: '',
        card_last4: null,
        card_brand: null,
        card_fingerprint: null,
        three_ds_url: null,
        payer_name: sql`case when help_link_id is not null then '···' end`,
        payer_email: null,
      })
      .where('buyer_id', '=', buyerId),
  );
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
  // They were told what became of their money; the buyer keeps their name.
  pruning(
    'helpers’ addresses',
    (rowsAtOnce) => sql`
      update card_attempts set payer_email = null where ctid = any (array(
        select a.ctid from card_attempts a join purchases p on p.id = a.purchase_id
        where a.payer_email is not null and a.state not in ('submitting', 'pending_3ds', 'unknown', 'held')
          and a.created_at < app_now() - interval '180 days' and (p.state <> 'active' or p.paid_centavos = p.price_centavos)
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
