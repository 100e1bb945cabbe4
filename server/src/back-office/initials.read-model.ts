import { type RawBuilder, sql } from 'kysely';

/** The initials of the buyer with that id: what a list that is handed on says of them. */
export function initialsOf(buyerId: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`(select string_agg(upper(left(word, 1)), '' order by nth)
    from buyers b, regexp_split_to_table(b.name, '\\s+') with ordinality as words (word, nth) where b.id = ${buyerId})`;
}
