import { createHash } from 'node:crypto';
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  Transaction,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';

import { noteWritten } from './admission.ts';
import { isDatabaseAway, isUncertain, noteLost, noteStatement } from './outage.ts';

/** Receives each statement when it has ended; `text` without its parameters, `ms` since it was sent. */
export type OnStatement = (ended: { text: string; ms: number; failed: boolean }) => void;

const BEGIN = /^(?:begin|start transaction)/;
/** What asks for nothing: a transaction of these alone need not be sent. */
const SETTING = /^set local /;
const READ = /^\s*select\b/i;

/** Whether a statement, by its text, changes nothing but locks. */
export const isRead = ({ sql }: Statement) => READ.test(sql);

const deferred = new WeakSet<CompiledQuery>();

/** Whether {@link markDeferred} marked it. */
export const isDeferred = (query: CompiledQuery) => deferred.has(query);

/** Marks a write whose result nobody reads: inside a transaction it travels with the next statement, or with the commit. */
export function markDeferred(query: CompiledQuery): CompiledQuery {
  deferred.add(query);
  return query;
}

/**
 * Kysely's dialect for PostgreSQL over a `pg` pool. A transaction is a unit of work: `begin` and deferred writes wait, in
 * order, until a statement is awaited or the transaction commits, and leave together with it in one round trip. The first
 * error of such a group is the one that is thrown.
 */
export function postgresDialect(pool: pg.Pool, onStatement?: OnStatement): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createDriver: () => ({
      init: () => Promise.resolve(),
      acquireConnection: async () => connectionOf({ pool, client: await connect(pool), onStatement }),
      beginTransaction: (connection, settings) => asOurs(connection).begin(settings),
      commitTransaction: (connection) => asOurs(connection).commit(),
      rollbackTransaction: (connection) => asOurs(connection).rollback(),
      releaseConnection: (connection) => asOurs(connection).release(),
      destroy: () => pool.end(),
    }),
  };
}

const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();
const driver = new DummyDriver();
const dialect: Dialect = {
  createAdapter: () => adapter,
  createDriver: () => driver,
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => compiler,
};

/** A transaction's handle whose statements all go to `connection`, at once; whoever made it begins and commits. */
export function transactionOver<DB>(connection: DatabaseConnection): Transaction<DB> {
  const executor = new DefaultQueryExecutor(compiler, adapter, {
    provideConnection: (consumer) => consumer(connection),
  });
  return new Transaction<DB>({ config: { dialect }, dialect, driver, executor });
}

interface Connection extends DatabaseConnection {
  begin(settings: TransactionSettings): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  release(): Promise<void>;
}

const asOurs = (connection: DatabaseConnection) => connection as Connection;

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;
const statement = (sql: string): Statement => ({ sql, parameters: [] });

/** A connection; asked for twice, because the first one may have led to a server that has just stopped. */
async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect().catch((error: unknown) => {
      noteLost(error, 'connecting');
      if (!isDatabaseAway(error)) throw error;
      return pool.connect();
    });
  } catch (error) {
    noteLost(error, 'connecting');
    throw error;
  }
}

interface Held {
  readonly pool: pg.Pool;
  readonly client: pg.PoolClient;
  readonly onStatement: OnStatement | undefined;
}

function connectionOf({ pool, client: first, onStatement }: Held): Connection {
  let client: pg.PoolClient | undefined = first;
  let isOpen = false;
  let isBroken = false;
  let waiting: Statement[] = [];

  async function run({ sql, parameters }: Statement): Promise<pg.QueryResult> {
    const startedAt = performance.now();
    let failed = true;
    try {
      if (client === undefined) throw new Error('the connection is gone');
      const result = await client.query(
        parameters.length === 0 ? sql : { ...named(sql), text: sql, values: [...parameters] },
      );
      failed = false;
      return result;
    } catch (error) {
      noteLost(error, sql === 'commit' ? 'commit' : 'statement');
      noteStatement(error, sql);
      throw error;
    } finally {
      onStatement?.({ text: sql, ms: performance.now() - startedAt, failed });
    }
  }

  /** A read outside a transaction is repeated once when its connection turns out to be gone. */
  async function read(query: Statement): Promise<pg.QueryResult> {
    try {
      return await send(query);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      client?.release(true);
      client = undefined;
      client = await connect(pool);
      return send(query);
    }
  }

  /** Sends what waits, then `last`; resolves with the result of `last`. */
  async function send(last: Statement): Promise<pg.QueryResult> {
    const group = [...begunTogether(waiting), last];
    waiting = [];
    const ended = await Promise.allSettled(group.map(run));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    const result = ended.at(-1);
    if (result?.status !== 'fulfilled') throw new Error('a statement ended without a result');
    return result.value;
  }

  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      if (isOpen && deferred.has(query)) {
        waiting.push(query);
        return { rows: [] };
      }
      const isRepeatable = !isOpen && isRead(query);
      if (!isOpen && !isRepeatable) noteWritten();
      const { command, rowCount, rows } = await (isRepeatable ? read(query) : send(query));
      return {
        rows: rows as R[],
        ...(/^(?:INSERT|UPDATE|DELETE|MERGE)$/.test(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
      };
    },

    // eslint-disable-next-line require-yield -- the interface wants a generator
    async *streamQuery() {
      throw new Error('rows are read in pages here, never as a stream');
    },

    begin({ accessMode }) {
      isOpen = true;
      waiting = [statement(accessMode === undefined ? 'begin' : `start transaction ${accessMode}`)];
      return Promise.resolve();
    },

    async commit() {
      const [first, ...writes] = waiting;
      const isEmpty = writes.every(({ sql }) => SETTING.test(sql));
      if (first !== undefined && BEGIN.test(first.sql) && isEmpty) return close();
      const { command } = await send(statement('commit')).catch((error: unknown) => {
        if (isUncertain(error)) noteWritten();
        throw error;
      });
      noteWritten();
      close();
      if (command !== 'COMMIT') throw new Error(`commit ended as ${command}`);
    },

    async rollback() {
      const [first] = waiting;
      const isBegun = isOpen && !(first !== undefined && BEGIN.test(first.sql));
      close();
      if (!isBegun) return;
      // What failed is what the caller throws; a connection that cannot even roll back is given up.
      await run(statement('rollback')).catch(() => (isBroken = true));
    },

    release() {
      client?.release(isBroken);
      return Promise.resolve();
    },
  };

  function close(): void {
    isOpen = false;
    waiting = [];
  }
}

/** A beginning and the settings behind it are one message. */
function begunTogether(group: readonly Statement[]): readonly Statement[] {
  const isOpening = ({ sql }: Statement, place: number) => (place === 0 ? BEGIN : SETTING).test(sql);
  const end = group.findIndex((one, place) => !isOpening(one, place));
  const opening = group.slice(0, end === -1 ? group.length : end);
  if (opening.length < 2) return group;
  return [statement(opening.map(({ sql }) => sql).join('; ')), ...group.slice(opening.length)];
}

/** Bounded, here and on the server: texts with a varying number of parameters must not fill the memory. */
const MOST_NAMES = 2_000;
const names = new Map<string, string>();

/** A name per text, so that PostgreSQL plans it once per connection: it doubles the throughput of joined reads. */
function named(text: string): { name?: string } {
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= MOST_NAMES) return {};
    name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    names.set(text, name);
  }
  return { name };
}
