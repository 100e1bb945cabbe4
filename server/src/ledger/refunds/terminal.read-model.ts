import { type RawBuilder, sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';

/**
 * The last four digits of the card to which a shop gives a refund back on its own terminal, by the aliases of the refund and its
 * receipt: of what the terminal took, while it is owed; once it is done, of what went back so. Null of all else.
 */
export function terminalLast4(refund: string, receipt: string): RawBuilder<string | null> {
  const of = (column: string) => sql.ref(`${refund}.${column}`);
  return sql<
    string | null
  >`case when ${of('method')} = 'cash' and (${of('state')} <> 'done' or ${of('paid_on_terminal')} or exists (
      select from counter_refunds where refund_id = ${of('id')} and tries = ${of('tries')} and method = 'terminal'))
    then ${takenLast4(receipt)} end`;
}

/** The last four digits of the card of a shop's own terminal that took what a refund gives back; undefined of all other money. */
export async function findTakenLast4(tx: Tx, refundId: number): Promise<string | undefined> {
  const { rows } = await sql<{ last4: string | null }>`
    select ${takenLast4('r')} as last4 from refunds f join receipts r on r.id = f.receipt_id where f.id = ${refundId}`.execute(
    tx,
  );
  return rows[0]?.last4 ?? undefined;
}

/** The last four digits of the card that a shop's own terminal took for a receipt, by its alias; null of all other money. */
export function takenLast4(receipt: string): RawBuilder<string | null> {
  return sql<string | null>`(select terminal_last4 from counter_operations
    where ${sql.ref(`${receipt}.channel`)} = 'till' and till_operation_id::text = ${sql.ref(`${receipt}.source_id`)})`;
}
