import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Tx } from './db/db.ts';
import { defer } from './db/transaction.ts';

/**
 * A thing that has a life: one column says where it stands, one table says what each event makes of each state. Whatever the
 * table does not list is refused, and `moveState` is the only writer of the column.
 */
export interface Lifecycle<State extends string, Event extends string> {
  /** Its name in the state history, in the singular. */
  readonly subject: string;
  readonly table: string;
  /** The column that names a row. */
  readonly id: string;
  readonly column: string;
  /** The column that holds since when it is in its state, if there is one. */
  readonly since?: string;
  /** Whether each move is kept in the state history. */
  readonly hasHistory: boolean;
  /** The column whose words the history keeps beside a move: the provider's code, an operator's reason. */
  readonly detail?: string;
  /** The state in which a row is born; a birth in any other is kept in the history. */
  readonly initial: State;
  /** Where an event may lead from a state. Several: the caller's rule decides, and says `to`. */
  readonly moves: { readonly [S in State]: { readonly [E in Event]?: State | readonly State[] } };
}

/** One move, of one row or of all that a condition names. */
export interface Move<State extends string, Event extends string> {
  readonly event: Event;
  /** Which rows. Those whose state does not know the event stay as they are. */
  readonly where: RawBuilder<unknown>;
  /** Required where the event may lead to several states. */
  readonly to?: State;
  /** Other columns that change with the state. */
  readonly set?: Readonly<Record<string, unknown>>;
}

/** The states from which an event leads somewhere, with where. `to` narrows what it may lead to. */
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
 * Moves rows along their table, and writes the history. Resolves with the ids that moved; none when no row was in a state that
 * knows the event. Throws when the table has no such move at all.
 */
export async function moveState<State extends string, Event extends string>(
  tx: Tx,
  lifecycle: Lifecycle<State, Event>,
  move: Move<State, Event>,
): Promise<string[]> {
  const { rows } = await tx.executeQuery(movement(tx, lifecycle, move));
  return rows.map(({ id }) => id);
}

/** The same as a deferred write, for a caller whose lock already says that it will move, or that does not ask. */
export async function deferMove<State extends string, Event extends string>(
  tx: Tx,
  lifecycle: Lifecycle<State, Event>,
  move: Move<State, Event>,
): Promise<void> {
  await defer(tx, movement(tx, lifecycle, move));
}

/** Keeps the birth of a row in the history, where it was not born in the ordinary state. */
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

function movement<State extends string, Event extends string>(
  tx: Tx,
  lifecycle: Lifecycle<State, Event>,
  { event, where, to, set = {} }: Move<State, Event>,
): CompiledQuery<{ id: string }> {
  const sources = sourcesOf(lifecycle, event, to);
  if (sources.length === 0)
    throw new Error(`no ${lifecycle.subject} moves by ${event} to ${to ?? 'anything'}`);
  const [table, id, column] = [sql.table(lifecycle.table), sql.ref(lifecycle.id), sql.ref(lifecycle.column)];
  const next = sql`case before.state ${sql.join(
    sources.map((one) => sql`when ${one.from} then ${one.to}`),
    sql` `,
  )} end`;
  const changes = Object.entries(set).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  if (lifecycle.since !== undefined) changes.push(sql`${sql.ref(lifecycle.since)} = app_now()`);
  const moved = sql`
    with before as (
      select ${id} as id, ${column} as state from ${table}
      where (${where}) and ${column} in (${sql.join(sources.map(({ from }) => from))}) for no key update
    ), moved as (
      update ${table} as moving set ${sql.join([sql`${column} = ${next}`, ...changes])}
      from before where moving.${id} = before.id
      returning moving.${id}::text as id, before.state as from_state, moving.${column} as to_state,
        ${lifecycle.detail === undefined ? sql`''` : sql`coalesce(moving.${sql.ref(lifecycle.detail)}, '')`} as detail
    )`;
  if (!lifecycle.hasHistory) return sql<{ id: string }>`${moved} select id from moved`.compile(tx);
  return sql<{ id: string }>`${moved}, remembered as (
      insert into state_history (subject_kind, subject_id, from_state, to_state, detail)
      select ${lifecycle.subject}, id, from_state, to_state, detail from moved where from_state <> to_state
    ) select id from moved`.compile(tx);
}
