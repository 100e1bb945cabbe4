import { randomUUID } from 'node:crypto';

import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import { gathered, HELD, writtenTogether } from '../../platform/db/batch.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { startOf, TODAY, wallTimeOf } from '../../platform/db/mexico-city.ts';
import { rowsAs } from '../../platform/db/rows.ts';
import { defer, pipeline } from '../../platform/db/transaction.ts';
import { isFull } from '../../platform/limiter.ts';
import { deferMove } from '../../platform/lifecycle.ts';
import { TILL_MESSAGES, type TillError } from './copy.ts';
import type { DayOperation } from './day-file.ts';
import { TILL_OPERATION, type TillState } from './till-operation.ts';

/** What names an operation: the same key is the same operation. */
export interface TillKey {
  readonly serviceAccountId: string;
  /** Revoked accounts, the newest first, whose operations are this one's unless it has one of the same numbers. */
  readonly formerIds?: readonly string[];
  readonly chain: string;
  readonly branch: string;
  readonly transactionId: string;
}

const KEY = { serviceAccountId: 'uuid', chain: 'text', branch: 'text', transactionId: 'text' } as const;

/** What a till was answered; kept, so that the same call gets the same answer. */
export interface TillAnswer {
  readonly error: TillError;
  readonly message: string;
  readonly authorisation: string;
}

export interface TillOperation extends TillAnswer {
  readonly id: string;
  readonly state: TillState;
  readonly bodyHash: Buffer;
  readonly reference: string;
  readonly amountCentavos: Centavos | null;
}

/** An operation by its key. */
export async function findOperation(tx: Tx, key: TillKey): Promise<TillOperation | undefined> {
  const { rows } = await tx.executeQuery(operationsOf(tx, [key]));
  return rows[0];
}

/** The operation, if it came, of the key in the row `call`. */
const BEFORE = sql`lateral (
      -- Each by its index: joined, a plan of the first days would read all operations for every batch.
      select * from till_operations o
      where o.service_account_id = call."serviceAccountId" and o.chain = call.chain and o.branch = call.branch
        and o.transaction_id = call."transactionId"
      limit 1
    ) before`;
const ITS_OPERATION = sql`before.id, before.state, before.body_hash as "bodyHash", before.reference,
      before.amount_centavos as "amountCentavos", before.error, before.message, before.authorisation`;

/** The operations of these keys that came, each with its key's place: the account's own, else the newest revoked one's. */
function operationsOf(tx: Tx, keys: readonly TillKey[]) {
  const accountsOf = ({ serviceAccountId, formerIds = [] }: TillKey) => [serviceAccountId, ...formerIds];
  const calls = rowsAs(
    'call',
    { place: 'int', rank: 'int', ...KEY },
    keys.flatMap((key, place) =>
      accountsOf(key).map((serviceAccountId, rank) => ({ ...key, serviceAccountId, place, rank })),
    ),
  );
  return sql<TillOperation & { readonly place: number }>`
    select distinct on (place) place, ${ITS_OPERATION} from ${calls} cross join ${BEFORE} order by place, rank`.compile(
    tx,
  );
}

/** Writes an operation. `till_operations_once` refuses a second one with its key, at the latest at the commit. */
export const insertOperation = writtenTogether<NewOperation>(async (tx, operations) => {
  await defer(tx, operationInsert(tx, { operations }));
});

interface NewOperation extends TillKey, TillAnswer {
  readonly id: string;
  readonly bodyHash: Buffer;
  readonly operation: 'layaway' | 'payment';
  readonly state: TillState;
  readonly reference: string;
  readonly amountCentavos: Centavos | null;
}

const operationInsert = builtOnce((_, { operations }: { operations: readonly NewOperation[] }) => {
  const rows = rowsAs(
    'operation',
    {
      id: 'uuid',
      ...KEY,
      bodyHash: 'bytea',
      operation: 'text',
      reference: 'text',
      amountCentavos: 'bigint',
      state: 'text',
      error: 'int',
      message: 'text',
      authorisation: 'text',
    },
    operations,
  );
  return sql`
    insert into till_operations (id, service_account_id, chain, branch, transaction_id, body_hash, operation, reference,
      amount_centavos, state, error, message, authorisation)
    select * from ${rows}`;
});

/** As much of what a till typed as a reference as is kept. */
export function storedReference(reference: string): string {
  return reference.slice(0, 40);
}

/** Blocks an operation that has not come yet. Throws on `till_operations_once` if it came just now. */
export async function blockOperation(tx: Tx, key: TillKey, reference: string): Promise<void> {
  await insertOperation(tx, {
    ...key,
    id: randomUUID(),
    bodyHash: Buffer.alloc(0),
    operation: 'payment',
    state: 'reversed_first',
    reference: storedReference(reference),
    amountCentavos: null,
    error: 7,
    message: TILL_MESSAGES[7],
    authorisation: '',
  });
}

