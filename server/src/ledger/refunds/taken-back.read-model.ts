import { type RawBuilder, sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';

/**
 * Whether whoever paid a receipt may have had their money another way and no person has booked that yet, by the receipt's alias:
 * the store network took its operation back (rules/tills-and-cash#cash-reversals), or the card provider says that it left, or
 * what cannot be (rules/refunds#cash-refunds). Nothing of it is handed over meanwhile.
 */
export function takenBack(receipt: string): RawBuilder<boolean> {
  const [channel, sourceId] = [sql.ref(`${receipt}.channel`), sql.ref(`${receipt}.source_id`)];
  return sql<boolean>`case ${channel}
    when 'cash' then exists (select from alerts where kind = 'cash_reversal_impossible' and resolved_at is null
      and coalesce(detail ->> 'reverses', subject) = ${sourceId})
    when 'card' then exists (select from alerts where kind = 'attempt_mismatch' and resolved_at is null
      and detail ->> 'observed' in ('reversed', 'declined', 'mismatch') and subject = ${sourceId})
    else false end`;
}

/** The same of a refund, whose lock the caller holds: so does who raises the alert. */
export async function isTakenBack(db: Db | Tx, refundId: number): Promise<boolean> {
  const { rows } = await sql`
    select from refunds f join receipts r on r.id = f.receipt_id where f.id = ${refundId} and ${takenBack('r')}`.execute(
    db,
  );
  return rows.length > 0;
}

/** The same of any payment that a purchase counts, whose lock the caller holds: its goods wait too. */
export async function isAnyTakenBack(tx: Tx, purchaseId: number): Promise<boolean> {
  const { rows } = await sql`
    select from instalments i join allocations a on a.instalment_id = i.id join receipts r on r.id = a.receipt_id
    where i.purchase_id = ${purchaseId} and r.withdrawn_centavos = 0 and ${takenBack('r')} limit 1`.execute(
    tx,
  );
  return rows.length > 0;
}
