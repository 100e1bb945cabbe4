import pg from 'pg';

/** A connection that broke (08), a server that stops, starts or has no room (57P, 53), a standby, a session that was ended. */
const AWAY = /^(?:08|53|57P|25006|25P03|25P04)/;
/** Deadlock, serialization, lock time-out, statement time-out: the database is there and somebody else was first. */
const CROWDED = new Set(['40P01', '40001', '55P03', '57014']);
/** What PostgreSQL's driver says of a connection that is gone. */
const GONE = /connection terminated|connection error|not queryable|read timeout|connection ended/i;

const lost = new WeakSet<Error>();
const uncertain = new WeakSet<Error>();
const statements = new WeakMap<Error, string>();

/** Whether the database was not there, or takes nothing now. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return AWAY.test(error.code ?? '');
  return error instanceof Error && lost.has(error);
}

/** Whether others held what the work needed for too long, such as a lock. Nothing of it was done. */
export function isDatabaseCrowded(error: unknown): boolean {
  return error instanceof pg.DatabaseError && CROWDED.has(error.code ?? '');
}

/** Whether the database went away while it was committing: nobody knows whether it did. */
export function isUncertain(error: unknown): boolean {
  return error instanceof Error && uncertain.has(error);
}

/** Remembers an error of connecting, which is always an outage, or of a statement, which is one if the connection went with it. */
export function noteLost(error: unknown, during: 'connecting' | 'statement' | 'commit'): void {
  if (!(error instanceof Error)) return;
  const { code } = error as NodeJS.ErrnoException;
  const isOurs = error instanceof pg.DatabaseError;
  if (!isOurs && (during === 'connecting' || GONE.test(error.message) || /^E[A-Z]+$/.test(code ?? '')))
    lost.add(error);
  if (during === 'commit' && isDatabaseAway(error)) uncertain.add(error);
}

/** Remembers the text of the statement that PostgreSQL refused. */
export function noteStatement(error: unknown, text: string): void {
  if (error instanceof pg.DatabaseError) statements.set(error, text);
}

/** The text of the statement that PostgreSQL refused, without its values. */
export const statementOf = (error: Error): string | undefined => statements.get(error);
