import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';

/** A merchant's key pair at the card provider, its secret half sealed. */
export interface SealedCredential {
  readonly id: string;
  readonly merchantId: number;
  readonly publicKey: string;
  readonly secretCiphertext: Buffer;
  readonly secretKeyId: string;
  /** Since when the provider refuses to refund with it. */
  readonly refusedAt: Date | null;
}

function credentials(db: Db | Tx) {
  return db
    .selectFrom('provider_credentials')
    .where('provider', '=', 'clip')
    .select([
      'id',
      'merchant_id as merchantId',
      'public_key as publicKey',
      'secret_ciphertext as secretCiphertext',
      'secret_key_id as secretKeyId',
      'refused_at as refusedAt',
    ]);
}

/** The pair that a merchant's new charges use: the only one that is not retired. */
export async function findCurrentCredential(
  db: Db | Tx,
  merchantId: number,
): Promise<SealedCredential | undefined> {
  return credentials(db)
    .where('merchant_id', '=', merchantId)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
}

/**
 * The pair to read and refund a payment with: the one that charged it, retired or not, unless the provider refuses it, else the
 * merchant's current one. Undefined when both are refused.
 */
export async function findUsableCredential(
  db: Db | Tx,
  { merchantId, credentialId }: { readonly merchantId: number; readonly credentialId: string },
): Promise<SealedCredential | undefined> {
  return credentials(db)
    .where('merchant_id', '=', merchantId)
    .where('refused_at', 'is', null)
    .where((eb) => eb.or([eb('id', '=', credentialId), eb('retired_at', 'is', null)]))
    .orderBy(sql`id = ${credentialId}`, 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Every pair, retired ones too. */
export async function listSealed(db: Db): Promise<SealedCredential[]> {
  return credentials(db).orderBy('merchant_id').orderBy('id').execute();
}

/** Locks all of a merchant's pairs, retired ones too: marking one refused and setting a new one wait for each other. */
export async function lockCredentialsOf(tx: Tx, merchantId: number): Promise<void> {
  await credentials(tx).where('merchant_id', '=', merchantId).orderBy('id').forNoKeyUpdate().execute();
}

/** Marks a pair that the provider no longer lets refund. */
export async function markCredentialRefused(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('provider_credentials')
    .set({ refused_at: sql<Date>`app_now()` })
    .where('id', '=', id)
    .where('refused_at', 'is', null)
    .execute();
}

/** Lets a merchant's refused pairs be tried again. True when the current pair was among them. */
export async function forgetRefusals(tx: Tx, merchantId: number): Promise<boolean> {
  const forgotten = await tx
    .updateTable('provider_credentials')
    .set({ refused_at: null })
    .where('merchant_id', '=', merchantId)
    .where('refused_at', 'is not', null)
    .returning('retired_at as retiredAt')
    .execute();
  return forgotten.some(({ retiredAt }) => retiredAt === null);
}

/** One pair, retired or not. Throws when there is none. */
export async function findCredential(db: Db | Tx, id: string): Promise<SealedCredential> {
  return credentials(db).where('id', '=', id).executeTakeFirstOrThrow();
}

/** Each merchant's current pair, and those retired in the last four days: the sweep looks back three. */
export async function listSweptCredentials(db: Db): Promise<SealedCredential[]> {
  return credentials(db)
    .where((eb) =>
      eb.or([eb('retired_at', 'is', null), eb('retired_at', '>', sql<Date>`app_now() - interval '4 days'`)]),
    )
    .orderBy('merchant_id')
    .execute();
}

/** Locks and reads every pair, retired ones too. */
export async function lockCredentials(tx: Tx): Promise<SealedCredential[]> {
  return credentials(tx).orderBy('id').forUpdate().execute();
}

export async function insertCredential(
  tx: Tx,
  pair: Omit<SealedCredential, 'id' | 'refusedAt'>,
): Promise<void> {
  await tx
    .insertInto('provider_credentials')
    .values({
      merchant_id: pair.merchantId,
      provider: 'clip',
      public_key: pair.publicKey,
      secret_ciphertext: pair.secretCiphertext,
      secret_key_id: pair.secretKeyId,
    })
    .execute();
}

export async function retireCredential(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('provider_credentials')
    .set({ retired_at: sql<Date>`app_now()` })
    .where('id', '=', id)
    .execute();
}

/** Stores a secret sealed again with another of our keys. */
export async function resealCredential(tx: Tx, id: string, ciphertext: Buffer, keyId: string): Promise<void> {
  await tx
    .updateTable('provider_credentials')
    .set({ secret_ciphertext: ciphertext, secret_key_id: keyId })
    .where('id', '=', id)
    .execute();
}

/** Merchants whose current pair is a test key. */
export async function listTestKeyMerchants(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('provider_credentials')
    .where('retired_at', 'is', null)
    .where('public_key', 'like', 'test\\_%')
    .select('merchant_id as merchantId')
    .orderBy('merchant_id')
    .execute();
  return rows.map(({ merchantId }) => merchantId);
}
