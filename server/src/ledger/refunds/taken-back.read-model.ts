import { type RawBuilder, sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';

/**
 * Whether the store network took a receipt's operation back and no person has booked that yet, by the receipt's alias: whoever
 * paid may have had their money at the store, so nothing of it is handed over meanwhile (rules/tills-and-cash#cash-reversals).
 */
export function takenBack(receipt: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${receipt}.channel`)} = 'cash' and exists (select from alerts
    where kind = 'cash_reversal_impossible' and resolved_at is null
      and coalesce(detail ->> 'reverses', subject) = ${sql.ref(`${receipt}.source_id`)}))`;
}

/** The same of a refund, whose lock the caller holds: so does who raises the alert. */
export async function isTakenBack(db: Db | Tx, refundId: number): Promise<boolean> {
  const { rows } = await sql`
    select from refunds f join receipts r on r.id = f.receipt_id where f.id = ${refundId} and ${takenBack('r')}`.execute(
    db,
  );
  return rows.length > 0;
}
