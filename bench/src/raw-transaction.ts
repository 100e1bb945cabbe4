import pg from 'pg';

/** A statement as the driver sent it, and the rows that came back. */
export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Where a value of a statement comes from when the statement is sent again. */
export type Value =
  | { readonly from: 'constant'; readonly value: unknown }
  /** The work's own input: what it is done to, and which of the clients does it. */
  | { readonly from: 'input'; readonly name: Input }
  /** A column of the one row that an earlier statement of the same transaction gave. */
  | { readonly from: 'answer'; readonly statement: number; readonly column: string }
  /** Made by the program (an id, a folio): the `nth` of the transaction, unlike any other. */
  | { readonly from: 'program'; readonly nth: number }
  /** An array, each of whose elements comes from somewhere. */
  | { readonly from: 'list'; readonly items: readonly Value[] };

export type Input = 'reference' | 'slot';

export interface RawStatement {
  readonly text: string;
  readonly values: readonly Value[];
}

/** Everything that the driver sends while `work` runs; nothing else may use the database meanwhile. */
export async function record(work: () => Promise<unknown>): Promise<Sent[]> {
  const sent: (Omit<Sent, 'rows'> & { rows: Sent['rows'] })[] = [];
  // Under the application's own client, so that what is recorded is what production sends.
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function recorded(this: pg.Client, ...given: unknown[]) {
    // The pool's clients always give a callback.
    const answered = given.pop() as (
      error: unknown,
      result?: pg.QueryResult<Record<string, unknown>>,
    ) => void;
    const [asked, values] = given as [string | { text: string; values?: unknown[] }, unknown[] | undefined];
    const { text, values: own } = typeof asked === 'string' ? { text: asked, values } : asked;
    const statement = { text, values: own ?? [], rows: [] as Sent['rows'] };
    sent.push(statement);
    (query as (...all: unknown[]) => unknown).call(
      this,
      ...given,
      (...answer: Parameters<typeof answered>) => {
        statement.rows = answer[1]?.rows ?? [];
        answered(...answer);
      },
    );
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return sent;
}

/**
 * The statements of a piece of work, from two recordings of it with different inputs: what is the same in both is constant,
 * the rest is an input, an earlier answer, or made by the program. Throws when the two did not send the same statements.
 */
export function generalise(
  [one, other]: readonly [readonly Sent[], readonly Sent[]],
  inputs: Readonly<Record<Input, readonly [unknown, unknown]>>,
): RawStatement[] {
  if (one.length !== other.length) throw new Error('the two recordings differ in their statements');
  const made = new Map<string, number>();
  return one.map(({ text, values }, index) => {
    if (text !== other[index]?.text) throw new Error(`the two recordings differ in: ${text}`);
    return {
      text,
      values: values.map((value, place) => sourceOf(value, other[index]?.values[place], index)),
    };
  });

  function sourceOf(value: unknown, twin: unknown, index: number): Value {
    if (asText(value) === asText(twin) || isDocument(value)) return { from: 'constant', value };
    if (Array.isArray(value) && Array.isArray(twin) && value.length === twin.length)
      return { from: 'list', items: value.map((item, at) => sourceOf(item, twin[at], index)) };
    const matches = (pair: readonly [unknown, unknown]) =>
      asText(pair[0]) === asText(value) && asText(pair[1]) === asText(twin);
    const input = (['reference', 'slot'] as const).find((name) => matches(inputs[name]));
    if (input) return { from: 'input', name: input };
    // From the nearest, since counters of young tables often show the same number.
    for (let statement = index - 1; statement >= 0; statement -= 1) {
      const [row] = one[statement]?.rows ?? [];
      const [rowOfTwin] = other[statement]?.rows ?? [];
      const column = Object.keys(row ?? {}).find((name) => matches([row?.[name], rowOfTwin?.[name]]));
      if (column !== undefined) return { from: 'answer', statement, column };
    }
    const key = `${asText(value)} ${asText(twin)}`;
    const nth = made.get(key) ?? made.size;
    made.set(key, nth);
    return { from: 'program', nth };
  }
}

/** Of the `n`-th transaction, counted over all clients and runs. */
export const FIRST_REFERENCE = 1_000_000_000;
/** The program's numbers are apart from the references, and each transaction has so many of its own. */
export const FIRST_MADE = 2_000_000_000;
export const MADE_EACH = 40;

/** A run of recorded statements: so many clients, each with a connection, do `perClient` transactions one after the other. */
export interface RawRun {
  readonly url: string;
  /** Settings of each connection, as libpq's `options`. */
  readonly options: string;
  readonly statements: readonly RawStatement[];
  /** {@link typesOf} the statements. */
  readonly types: readonly (readonly string[])[];
  readonly clients: number;
  readonly perClient: number;
  /** The number of the run's first transaction. */
  readonly from: number;
}

/** A moment or a JSON text: any will do, so the recorded one is sent again. */
function isDocument(value: unknown): boolean {
  return value instanceof Date || (typeof value === 'string' && /^[{[]/.test(value));
}

/** The type of an array's elements: `bigint` of `bigint[]`. */
export function elementOf(type: string): string {
  return type.replace(/\[\]$/, '');
}

/** A value as PostgreSQL reads it. */
export function asText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (Array.isArray(value))
    return `{${value.map((item) => (item === null ? 'NULL' : JSON.stringify(asText(item)))).join(',')}}`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The types of each statement's values, as PostgreSQL understands them. */
export async function typesOf(url: string, statements: readonly RawStatement[]): Promise<string[][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const types: string[][] = [];
    for (const [place, { text, values }] of statements.entries()) {
      if (values.length > 0) await client.query(`prepare s${place} as ${text}`);
      const { rows } = await client.query<{ types: string[] }>(
        'select parameter_types::text[] as types from pg_prepared_statements where name = $1',
        [`s${place}`],
      );
      types.push(rows[0]?.types ?? []);
    }
    return types;
  } finally {
    await client.end();
  }
}
