import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Database } from './tables.ts';

/** The pool: for reads of one statement. Whatever writes takes a `Tx`. */
export type Db = Kysely<Database>;
/** An open transaction (`transaction.ts`). Stores that write ask for this type, so that a pool does not compile. */
export type Tx = Transaction<Database>;

const INT8 = 20;
const DATE = 1082;

// Amounts and ids are far below 2^53; a value that is not safe must stop, not round.
pg.types.setTypeParser(INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 beyond a safe integer: ${text}`);
  return value;
});
// A due date has no hour and no zone: it stays 'YYYY-MM-DD'.
pg.types.setTypeParser(DATE, (text) => text);

const names = new Map<string, string>();

/** Names each parameterised statement, so that PostgreSQL plans it once per connection (it doubles throughput of joined reads). */
class NamingClient extends pg.Client {
  // biome-ignore lint: pg's overloads cannot be restated; the cast below keeps them
  override query = ((...args: unknown[]) => {
    const [text, values, ...rest] = args;
    const query = pg.Client.prototype.query as (...all: unknown[]) => unknown;
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
      return query.apply(this, args);
    let name = names.get(text);
    if (name === undefined) {
      name = createHash('sha256').update(text).digest('hex').slice(0, 32);
      // Bounded: texts with a varying number of parameters must not fill the memory.
      if (names.size < 2_000) names.set(text, name);
    }
    return query.call(this, { name, text, values }, ...rest);
  }) as pg.Client['query'];
}

export interface DbOptions {
  url: string;
  /** Most connections at once. */
  max?: number;
  /** Moves `app_now()`, e.g. '-40 days'. Demo data only. */
  clockOffset?: string;
  onError?: (error: Error) => void;
}

/** Opens the application's pool: its own role, bounded waits (payments.md §3.2). Close it with `db.destroy()`. */
export function openDb(options: DbOptions): Db {
  const settings = [
    'role=aparta_app',
    'lock_timeout=3s',
    'statement_timeout=10s',
    'idle_in_transaction_session_timeout=15s',
    ...(options.clockOffset === undefined
      ? []
      : [`aparta.clock_offset=${options.clockOffset.replaceAll(' ', '\\ ')}`]),
  ];
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max ?? 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    Client: NamingClient,
  });
  // Without listeners an administrator's restart of the database would end the process.
  const onError = options.onError ?? (() => {});
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
