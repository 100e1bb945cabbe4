import { AsyncLocalStorage } from 'node:async_hooks';
import { type CompiledQuery, type DatabaseConnection, type QueryResult, sql } from 'kysely';
import { committed } from './after-commit.ts';
import type { Db, Tx } from './db.ts';
import { isDeferred, isRead, transactionOver } from './driver.ts';
import { isUncertain } from './outage.ts';
import type { Database } from './tables.ts';
import { defer, mayRepeat } from './transaction.ts';

/** What becomes of a lock that somebody else holds: it is waited for, or passed over. */
export type Locking = 'wait' | 'skip';

/** In the place of an answer: somebody else holds it. */
export const HELD = Symbol('somebody else holds it');

/** How something is asked for many at once. */
interface Gathered<K, V> {
  /** Answers all keys, in their order. */
  many(tx: Tx, keys: readonly K[], locking: Locking): Promise<readonly (V | typeof HELD)[]>;
  /** What the answer locks, by name: of a batch, one call alone may have it. */
  readonly headOf?: (value: V) => string | undefined;
  /** It writes what it answers. */
  readonly isWrite?: true;
}

/**
 * Something that the calls of a batch ask of the database together: one statement for all their keys. Outside a batch it is
 * asked for one key, and waits for the locks that it takes.
 */
export function gathered<K, V>(how: Gathered<K, V>): (tx: Tx, key: K) => Promise<V> {
  return async (tx, key) => {
    const member = members.get(tx);
    if (member !== undefined) return member.ask(how, key);
    const [value] = await how.many(tx, [key], impatient.has(tx) ? 'skip' : 'wait');
    if (value === HELD) throw new Left();
    return value as V;
  };
}

type WriteAll<R> = (tx: Tx, rows: readonly R[]) => Promise<void>;

/** A write whose result nobody reads. Calls give it a row each; the rows of a batch leave together, with the commit. */
export function writtenTogether<R>(all: WriteAll<R>): (tx: Tx, row: R) => Promise<void> {
  return async (tx, row) => {
    const member = members.get(tx);
    if (member === undefined) await all(tx, [row]);
    else member.waiting.push({ all: all as WriteAll<unknown>, row });
  };
}

/**
 * For what waits for others, or has to see what they did: in a batch it would hold up all, and see nothing of theirs. Its call
 * leaves, and has a transaction of its own.
 */
export function leaveBatch(tx: Tx): void {
  const member = members.get(tx);
  if (member !== undefined) member.retry = 'alone';
  if (member !== undefined || impatient.has(tx)) throw new Left();
}

/** For what other calls of the batch are decided by: should this one fail after all, nothing of the batch is done. */
export function standsOrFallsWithAll(tx: Tx): void {
  const member = members.get(tx);
  if (member !== undefined) member.hasWritten = true;
}

/** What one call does in a transaction that it may share with others. */
export type Work = (tx: Tx) => Promise<unknown>;

/** What became of one call: nothing at all where it is to be tried again, with the next batch or in a transaction of its own. */
export type Outcome =
  | { readonly did: 'done'; readonly value: unknown }
  | { readonly did: 'failed'; readonly error: unknown }
  | { readonly did: 'leave'; readonly retry: Retry };
type Retry = 'next' | 'alone';

/** Ends the work of a call that leaves. */
class Left extends Error {}

/** Transactions of one call that waits for no lock. */
const impatient = new WeakSet<Tx>();
const members = new WeakMap<Tx, Member>();

/** One call of a batch. */
interface Member {
  /** Its writes that have not been sent, in order. */
  waiting: Waiting[];
  /** It wrote something that only the whole batch can take back. */
  hasWritten: boolean;
  retry: Retry | undefined;
  ask<K, V>(how: Gathered<K, V>, key: K): Promise<V>;
}
type Waiting = { readonly all: WriteAll<unknown>; readonly row: unknown } | { readonly query: CompiledQuery };

/**
 * A statement for a few keys would be planned anew each time, which takes longer than running it; and a plan that was made while
 * a table was small would read all of it until it is analysed, however much came since. All is asked by key here.
 */
