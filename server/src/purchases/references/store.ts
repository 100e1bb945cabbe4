import { type RawBuilder, sql } from 'kysely';

/** A number that a buyer pays by: an id of `newReferenceIds` behind its prefix, which is the number of an instalment. */
export interface NewReference {
  readonly id: number;
  readonly prefix: string;
}

/** The insert of payment references, to be sent alone or inside the `with` of what they stand for. */
export function referenceInsert(
  kind: 'layaway' | 'instalment',
  references: readonly NewReference[],
): RawBuilder<unknown> {
  const [ids, prefixes] = [references.map(({ id }) => id), references.map(({ prefix }) => prefix)];
  return sql`
    insert into payment_references (id, kind, prefix)
    select id, ${kind}::text, prefix from unnest(${ids}::bigint[], ${prefixes}::text[]) as reference (id, prefix)`;
}
