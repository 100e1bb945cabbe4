import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { HELD, type Locking } from './batch.ts';
import { builtOnce, columnOf, StandIn } from './built-once.ts';
import type { Tx } from './db.ts';

/**
 * Rows as a table of a statement, `unnest(…) as name (columns)`, whose text is the same however many they are: so it is
 * planned once. Columns get their PostgreSQL types from `types`, and are the rows' fields; what is undefined is null.
 */
export function rowsAs<R extends object>(
  name: string,
  types: { readonly [column in keyof R & string]?: string },
  rows: readonly R[],
): RawBuilder<unknown> {
  const columns = Object.keys(types) as (keyof R & string)[];
  const valuesOf = (column: string) =>
    rows instanceof StandIn ? rows.ofColumn(column) : columnOf(rows, column);
  const arrays = columns.map((column) => sql`${valuesOf(column)}::${sql.raw(`${types[column]}[]`)}`);
  // As text: to parse each name costs more than all else here.
  const named = `${quoted(name)} (${columns.map(quoted).join(', ')})`;
  return sql`unnest(${sql.join(arrays)}) as ${sql.raw(named)}`;
}

/** A name of our own, which has no quotes. */
const quoted = (name: string) => `"${name}"`;

/** Locks rows by their ids, in the ids' order. */
export function lockRows<I extends number | string>(
  tx: Tx,
  table: string,
  ids: readonly I[],
  locking: Locking,
): CompiledQuery<{ id: I }> {
  return locked(tx, { ids }, { table, locking }) as CompiledQuery<{ id: I }>;
}

const locked = builtOnce(
  (_, { ids }: { ids: readonly unknown[] }, { table, locking }: { table: string; locking: Locking }) => sql<{
    id: unknown;
  }>`select id from ${sql.table(table)} where id = any(${ids}) order by id for no key update
    ${locking === 'skip' ? sql`skip locked` : sql``}`,
);

/** Rows in the order of their ids; undefined where there is none, {@link HELD} where it is not among those that were locked. */
export function inOrder<I, R extends { readonly id: I }>(
  ids: readonly I[],
  rows: readonly R[],
  locked: readonly { readonly id: I }[],
): (R | typeof HELD | undefined)[] {
  const found = new Map(rows.map((row) => [row.id, row]));
  const mine = new Set(locked.map(({ id }) => id));
  return ids.map((id) => (found.has(id) && !mine.has(id) ? HELD : found.get(id)));
}
