import { type RawBuilder, sql } from 'kysely';
import { rowsAs } from '../../platform/db/rows.ts';

/** A number that a buyer pays by, to be printed as prefix and id (rules/layaways#payment-references). */
export interface NewReference {
  readonly id: number;
  readonly prefix: string;
}

/** The insert of payment references: a statement of its own, or a part of the one that inserts what they pay. */
export function referenceInsert(
  kind: 'layaway' | 'instalment',
  references: readonly NewReference[],
): RawBuilder<unknown> {
  return sql`
    insert into payment_references (id, kind, prefix)
    select id, ${kind}::text, prefix from ${rowsAs('reference', { id: 'bigint', prefix: 'text' }, references)}`;
}
