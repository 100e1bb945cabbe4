import { sql, type Selectable } from 'kysely';

import type { Db, Tx } from '../db/db.ts';
import type { BuyersTable } from '../db/tables.ts';
import { refusedBy } from '../db/transaction.ts';
import type { Principal } from '../principal.ts';
import { Refusal } from '../refusal.ts';

export type BuyerRow = Selectable<BuyersTable>;

const SESSION_LIFE = sql`interval '12 hours'`;

export async function findBuyer(db: Db, id: number): Promise<BuyerRow | undefined> {
  return db.selectFrom('buyers').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findBuyerByEmail(db: Db, email: string): Promise<BuyerRow | undefined> {
  return db.selectFrom('buyers').selectAll().where('email', '=', email).executeTakeFirst();
}

export async function isEmailTaken(db: Db, email: string): Promise<boolean> {
  const found = await db.selectFrom('buyers').select('id').where('email', '=', email).executeTakeFirst();
  return found !== undefined;
}

export interface NewBuyer {
  readonly email: string;
  readonly userName: string;
  readonly phone: string;
  readonly passwordHash: string;
  readonly termsAccepted: boolean;
  readonly termsVersion: string | undefined;
}

/** Adds a buyer and returns its id. Refuses with EMAIL_TAKEN. */
export async function insertBuyer(tx: Tx, buyer: NewBuyer): Promise<number> {
  try {
    const { id } = await tx
      .insertInto('buyers')
      .values({
        email: buyer.email,
        user_name: buyer.userName,
        name: buyer.userName,
        phone: buyer.phone,
        password_hash: buyer.passwordHash,
        terms_accepted_at: buyer.termsAccepted ? sql<Date>`app_now()` : null,
        terms_version: buyer.termsAccepted ? (buyer.termsVersion ?? null) : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  } catch (error) {
    if (refusedBy(error) === 'buyers_email_once') throw new Refusal('EMAIL_TAKEN');
    throw error;
  }
}

export async function insertSession(tx: Tx, buyerId: number, tokenHash: Buffer): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({ token_hash: tokenHash, buyer_id: buyerId, expires_at: sql<Date>`app_now() + ${SESSION_LIFE}` })
    .execute();
}

export async function revokeSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ revoked_at: sql<Date>`app_now()` })
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .execute();
}

/** The buyer whose live session has this token. */
export async function findSession(db: Db, tokenHash: Buffer): Promise<Principal | undefined> {
  const session = await db
    .selectFrom('sessions')
    .select('buyer_id')
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`app_now()`)
    .executeTakeFirst();
  return session && { kind: 'buyer', id: session.buyer_id };
}

export interface MachineRow {
  readonly id: string;
  readonly kind: 'till' | 'integrator';
  readonly secret_hash: string;
}

/** A machine that may sign in: not revoked. */
export async function findMachine(
  db: Db,
  kind: MachineRow['kind'],
  userName: string,
): Promise<MachineRow | undefined> {
  return db
    .selectFrom('machine_credentials')
    .select(['id', 'kind', 'secret_hash'])
    .where('kind', '=', kind)
    .where('user_name', '=', userName)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
}

export type NewMachine = { readonly userName: string; readonly secretHash: string } & (
  | { readonly kind: 'till'; readonly chain: string }
  | { readonly kind: 'integrator'; readonly merchantId: number }
);

export async function insertMachine(tx: Tx, machine: NewMachine): Promise<string> {
  const { id } = await tx
    .insertInto('machine_credentials')
    .values({
      kind: machine.kind,
      user_name: machine.userName,
      secret_hash: machine.secretHash,
      chain: machine.kind === 'till' ? machine.chain : null,
      merchant_id: machine.kind === 'integrator' ? machine.merchantId : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function insertMachineSession(tx: Tx, credentialId: string, tokenHash: Buffer): Promise<void> {
  await tx
    .insertInto('machine_sessions')
    .values({
      token_hash: tokenHash,
      credential_id: credentialId,
      expires_at: sql<Date>`app_now() + ${SESSION_LIFE}`,
    })
    .execute();
}

/** The machine whose live session has this token. A revoked credential ends its sessions at once. */
export async function findMachineSession(db: Db, tokenHash: Buffer): Promise<Principal | undefined> {
  const machine = await db
    .selectFrom('machine_sessions as session')
    .innerJoin('machine_credentials as credential', 'credential.id', 'session.credential_id')
    .select(['credential.id', 'credential.chain', 'credential.merchant_id'])
    .where('session.token_hash', '=', tokenHash)
    .where('session.expires_at', '>', sql<Date>`app_now()`)
    .where('credential.revoked_at', 'is', null)
    .executeTakeFirst();
  if (machine === undefined) return undefined;
  if (machine.chain !== null) return { kind: 'till', credentialId: machine.id, chain: machine.chain };
  if (machine.merchant_id !== null) {
    return { kind: 'integrator', credentialId: machine.id, merchantId: machine.merchant_id };
  }
  return undefined;
}
