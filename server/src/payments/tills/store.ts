import { randomUUID } from 'node:crypto';

import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import { defer, pipeline } from '../../platform/db/transaction.ts';
import { deferMove } from '../../platform/lifecycle.ts';
import { TILL_MESSAGES, type TillError } from './copy.ts';
import type { DayOperation } from './day-file.ts';
import { TILL_OPERATION, type TillState } from './till-operation.ts';

/** What names an operation: the same key is the same operation. */
export interface TillKey {
  readonly serviceAccountId: string;
  readonly chain: string;
  readonly branch: string;
  readonly transactionId: string;
}

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
  return operationOf(tx, key).executeTakeFirst();
}

function operationOf(tx: Tx, key: TillKey) {
  return tx
    .selectFrom('till_operations')
    .where('service_account_id', '=', key.serviceAccountId)
    .where('chain', '=', key.chain)
    .where('branch', '=', key.branch)
    .where('transaction_id', '=', key.transactionId)
    .select([
      'id',
      'state',
      'body_hash as bodyHash',
      'reference',
      'amount_centavos as amountCentavos',
      'error',
      'message',
      'authorisation',
    ]);
}

/** Writes an operation. `till_operations_once` refuses a second one with its key, at the latest at the commit. */
export async function insertOperation(
  tx: Tx,
  operation: TillKey &
    TillAnswer & {
      id: string;
      bodyHash: Buffer;
      operation: 'layaway' | 'payment';
      state: TillState;
      reference: string;
      amountCentavos: Centavos | null;
    },
): Promise<void> {
  const row = tx.insertInto('till_operations').values({
    id: operation.id,
    service_account_id: operation.serviceAccountId,
    chain: operation.chain,
    branch: operation.branch,
    transaction_id: operation.transactionId,
    body_hash: operation.bodyHash,
    operation: operation.operation,
    reference: operation.reference,
    amount_centavos: operation.amountCentavos,
    state: operation.state,
    error: operation.error,
    message: operation.message,
    authorisation: operation.authorisation,
    reversed_at: null,
  });
  await defer(tx, row);
}

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

/** What a call is decided by besides its reference. */
export interface Standing {
  /** The operation with the same key, if it came before. */
  readonly before: TillOperation | undefined;
  /** What the branch, and its account in all branches, took since midnight in Mexico City. */
  readonly branchCentavos: Centavos;
  readonly accountCentavos: Centavos;
  /** Whether `full` is true. */
  readonly isFull: boolean;
}

/**
 * Lets one call of a branch at a time decide, until the transaction ends: many at once would each fit under its cap. After the
 * lock, one statement reads everything that the call is decided by.
 */
export async function lockBranch(tx: Tx, key: TillKey, full: RawBuilder<boolean>): Promise<Standing> {
  const lock = sql`select pg_advisory_xact_lock(hashtextextended(${`till ${key.serviceAccountId} ${key.branch}`}, 0))`;
  const today = tx
    .selectFrom('till_days')
    .where('service_account_id', '=', key.serviceAccountId)
    .where('day', '=', sql<string>`(app_now() at time zone 'America/Mexico_City')::date`)
    .select([
      sql<Centavos>`coalesce(sum(taken_centavos) filter (where branch = ${key.branch}), 0)::bigint`.as(
        'branchCentavos',
      ),
      sql<Centavos>`coalesce(sum(taken_centavos), 0)::bigint`.as('accountCentavos'),
      full.as('isFull'),
    ]);
  const standing = tx
    .selectFrom(today.as('today'))
    .leftJoin(operationOf(tx, key).as('before'), (join) => join.onTrue())
    .selectAll();
  const [, [read]] = await pipeline(tx, lock.compile(tx), standing.compile());
  if (read === undefined) throw new Error('a sum without a row');
  const { branchCentavos, accountCentavos, isFull, ...before } = read;
  return {
    before: before.id === null ? undefined : (before as TillOperation),
    branchCentavos,
    accountCentavos,
    isFull,
  };
}

/** What a chain's tills took in a day of Mexico City, in order; what was reversed that day is marked. */
export async function listDay(db: Db, chain: string, day: DateOnly): Promise<DayOperation[]> {
  return db
    .selectFrom('till_operations')
    .where('chain', '=', chain)
    .where('state', 'in', ['authorised', 'reversed'])
    .where('created_at', '>=', sql<Date>`${day}::date::timestamp at time zone 'America/Mexico_City'`)
    .where('created_at', '<', sql<Date>`(${day}::date + 1)::timestamp at time zone 'America/Mexico_City'`)
    .orderBy('created_at')
    .orderBy('id')
    .select([
      'branch',
      'transaction_id as transactionId',
      'reference',
      sql<Centavos>`coalesce(amount_centavos, 0)`.as('amountCentavos'),
      'authorisation',
      sql<boolean>`state = 'reversed'`.as('isReversed'),
      sql<string>`to_char(created_at at time zone 'America/Mexico_City', 'YYYY-MM-DD"T"HH24:MI:SS')`.as('at'),
    ])
    .execute();
}
