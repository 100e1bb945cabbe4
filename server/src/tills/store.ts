import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import type { Tx } from '../db/db.ts';
import type { TillError } from './copy.ts';

export interface TillKey {
  readonly credentialId: string;
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
  readonly bodyHash: Buffer;
}

export async function findOperation(tx: Tx, key: TillKey): Promise<TillOperation | undefined> {
  return tx
    .selectFrom('till_operations')
    .where('credential_id', '=', key.credentialId)
    .where('chain', '=', key.chain)
    .where('branch', '=', key.branch)
    .where('transaction_id', '=', key.transactionId)
    .select(['body_hash as bodyHash', 'error', 'message', 'authorisation'])
    .executeTakeFirst();
}

/** Throws on `till_operations_once`. */
export async function insertOperation(
  tx: Tx,
  operation: TillKey &
    TillAnswer & {
      id: string;
      bodyHash: Buffer;
      operation: 'layaway';
      reference: string;
      amountCentavos: Centavos;
    },
): Promise<void> {
  await tx
    .insertInto('till_operations')
    .values({
      id: operation.id,
      credential_id: operation.credentialId,
      chain: operation.chain,
      branch: operation.branch,
      transaction_id: operation.transactionId,
      body_hash: operation.bodyHash,
      operation: operation.operation,
      reference: operation.reference,
      amount_centavos: operation.amountCentavos,
      state: operation.error === 0 ? 'authorised' : 'refused',
      error: operation.error,
      message: operation.message,
      authorisation: operation.authorisation,
    })
    .execute();
}

/** What a branch authorised since midnight in Mexico City. */
export async function sumToday(tx: Tx, where: { credentialId: string; branch: string }): Promise<Centavos> {
  const { total } = await tx
    .selectFrom('till_operations')
    .where('credential_id', '=', where.credentialId)
    .where('branch', '=', where.branch)
    .where('state', '=', 'authorised')
    .where(
      'created_at',
      '>=',
      sql<Date>`date_trunc('day', app_now() at time zone 'America/Mexico_City') at time zone 'America/Mexico_City'`,
    )
    .select(sql<Centavos>`coalesce(sum(amount_centavos), 0)::bigint`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}
