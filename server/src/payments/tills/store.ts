import { randomUUID } from 'node:crypto';

import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { PurchaseState } from '../../platform/db/tables.ts';
import { defer, pipeline } from '../../platform/db/transaction.ts';
import { deferMove } from '../../platform/lifecycle.ts';
import { TILL_MESSAGES, type TillError } from './copy.ts';
import type { DayOperation } from './day-file.ts';
import { TILL_OPERATION, type TillState } from './till-operation.ts';

export interface TillKey {
  readonly serviceAccountId: string;
  readonly chain: string;
  readonly branch: string;
  readonly transactionId: string;
}

/** What a till was answered, kept so that it is answered the same again. */
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

/** Writes an operation. `till_operations_once` refuses a second one of its key, at the latest by the commit. */
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

/** Blocks an operation that has not come yet. Throws on `till_operations_once` if it just did. */
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

/**
 * Locks what hangs on an operation's money: its layaway reference (rules/ledger#lock-order, level 0), then its purchase
 * (rules/ledger#lock-order, level 1).
 */
export async function lockHeads(tx: Tx, operationId: string): Promise<void> {
  const purchase = await purchaseOf(tx, operationId).executeTakeFirst();
  if (purchase === undefined) return;
  await tx
    .selectFrom('layaway_references')
    .select('id')
    .where('id', '=', purchase.layawayReferenceId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  await tx
    .selectFrom('purchases')
    .select('id')
    .where('id', '=', purchase.id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  await tx
    .selectFrom('instalments')
    .select('id')
    .where('purchase_id', '=', purchase.id)
    .orderBy('number')
    .forNoKeyUpdate()
    .execute();
}

export async function lockOperation(tx: Tx, id: string): Promise<void> {
  await tx
    .selectFrom('till_operations')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

function purchaseOf(tx: Tx, operationId: string) {
  return tx
    .selectFrom('receipts as r')
    .innerJoin('allocations as a', 'a.receipt_id', 'r.id')
    .innerJoin('instalments as i', 'i.id', 'a.instalment_id')
    .innerJoin('purchases as p', 'p.id', 'i.purchase_id')
    .where('r.channel', '=', 'till')
    .where('r.source_id', '=', operationId)
    .select(['p.id', 'p.layaway_reference_id as layawayReferenceId'])
    .limit(1);
}

/** An operation with what its reversal depends on. */
export interface Reversal {
  readonly state: TillState;
  readonly operation: 'layaway' | 'payment';
  readonly amountCentavos: Centavos;
  /** What of it stands on instalments. */
  readonly principalCentavos: Centavos;
  readonly createdAt: Date;
  readonly purchaseId: number;
  readonly purchaseState: PurchaseState;
  readonly purchasePaidCentavos: Centavos;
  readonly buyerId: number;
  /** The database's time when it was read. */
  readonly now: Date;
}

export async function findReversal(tx: Tx, operationId: string): Promise<Reversal | undefined> {
  return tx
    .selectFrom('till_operations as o')
    .innerJoin('receipts as r', (join) =>
      join.on('r.channel', '=', 'till').on('r.source_id', '=', operationId),
    )
    .innerJoin('allocations as a', 'a.receipt_id', 'r.id')
    .innerJoin('instalments as i', 'i.id', 'a.instalment_id')
    .innerJoin('purchases as p', 'p.id', 'i.purchase_id')
    .where('o.id', '=', operationId)
    .groupBy(['o.id', 'r.id', 'p.id'])
    .select([
      'o.state',
      'o.operation',
      'r.amount_centavos as amountCentavos',
      sql<Centavos>`sum(a.amount_centavos)::bigint`.as('principalCentavos'),
      'o.created_at as createdAt',
      'p.id as purchaseId',
      'p.state as purchaseState',
      'p.paid_centavos as purchasePaidCentavos',
      'p.buyer_id as buyerId',
      sql<Date>`app_now()`.as('now'),
    ])
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

/** What decides a call besides its reference. */
export interface Standing {
  /** What became of the same key before. */
  readonly before: TillOperation | undefined;
  /** What the branch, and its account over all branches, authorised since midnight in Mexico City. */
  readonly branchCentavos: Centavos;
  readonly accountCentavos: Centavos;
  /** Whether `full` is true. */
  readonly isFull: boolean;
}

/**
 * Lets one call of a branch at a time decide, to the end of the transaction: else many at once would each fit under its cap.
 * Reads what they decide by, all in one statement, after the lock.
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

/** What a chain's tills took in a day of Mexico City, in order; what was given back that day is marked. */
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
