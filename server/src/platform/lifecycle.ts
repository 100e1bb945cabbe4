import { type RawBuilder, sql } from 'kysely';
import type { Tx } from './db/db.ts';
import { defer } from './db/transaction.ts';

/**
 * A thing with a life: one column holds its state, one table says where each event leads from each state. A move that the
 * table does not list is not made, and nothing but this file writes the column.
 */
export interface Lifecycle<State extends string, Event extends string> {
  /** Its name in the state history, in the singular. */
  readonly subject: string;
  readonly table: string;
  /** The key column. */
  readonly id: string;
  readonly column: string;
  /** The column that holds since when a row has been in its state. A move back to the same state does not touch it. */
  readonly since?: string;
  /** Whether each move is kept in the state history. */
  readonly hasHistory: boolean;
  /** The column whose text the history keeps with a move: a provider's code, an operator's reason. */
  readonly detail?: string;
  /** The state in which a row is usually born; the history keeps a birth in any other. */
  readonly initial: State;
  /** Where an event may lead from a state. Of several, the caller chooses one with `to`. */
  readonly moves: { readonly [S in State]: { readonly [E in Event]?: State | readonly State[] } };
}

/** One move, of one row or of all that a condition names. */
export interface Move<State extends string, Event extends string> {
  readonly event: Event;
  /** Which rows. Those whose state does not list the event stay as they are. */
  readonly where: RawBuilder<unknown>;
  /** Required where the event may lead to several states. */
  readonly to?: State;
  /** Other columns that change with the state. */
  readonly set?: Readonly<Record<string, unknown>>;
}

/** The moves that an event makes, `to` a certain state where it is given. Throws where an event has several targets and no `to`. */
export function sourcesOf<State extends string, Event extends string>(
  { moves }: Pick<Lifecycle<State, Event>, 'moves'>,
  event: Event,
  to?: State,
): { readonly from: State; readonly to: State }[] {
  return (Object.keys(moves) as State[]).flatMap((from) => {
    const listed = moves[from][event];
    if (listed === undefined) return [];
    const targets = (Array.isArray(listed) ? listed : [listed]) as readonly State[];
    if (to !== undefined) return targets.includes(to) ? [{ from, to }] : [];
    const [only, ...others] = targets;
    if (only === undefined || others.length > 0)
      throw new Error(`${event} of ${from} leads to several states`);
    return [{ from, to: only }];
  });
}

/**
 * Moves rows along their table and writes the history, in one statement. Resolves with the ids of the rows that moved: none
 * when no row was in a state that lists the event. Throws when no state lists it.
 */
export async function moveState<State extends string, Event extends string>(
  tx: Tx,
  lifecycle: Lifecycle<State, Event>,
  move: Move<State, Event>,
): Promise<string[]> {
  const { rows } = await movement(lifecycle, move).execute(tx);
  return rows.map(({ id }) => id);
}

/** {@link moveState} as a deferred write, for a caller that need not know whether anything moved. */
export async function deferMove<State extends string, Event extends string>(
  tx: Tx,
  lifecycle: Lifecycle<State, Event>,
  move: Move<State, Event>,
): Promise<void> {
  await defer(tx, movement(lifecycle, move));
}

/** Writes a birth to the history, unless it was in the usual state. A deferred write. */
export async function recordBirth<State extends string>(
  tx: Tx,
  lifecycle: Pick<Lifecycle<State, never>, 'subject' | 'initial'>,
  { id, state, detail = '' }: { readonly id: string; readonly state: State; readonly detail?: string },
): Promise<void> {
  if (state === lifecycle.initial) return;
  await defer(
    tx,
    sql`insert into state_history (subject_kind, subject_id, from_state, to_state, detail)
      values (${lifecycle.subject}, ${id}, null, ${state}, ${detail})`,
  );
}

/** The statement of {@link moveState}, for those that are built once. */
export function movement<State extends string, Event extends string>(
  lifecycle: Lifecycle<State, Event>,
  { event, where, to, set = {} }: Move<State, Event>,
): RawBuilder<{ id: string }> {
  const sources = sourcesOf(lifecycle, event, to);
  if (sources.length === 0)
    throw new Error(`no ${lifecycle.subject} moves by ${event} to ${to ?? 'anything'}`);
  const [table, id, column] = [sql.table(lifecycle.table), sql.ref(lifecycle.id), sql.ref(lifecycle.column)];
  const next = sql`case ${column} ${sql.join(
    sources.map((one) => sql`when ${one.from} then ${one.to}`),
    sql` `,
  )} end`;
  const changes = Object.entries(set).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  if (lifecycle.since !== undefined) {
    const since = sql.ref(lifecycle.since);
    changes.push(
      sql`${since} = case when before.next = before.state then moving.${since} else app_now() end`,
    );
  }
  const detail =
    lifecycle.detail === undefined ? sql`''` : sql`coalesce(moving.${sql.ref(lifecycle.detail)}, '')`;
  const moved = sql`
    with before as (
      select ${id} as id, ${column} as state, ${next} as next from ${table}
      where (${where}) and ${column} in (${sql.join(sources.map(({ from }) => from))}) for no key update
    ), moved as (
      update ${table} as moving set ${sql.join([sql`${column} = before.next`, ...changes])}
      from before where moving.${id} = before.id
      returning moving.${id}::text as id, before.state as from_state, moving.${column} as to_state, ${detail} as detail
    )`;
  if (!lifecycle.hasHistory) return sql<{ id: string }>`${moved} select id from moved`;
  return sql<{ id: string }>`${moved}, remembered as (
      insert into state_history (subject_kind, subject_id, from_state, to_state, detail)
      select ${lifecycle.subject}, id, from_state, to_state, detail from moved where from_state <> to_state
    ) select id from moved`;
}