async function planOnceByKey(tx: Tx): Promise<void> {
  await defer(
    tx,
    sql`set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off;
      set local enable_hashjoin = off; set local enable_mergejoin = off`,
  );
}

/**
 * Does the work of several calls in one transaction, which waits for nobody's lock. A call that throws before anything of it
 * was written fails by itself; when anything else fails, nothing of the batch was done, and each call is to be tried alone.
 */
export async function runBatch(db: Db, works: readonly Work[]): Promise<Outcome[]> {
  const [only, ...others] = works;
  if (only === undefined) return [];
  if (others.length === 0) return [await runOnly(db, only)];
  try {
    const ended = await db.transaction().execute(async (tx) => {
      await planOnceByKey(tx);
      return tx.getExecutor().provideConnection((connection) => share(connection, works));
    });
    for (const { tx, outcome } of ended) if (outcome.did === 'done') committed(tx);
    return ended.map(({ outcome }) => outcome);
  } catch (error) {
    const outcome: Outcome = isUncertain(error) ? { did: 'failed', error } : { did: 'leave', retry: 'alone' };
    return works.map(() => outcome);
  }
}

async function runOnly(db: Db, work: Work): Promise<Outcome> {
  try {
    let open: Tx | undefined;
    const value = await db.transaction().execute(async (tx) => {
      await planOnceByKey(tx);
      return tx.getExecutor().provideConnection((connection) => {
        // What is asked side by side travels together.
        open = transactionOver<Database>(connection);
        impatient.add(open);
        return work(open);
      });
    });
    committed(open);
    return { did: 'done', value };
  } catch (error) {
    if (error instanceof Left || mayRepeat(error, 1)) return { did: 'leave', retry: 'alone' };
    return { did: 'failed', error };
  }
}

/** What a call waits for: an answer that is asked for together, or the result of a statement of its own. */
type Asked = {
  readonly member: Member;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
} & ({ readonly how: Gathered<never, unknown>; readonly key: unknown } | { readonly query: CompiledQuery });
type AskedTogether = Extract<Asked, { key: unknown }>;

interface Ended {
  readonly tx: Tx;
  readonly outcome: Outcome;
}

