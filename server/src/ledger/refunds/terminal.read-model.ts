import { type RawBuilder, sql } from 'kysely';

/**
 * The last four digits of the card to which a shop gives a refund back on its own terminal, by the aliases of the refund and its
 * receipt: of what the terminal took, while it is owed; once it is done, of what went back so. Null of all else.
 */
export function terminalLast4(refund: string, receipt: string): RawBuilder<string | null> {
  const of = (column: string) => sql.ref(`${refund}.${column}`);
  return sql<string | null>`case when ${of('method')} = 'cash' and (${of('state')} <> 'done' or exists (
      select from counter_refunds where refund_id = ${of('id')} and tries = ${of('tries')} and method = 'terminal'))
    then ${takenLast4(receipt)} end`;
}

/** The last four digits of the card that a shop's own terminal took for a receipt, by its alias; null of all other money. */
export function takenLast4(receipt: string): RawBuilder<string | null> {
  return sql<string | null>`(select terminal_last4 from counter_operations
    where ${sql.ref(`${receipt}.channel`)} = 'till' and till_operation_id::text = ${sql.ref(`${receipt}.source_id`)})`;
}
