import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { type Pruning, pruning } from '../../platform/db/pruning.ts';
import { defer } from '../../platform/db/transaction.ts';

const NOTHING_OF_THE_HELPER = {
  source_ip_prefix: '',
  payer_name: sql<string | null>`case when help_link_id is not null then '···' end`,
  payer_email: null,
};

/** Forgets who took a number to a store to help a buyer. Amounts and Tapi's numbers stay. */
export async function forgetBuyerStoreHelpers(tx: Tx, buyerId: number): Promise<void> {
  const theirs = sql<boolean>`help_link_id in (select id from help_links where buyer_id = ${buyerId})`;
  await defer(tx, tx.updateTable('cash_references').set(NOTHING_OF_THE_HELPER).where(theirs));
}

/** The same of these numbers. */
export async function forgetHelperNumbers(tx: Tx, ids: readonly string[]): Promise<void> {
  await defer(
    tx,
    tx
      .updateTable('cash_references')
      .set(NOTHING_OF_THE_HELPER)
      .where('id', 'in', ids)
      .where('help_link_id', 'is not', null),
  );
}

export const NUMBER_PRUNINGS: readonly Pruning[] = [
  // As long as of helpers by card.
  pruning(
    'store helpers’ addresses',
    (rowsAtOnce) => sql`
      update cash_references set payer_email = null where ctid = any (array(
        select ctid from cash_references
        where payer_email is not null and created_at < app_now() - interval '400 days'
        limit ${rowsAtOnce}))`,
  ),
  // The limits count the last hour.
  pruning(
    'from where store helpers asked',
    (rowsAtOnce) => sql`
      update cash_references set source_ip_prefix = '' where ctid = any (array(
        select ctid from cash_references
        where source_ip_prefix <> '' and created_at < app_now() - interval '2 days'
        limit ${rowsAtOnce}))`,
  ),
];
