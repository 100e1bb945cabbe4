import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import { readTogether } from '../../platform/db/read-together.ts';
import type { Buyer } from '../../platform/principal.ts';
import { SESSION_LIFE } from '../credentials/token.ts';

/** What a session is opened with. */
export interface NewSession {
  /** What the browser calls itself, at most 200 characters. */
  readonly device?: string;
  /** The password that let the buyer in; no session opens if it has been changed meanwhile. */
  readonly passwordHash?: string;
}

/** Adds a session of 12 hours; false when there is no such buyer, or their password is another one by now. */
export async function insertSession(
  tx: Tx,
  buyerId: number,
  tokenHash: Buffer,
  { device = '', passwordHash }: NewSession = {},
): Promise<boolean> {
  // The lock makes a sign-in and a change of password wait for each other, so that no session survives the change.
  const { rows } = await sql`
    insert into sessions (token_hash, buyer_id, expires_at, device)
    select ${tokenHash}, id, app_now() + ${SESSION_LIFE}::interval, ${device} from buyers
    where id = ${buyerId} and password_hash = coalesce(${passwordHash ?? null}::text, password_hash)
    for share
    returning id`.execute(tx);
  return rows.length > 0;
}

export interface SessionRow {
  readonly id: number;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly device: string;
  readonly is_this: boolean;
}

/** The live sessions of a buyer, newest first; `tokenHash` tells which one asks. */
export async function listSessions(db: Db, buyerId: number, tokenHash: Buffer): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'expires_at', 'device'])
    .select(sql<boolean>`token_hash = ${tokenHash}`.as('is_this'))
    .where('buyer_id', '=', buyerId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`app_now()`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
}

/** Ends one live session of a buyer; false when they have no such session. */
export async function revokeSessionOf(tx: Tx, buyerId: number, sessionId: number): Promise<boolean> {
  const revoked = await tx
    .updateTable('sessions')
    .set({ revoked_at: sql<Date>`app_now()` })
    .where('id', '=', sessionId)
    .where('buyer_id', '=', buyerId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`app_now()`)
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}

export async function revokeAllSessions(tx: Tx, buyerId: number): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ revoked_at: sql<Date>`app_now()` })
    .where('buyer_id', '=', buyerId)
    .where('revoked_at', 'is', null)
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
export const findSession = readTogether<Buffer, Buyer | undefined>(async (db, tokenHashes) => {
  const sessions = await db
    .selectFrom('sessions')
    .select(['token_hash', 'buyer_id'])
    .where(sql<boolean>`token_hash = any(${tokenHashes}::bytea[])`)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`app_now()`)
    .execute();
  const buyerOf = new Map(sessions.map(({ token_hash, buyer_id }) => [token_hash.toString('hex'), buyer_id]));
  return tokenHashes.map((hash) => {
    const id = buyerOf.get(hash.toString('hex'));
    return id === undefined ? undefined : { kind: 'buyer', id };
  });
});
