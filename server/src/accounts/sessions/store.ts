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
  /** The kept session that it came of. */
  readonly keptId?: number;
  /** The turn of that one that its first call proves. */
  readonly provesTurn?: number;
}

/** Adds a session of 12 hours; false when there is no such buyer, or their password is another one by now. */
export async function insertSession(
  tx: Tx,
  buyerId: number,
  tokenHash: Buffer,
  { device = '', passwordHash, keptId, provesTurn }: NewSession = {},
): Promise<boolean> {
  // The lock makes a sign-in and a change of password wait for each other, so that no session survives the change.
  const { rows } = await sql`
    insert into sessions (token_hash, buyer_id, expires_at, device, kept_id, proves_turn)
    select ${tokenHash}, id, app_now() + ${SESSION_LIFE}::interval, ${device}, ${keptId ?? null}::bigint, ${provesTurn ?? null}::int
    from buyers
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
  /** A browser that stays signed in, with all sessions that came of it; its number is its own. */
  readonly is_kept: boolean;
}

/** Where a buyer is signed in, newest first; `tokenHash` tells which one asks. */
export async function listSessions(db: Db, buyerId: number, tokenHash: Buffer): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select id, opened_at as created_at, expires_at, device, true as is_kept,
      exists (select from sessions s where s.token_hash = ${tokenHash} and s.kept_id = k.id) as is_this
    from kept_sessions k where buyer_id = ${buyerId} and ended_at is null and expires_at > app_now()
    union all
    select id, created_at, expires_at, device, false, token_hash = ${tokenHash}
    from sessions where buyer_id = ${buyerId} and kept_id is null and revoked_at is null and expires_at > app_now()
    order by created_at desc, is_kept, id desc limit 50`.execute(db);
  return rows;
}

/** Ends one live session of a buyer that came of no kept one; false when they have no such session. */
export async function revokeSessionOf(tx: Tx, buyerId: number, sessionId: number): Promise<boolean> {
  const revoked = await tx
    .updateTable('sessions')
    .set({ revoked_at: sql<Date>`app_now()` })
    .where('id', '=', sessionId)
    .where('buyer_id', '=', buyerId)
    .where('kept_id', 'is', null)
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

/** A live session's buyer, and whether its calls have yet to prove what it came of. */
interface FoundSession {
  readonly buyer: Buyer;
  readonly isUnproven: boolean;
}

/** The live session that has this token. */
export const findSession = readTogether<Buffer, FoundSession | undefined>(async (db, tokenHashes) => {
  const sessions = await db
    .selectFrom('sessions')
    .select(['token_hash', 'buyer_id', 'proves_turn'])
    .where(sql<boolean>`token_hash = any(${tokenHashes}::bytea[])`)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`app_now()`)
    .execute();
  const found = new Map(sessions.map((session) => [session.token_hash.toString('hex'), session]));
  return tokenHashes.map((hash) => {
    const session = found.get(hash.toString('hex'));
    return (
      session && {
        buyer: { kind: 'buyer', id: session.buyer_id },
        isUnproven: session.proves_turn !== null,
      }
    );
  });
});