/** Locks an operation; the caller holds the locks of its heads (rules/ledger#lock-order). */
export async function lockOperation(tx: Tx, id: string): Promise<void> {
  await tx
    .selectFrom('till_operations')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Takes an authorised operation back. */
export async function markReversed(tx: Tx, id: string): Promise<void> {
  await deferMove(tx, TILL_OPERATION, {
    event: 'reversed',
    where: sql`id = ${id}`,
    set: { reversed_at: sql`app_now()` },
  });
}

/** What was taken since midnight in Mexico City, with what calls of the same transaction have taken. */
interface Taken {
  centavos: number;
}

/** What a call is decided by besides its reference. */
export interface Standing {
  /** The operation with the same key, if it came before. */
  readonly before: TillOperation | undefined;
  readonly ofBranch: Taken;
  /** In all branches. */
  readonly ofAccount: Taken;
  /** Whether the limit of `limitKey` is used up. */
  readonly isFull: boolean;
}

export interface WantedStanding extends TillKey {
  readonly limitKey: string;
  readonly times: number;
}

const takenIn = new WeakMap<Tx, Map<string, Taken>>();

/** What {@link lockBranch} locks. */
export const branchName = ({ serviceAccountId, branch }: TillKey): string =>
  `till ${serviceAccountId} ${branch}`;

/**
 * Lets one transaction at a time decide calls of a branch, until it ends: many at once would each fit under its cap. After the
 * lock, one statement reads everything that the call is decided by.
 */
export const lockBranch = gathered<WantedStanding, Standing>({
  async many(tx, wanted, locking) {
    const names = [...new Set(wanted.map(branchName))].toSorted();
    const lock = sql.raw(locking === 'skip' ? 'pg_try_advisory_xact_lock' : 'pg_advisory_xact_lock');
    // Hardly an account follows a revoked one: for the others nothing more is read.
    const followers = wanted.filter(({ formerIds = [] }) => formerIds.length > 0);
    const [locks, read, ofFollowers = []] = await pipeline(
      tx,
      sql<{ name: string; got: unknown }>`
        select name, ${lock}(hashtextextended(name, 0)) as got from unnest(${names}::text[]) as name`.compile(
        tx,
      ),
      standingsOf(tx, wanted),
      ...(followers.length > 0 ? [operationsOf(tx, followers)] : []),
    );
    const followed = new Map(ofFollowers.map(({ place, ...before }) => [followers[place], before]));
    const held = new Set(locks.filter(({ got }) => got === false).map(({ name }) => name));
    const known = takenIn.get(tx) ?? new Map<string, Taken>();
    takenIn.set(tx, known);
    const takenOf = (name: string, centavos: Centavos) => {
      const taken = known.get(name) ?? { centavos };
      known.set(name, taken);
      return taken;
    };
    return wanted.map((key, place) => {
      const its = read[place];
      if (its === undefined) throw new Error('a call without its standing');
      if (held.has(branchName(key))) return HELD;
      const { branchCentavos, accountCentavos, isFull: isFullNow, ...before } = its;
      return {
        before: before.id === null ? followed.get(key) : (before as TillOperation),
        ofBranch: takenOf(branchName(key), branchCentavos),
        ofAccount: takenOf(key.serviceAccountId, accountCentavos),
        isFull: isFullNow,
      };
    });
  },
});

type ReadStanding = { [K in keyof TillOperation]: TillOperation[K] | null } & {
  readonly branchCentavos: Centavos;
  readonly accountCentavos: Centavos;
  readonly isFull: boolean;
};

/** In the order of what is wanted. */
function standingsOf(tx: Tx, wanted: readonly WantedStanding[]) {
  return standings(tx, {
    calls: wanted.map((key, place) => ({ place, ...key })),
    accounts: [...new Set(wanted.map(({ serviceAccountId }) => serviceAccountId))],
  });
}

interface StandingsOf {
  readonly calls: readonly (WantedStanding & { readonly place: number })[];
  readonly accounts: readonly string[];
}

const standings = builtOnce((_, { calls: asked, accounts }: StandingsOf) => {
  const calls = rowsAs('call', { place: 'int', ...KEY, limitKey: 'text', times: 'int' }, asked);
  return sql<ReadStanding>`
    select coalesce(of_branch.taken_centavos, 0) as "branchCentavos", coalesce(of_account.taken, 0)::bigint as "accountCentavos",
      ${isFull(sql`call."limitKey"`, sql`call.times`)} as "isFull", ${ITS_OPERATION}
    from ${calls}
    left join till_days of_branch
      on of_branch.service_account_id = call."serviceAccountId" and day = ${TODAY} and of_branch.branch = call.branch
    left join (
      select service_account_id, sum(taken_centavos) as taken from till_days
      where service_account_id = any(${accounts}::uuid[]) and day = ${TODAY} group by service_account_id
    ) of_account on of_account.service_account_id = call."serviceAccountId"
    left join ${BEFORE} on true
    order by place`;
});

/** What a chain's tills took in a day of Mexico City, in order; what was reversed that day is marked. */
export async function listDay(db: Db, chain: string, day: DateOnly): Promise<DayOperation[]> {
  return db
    .selectFrom('till_operations')
    .where('chain', '=', chain)
    .where('state', 'in', ['authorised', 'reversed'])
    .where('created_at', '>=', startOf(day))
    .where('created_at', '<', startOf(day, 1))
    .orderBy('created_at')
    .orderBy('id')
    .select([
      'branch',
      'transaction_id as transactionId',
      'reference',
      sql<Centavos>`coalesce(amount_centavos, 0)`.as('amountCentavos'),
      'authorisation',
      sql<boolean>`state = 'reversed'`.as('isReversed'),
      sql<string>`to_char(${wallTimeOf(sql`created_at`)}, 'YYYY-MM-DD"T"HH24:MI:SS')`.as('at'),
    ])
    .execute();
}

/** Operations of a chain that took money, by id. */
export async function listOperations(db: Db, chain: string, ids: readonly string[]) {
  const rows = await db
    .selectFrom('till_operations')
    .where('id', 'in', [...ids, randomUUID()])
    .where('chain', '=', chain)
    .select([
      'id',
      'operation',
      'branch',
      'transaction_id as transactionId',
      'reference',
      sql<Centavos>`coalesce(amount_centavos, 0)`.as('amountCentavos'),
      'authorisation',
    ])
    .execute();
  return new Map(rows.map(({ id, ...operation }) => [id, operation]));
}
