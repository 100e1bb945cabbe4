import type { Centavos } from '@aparta/domain/money';
import { type RawBuilder, sql } from 'kysely';

/** The service fee in a receipt, by the receipt's alias; nothing is left of it once the receipt was reversed. */
export function serviceFeeIn(receipt: string): RawBuilder<Centavos> {
  return sql<Centavos>`coalesce((select sum(amount_centavos) from allocations
    where receipt_id = ${sql.ref(`${receipt}.id`)} and target = 'service_fee'), 0)::bigint`;
}

/** The service fee that came in a receipt, whatever became of the receipt since. */
export function serviceFeeCameIn(receipt: string): RawBuilder<Centavos> {
  return sql<Centavos>`coalesce((select sum(amount_centavos) from allocations
    where receipt_id = ${sql.ref(`${receipt}.id`)} and target = 'service_fee' and reverses_id is null), 0)::bigint`;
}
