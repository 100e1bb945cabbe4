import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';

/** A passkey as its signature is checked. */
export interface PasskeyRow {
  readonly id: string;
  readonly staffId: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
}

/** Keeps what a passkey is asked to sign, for 5 minutes: for a person who adds one, or for nobody yet, who signs in. */
export async function insertChallenge(
  tx: Tx,
  challengeHash: Buffer,
  staffId: string | undefined,
): Promise<void> {
  await tx
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: challengeHash,
      staff_id: staffId ?? null,
      expires_at: sql<Date>`app_now() + interval '5 minutes'`,
    })
    .execute();
}

/** Uses a live challenge up; false for any other, and for another purpose's. Of two at once one gets it. */
export async function takeChallenge(
  tx: Tx,
  challengeHash: Buffer,
  staffId: string | undefined,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', challengeHash)
    .where('expires_at', '>', sql<Date>`app_now()`)
    .where('staff_id', staffId === undefined ? 'is' : '=', staffId ?? null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | undefined> {
  return db
    .selectFrom('staff_passkeys')
    .select([
      'id',
      'staff_id as staffId',
      'credential_id as credentialId',
      'public_key as publicKey',
      'counter',
    ])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

export interface NewPasskey extends Omit<PasskeyRow, 'id'> {
  readonly transports: readonly string[];
  readonly name: string;
  readonly isSynced: boolean;
}

/** Adds a passkey and returns its id. Throws on `staff_passkeys_credential_once`. */
export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<string> {
  const { staffId, credentialId, publicKey, counter, transports, name, isSynced } = passkey;
  const { id } = await tx
    .insertInto('staff_passkeys')
    .values({
      staff_id: staffId,
      credential_id: credentialId,
      public_key: publicKey,
      counter,
      transports: [...transports],
      name,
      backed_up: isSynced,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Writes down that a passkey was used, and its counter; false when it is gone, or a use with this counter, or a later one, came
 * before: then there are two of it.
 */
export async function notePasskeyUse(
  tx: Tx,
  id: string,
  { counter, isSynced }: { counter: number; isSynced: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff_passkeys')
    .set({ counter, backed_up: isSynced, used_at: sql<Date>`app_now()` })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A passkey as its person recognises it. */
export interface ListedPasskey {
  readonly id: string;
  readonly credentialId: string;
  readonly transports: readonly string[];
  readonly name: string;
  readonly isSynced: boolean;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

/** A person's passkeys, oldest first. */
export async function listPasskeysOf(db: Db | Tx, staffId: string): Promise<ListedPasskey[]> {
  return db
    .selectFrom('staff_passkeys')
    .select([
      'id',
      'credential_id as credentialId',
      'transports',
      'name',
      'backed_up as isSynced',
      'created_at as createdAt',
      'used_at as usedAt',
    ])
    .where('staff_id', '=', staffId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Locks a person's passkeys, so that a sign-in by one waits for its end, and returns their ids. */
export async function lockPasskeysOf(tx: Tx, staffId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('staff_passkeys')
    .select('id')
    .where('staff_id', '=', staffId)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Renames a person's passkey; false when it is not theirs. */
export async function setPasskeyName(tx: Tx, staffId: string, id: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff_passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('staff_id', '=', staffId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deletePasskey(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('staff_passkeys').where('id', '=', id).execute();
}

/** Whether a merchant where the person is an owner asks its owners for a passkey. */
export async function isPasskeyDemanded(db: Db | Tx, staffId: string): Promise<boolean> {
  const found = await db
    .selectFrom('staff_positions as p')
    .innerJoin('owner_passkey_rules as r', 'r.merchant_id', 'p.merchant_id')
    .select('p.id')
    .where('p.staff_id', '=', staffId)
    .where('p.role', '=', 'owner')
    .where('p.revoked_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Sets whether a merchant's owners need a passkey; false when that was so. */
export async function setRule(tx: Tx, merchantId: number, ownersNeedPasskey: boolean): Promise<boolean> {
  const { rows } = ownersNeedPasskey
    ? await sql`insert into owner_passkey_rules (merchant_id) values (${merchantId})
        on conflict do nothing returning merchant_id`.execute(tx)
    : await sql`delete from owner_passkey_rules where merchant_id = ${merchantId} returning merchant_id`.execute(
        tx,
      );
  return rows.length > 0;
}
