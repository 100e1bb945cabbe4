import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { committed } from './after-commit.ts';
import type { Db, Tx } from './db.ts';
import { markDeferred } from './driver.ts';
import { isDatabaseAway, isDatabaseCrowded, isUncertain } from './outage.ts';

const TRIES = 3;

/**
 * Runs `work` in one READ COMMITTED transaction; repeats the whole of it at most 3 times on a deadlock or a lock time-out, and
 * once when the connection went before the commit (rules/ledger#transactions). `work` must hold no network call and change
 * nothing outside the transaction.
 */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    let open: Tx | undefined;
    try {
      const value = await db.transaction().execute((tx) => work((open = tx)));
      committed(open);
      return value;
    } catch (error) {
      if (!mayRepeat(error, attempt)) throw error;
    }
  }
}

/** Whether a transaction that failed for so many times is worth another try, and harms nobody. */
export function mayRepeat(error: unknown, attempt: number): boolean {
  const isGone = attempt === 1 && isDatabaseAway(error) && !isUncertain(error);
  return isGone || (attempt < TRIES && isRepeatable(error));
}

/** A statement that took its whole time would take it again. */
function isRepeatable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== '57014' && isDatabaseCrowded(error);
}

/**
 * Sends statements of a transaction in one round trip and gives the rows of each. They run in this order, each with its own
 * snapshot, as if awaited one by one: what follows a lock reads what was committed before the lock was granted. When one
 * fails, those behind it do nothing, and its error is thrown.
 */
export async function pipeline<const S extends readonly CompiledQuery[]>(
  tx: Tx,
  ...statements: S
): Promise<{ -readonly [K in keyof S]: S[K] extends CompiledQuery<infer Row> ? Row[] : never }> {
  const results = await tx
    .getExecutor()
    .provideConnection((connection) =>
      Promise.all(statements.map((statement) => connection.executeQuery(statement))),
    );
  return results.map(({ rows }) => rows) as never;
}

/**
 * Defers a write whose result nobody reads: it is sent with the next awaited statement or the commit, in the order of
 * deferring, and its error is thrown there. Outside a transaction it is sent at once.
 */
export async function defer(
  tx: Tx | Db,
  write: Compilable | RawBuilder<unknown> | CompiledQuery,
): Promise<void> {
  await tx.executeQuery(markDeferred('compile' in write ? write.compile(tx) : write));
}

/** The name of the constraint that refused a write, or undefined for any other error. */
export function refusedBy(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined;
}

/** The database's time: the only clock of everything that is stored. */
export async function databaseNow(db: Db | Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select app_now() as now`.execute(db);
  const now = rows[0]?.now;
  if (now === undefined) throw new Error('the database gave no time');
  return now;
}