/** Runs the calls side by side; whenever none can go on by itself, all that they asked for meanwhile is sent. */
async function share(connection: DatabaseConnection, works: readonly Work[]): Promise<Ended[]> {
  /** What is sent for all belongs to none of them. */
  const forAll = AsyncLocalStorage.snapshot();
  const whole = transactionOver<Database>(connection);
  /** Who has which head. */
  const heads = new Map<string, Member>();
  let asked: Asked[] = [];
  let isAsking = false;
  let broken: { readonly by: unknown } | undefined;

  const joined = works.map(join);
  const ended = await Promise.all(joined.map(async ({ tx, outcome }) => ({ tx, outcome: await outcome })));
  if (broken !== undefined) throw broken.by;
  await write(joined.map(({ member }) => member));
  return ended;

  function join(work: Work): {
    readonly member: Member;
    readonly tx: Tx;
    readonly outcome: Promise<Outcome>;
  } {
    const member: Member = {
      waiting: [],
      hasWritten: false,
      retry: undefined,
      ask: (how, key) =>
        new Promise((resolve, reject) => ask({ member, how: how as never, key, resolve, reject })),
    };
    const tx = transactionOver<Database>({
      executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        if (!isDeferred(query))
          return new Promise((resolve, reject) => ask({ member, query, resolve, reject }));
        member.waiting.push({ query });
        return Promise.resolve({ rows: [] });
      },
      streamQuery() {
        throw new Error('rows are read in pages here, never as a stream');
      },
    });
    members.set(tx, member);
    return { member, tx, outcome: outcomeOf(member, () => work(tx)) };
  }

  async function outcomeOf(member: Member, work: () => Promise<unknown>): Promise<Outcome> {
    let outcome: Outcome;
    try {
      outcome = { did: 'done', value: await work() };
    } catch (error) {
      outcome = { did: 'failed', error };
    }
    if (member.retry !== undefined) outcome = { did: 'leave', retry: member.retry };
    if (outcome.did === 'done') return outcome;
    member.waiting = [];
    if (member.hasWritten)
      broken ??= { by: outcome.did === 'failed' ? outcome.error : new Left('it had written') };
    return outcome;
  }

  function ask(one: Asked): void {
    asked.push(one);
    if (isAsking) return;
    isAsking = true;
    forAll(() => void answerAll());
  }

  async function answerAll(): Promise<void> {
    await quiet();
    while (asked.length > 0) {
      const now = asked;
      asked = [];
      await answer(now).catch((error: unknown) => {
        broken ??= { by: error };
        for (const { reject } of now) reject(error);
      });
      await quiet();
    }
    isAsking = false;
  }

  async function answer(now: readonly Asked[]): Promise<void> {
    if (broken !== undefined) throw broken.by;
    const plain = now.filter((one) => 'query' in one);
    const together = Map.groupBy(
      now.filter((one) => 'how' in one),
      ({ how }) => how,
    );
    // As in any transaction: what a call deferred goes before what it asks.
    await write(new Set(now.map(({ member }) => member)));
    await Promise.all([
      ...plain.map(async ({ member, query, resolve }) => {
        member.hasWritten ||= !isRead(query);
        resolve((await connection.executeQuery(query)) as never);
      }),
      ...[...together].map(([how, those]) => answerTogether(how, those)),
    ]);
  }

  async function answerTogether(
    { many, headOf, isWrite }: AskedTogether['how'],
    those: readonly AskedTogether[],
  ): Promise<void> {
    if (isWrite) for (const { member } of those) member.hasWritten = true;
    const answers = await many(whole, those.map(({ key }) => key) as never[], 'skip');
    for (const [index, { member, resolve, reject }] of those.entries()) {
      const value = answers[index];
      const head = value === HELD ? undefined : headOf?.(value);
      const owner = head === undefined ? member : (heads.get(head) ?? member);
      if (value === HELD || owner !== member) {
        member.retry = value === HELD ? 'alone' : 'next';
        reject(new Left());
      } else {
        if (head !== undefined) heads.set(head, member);
        resolve(value as never);
      }
    }
  }

  /** Sends what these calls deferred, or leaves it to travel with what follows. */
  async function write(of: Iterable<Member>): Promise<void> {
    const queues: Waiting[][] = [];
    for (const member of of) {
      if (member.waiting.length === 0) continue;
      queues.push(member.waiting);
      member.waiting = [];
      member.hasWritten = true;
    }
    for (const group of merged(queues)) {
      const [first] = group;
      if (first === undefined) continue;
      if ('query' in first) await whole.executeQuery(first.query);
      else
        await first.all(
          whole,
          group.map((each) => ('row' in each ? each.row : undefined)),
        );
    }
  }
}

/** Resolves once everybody has gone on as far as they can without an answer. */
function quiet(): Promise<void> {
  return new Promise((resolve) => void Promise.resolve().then(() => process.nextTick(resolve)));
}

const kindOf = (one: Waiting) => ('query' in one ? one.query : one.all);

/** Groups writes that can be made at once, as few groups as may be; the writes of each call stay in their order. */
function* merged(queues: Waiting[][]): Generator<Waiting[]> {
  for (let rest = queues; rest.length > 0; rest = rest.filter(({ length }) => length > 0)) {
    const kinds = [...new Set(rest.flatMap(([first]) => (first === undefined ? [] : [kindOf(first)])))];
    // One that nobody has yet to come to.
    const next = kinds.find((kind) =>
      rest.every(
        ([first, ...later]) =>
          (first !== undefined && kindOf(first) === kind) || later.every((one) => kindOf(one) !== kind),
      ),
    );
    const kind = next ?? kinds[0];
    yield rest.flatMap((queue) => {
      const end = queue.findIndex((one) => kindOf(one) !== kind);
      return queue.splice(0, end === -1 ? queue.length : end);
    });
  }
}
