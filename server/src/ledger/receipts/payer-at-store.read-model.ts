import { type RawBuilder, sql } from 'kysely';

/** Who paid a receipt to help its buyer, by card or at a store, by the receipt's alias; null for all other money. */
export function payerOf(receipt: string): RawBuilder<string | null> {
  return sql<
    string | null
  >`coalesce((select payer_name from card_attempts where id = case when ${sql.ref(`${receipt}.channel`)} = 'card'
    then ${sql.ref(`${receipt}.source_id`)}::uuid end), ${payerAtStore(receipt)})`;
}

/** Who paid a receipt at a store to help its buyer, by the receipt's alias; null for all other money. */
export function payerAtStore(
  receipt: string,
  what: 'payer_name' | 'payer_email' = 'payer_name',
): RawBuilder<string | null> {
  return sql<
    string | null
  >`(select ${sql.ref(`h.${what}`)} from cash_notices s join cash_references h on h.id = s.cash_reference_id
    where ${sql.ref(`${receipt}.channel`)} = 'cash' and s.provider = 'tapi' and s.operation_id = ${sql.ref(`${receipt}.source_id`)})`;
}
