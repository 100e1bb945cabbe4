import pg from 'pg';
import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';

import { statementOf } from './db/outage.ts';

export type Log = Logger;

/** Enough to find a statement in the code; the whole of one may be 10,000 characters. */
const LONGEST_STATEMENT = 1_000;

/** A driver's message may quote what was sent ('invalid input syntax: "…"'); its codes and names never do. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  if (error instanceof pg.DatabaseError) {
    const { code, constraint, table, column, routine } = error;
    const statement = statementOf(error)?.replaceAll(/\s+/g, ' ').slice(0, LONGEST_STATEMENT);
    const stack = framesOf(error);
    return { type: 'DatabaseError', code, constraint, table, column, routine, statement, stack };
  }
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    stack: framesOf(error),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

function framesOf(error: Error): string {
  return stdSerializers
    .err(error)
    .stack.split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n');
}

/**
 * Structured logs on standard output, or on `destination`. What is logged is an allow-list: callers name each field, and
 * never a request, a reply, a URL or a body as it came (rules/threats#logs).
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: {
      err: describeError,
      // Nothing of these is printed, even when a library logs one whole.
      req: () => undefined,
      res: () => undefined,
    },
  };
  return pino(options, destination ?? standardOutput());
}

/** What is kept for a disk that has room again; beyond it lines are lost. */
const MOST_KEPT_BYTES = 2 ** 20;
let failures = 0;

/** How often standard output took no line: a full disk, or nobody who reads. The server goes on without its log. */
export const logFailures = () => failures;

function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MOST_KEPT_BYTES });
  output.on('error', () => (failures += 1));
  return output;
}
