import { Kysely, type Transaction } from 'kysely';
import pg from 'pg';
import { type OnStatement, postgresDialect } from './driver.ts';
import { openPool } from './pool.ts';
import type { Database } from './tables.ts';

/** The pool: for reads of one statement. Whatever writes takes a `Tx`. */
export type Db = Kysely<Database>;
/** An open transaction (`transaction.ts`). Stores that write ask for this type, so that a pool does not compile. */
export type Tx = Transaction<Database>;

const INT8 = 20;
const DATE = 1082;

// Amounts and ids are far below 2^53. An unsafe value must fail rather than round.
pg.types.setTypeParser(INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 beyond a safe integer: ${text}`);
  return value;
});
// A due date has no hour and no zone: it stays 'YYYY-MM-DD'.
pg.types.setTypeParser(DATE, (text) => text);

const LONGEST_MS = 10_000;
/** How long past the statement timeout a silent server is taken for gone. */
const SILENCE_AFTER_MS = 5_000;

/** Connections of a pool: all, idle ones, and how much work waits for one. */
export type PoolCounts = () => { readonly all: number; readonly idle: number; readonly waiting: number };

/** As whom statements run (docs/security.md): the server; an operator's command, which may write more; the login itself, in tests. */
export type DbRole = 'aparta_app' | 'aparta_operator' | 'none';

export interface DbOptions {
  /** One server, or a primary and its standbys (`pool.ts`). */
  url: string;
  /** `aparta_app` when absent. The login of `url` must be in it. */
  role?: DbRole;
  /** Most connections at once. */
  max?: number;
  /** How long a statement may take, in ms. 10 s when absent. */
  longestMs?: number;
  /** Moves `app_now()`, e.g. '-40 days', for a login that owns the schema. Demo data only. */
  clockOffset?: string;
  onError?: (error: Error) => void;
  onStatement?: OnStatement;
  /** Given what tells the pool's counts. */
  onPool?: (counts: PoolCounts) => void;
}

/** Opens a pool: a role of its own, bounded waits (rules/ledger#transactions). Close it with `db.destroy()`. */
export function openDb({ longestMs = LONGEST_MS, ...options }: DbOptions): Db {
  const settings = [
    `role=${options.role ?? 'aparta_app'}`,
    'lock_timeout=3s',
    `statement_timeout=${longestMs}ms`,
    'idle_in_transaction_session_timeout=15s',
    // Until PostgreSQL 17 a plan that reads a whole table although it should not (batch.ts) costs so much on paper that it is compiled,
    // which takes 50 to 70 ms.
    'jit=off',
    ...(options.clockOffset === undefined
      ? []
      : [`aparta.clock_offset=${options.clockOffset.replaceAll(' ', '\\ ')}`]),
  ];
  const max = options.max ?? 10;
  const pool = openPool({
    url: options.url,
    max,
    settings,
    silenceMs: longestMs + SILENCE_AFTER_MS,
    onError: options.onError,
  });
  options.onPool?.(() => ({ all: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }));
  return new Kysely<Database>({ dialect: postgresDialect(pool, options.onStatement) });
}
