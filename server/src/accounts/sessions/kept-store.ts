import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';

/** How long a browser that is not used stays signed in, and how long at most, as PostgreSQL reads it. */
const IDLE_LIFE = '60 days';
const WHOLE_LIFE = '365 days';
/** How long a secret that was replaced is still taken, at least: tabs may have sent it too, and a call takes 20 seconds at most. */
const GRACE = '1 minute';

export interface NewKept {
  readonly nameHash: Buffer;
  readonly chainKey: Buffer;
  readonly secretHash: Buffer;
  readonly device: string;
}

/** Seconds from now, as a cookie says it. */
const lifeLeft = sql<number>`floor(extract(epoch from expires_at - app_now()))::int`;

/** Adds a kept session; gives its number, and the seconds it lasts unless it is used. */
export async function insertKept(
  tx: Tx,
  buyerId: number,
  { nameHash, chainKey, secretHash, device }: NewKept,
): Promise<{ id: number; seconds: number }> {
  return tx
    .insertInto('kept_sessions')
    .values({
      buyer_id: buyerId,
      name_hash: nameHash,
      chain_key: chainKey,
      secret_hash: secretHash,
      device,
      expires_at: sql<Date>`app_now() + ${IDLE_LIFE}::interval`,
    })
    .returning(['id', lifeLeft.as('seconds')])
    .executeTakeFirstOrThrow();
}

export interface LiveKept {
  readonly id: number;
  readonly buyerId: number;
  readonly chainKey: Buffer;
  readonly secretHash: Buffer;
  readonly turn: number;
  readonly seconds: number;
  /** How many turns ago a secret may have been replaced that its own browser may still send. */
  readonly spares: number;
  /** Sessions that came of it in the last hour. */
  readonly lately: number;
}

/** Locks a live kept session by its name, behind its buyer, whom a change of password locks first. */
export async function lockKept(tx: Tx, nameHash: Buffer): Promise<LiveKept | undefined> {
  await sql`select from buyers where id = (select buyer_id from kept_sessions where name_hash = ${nameHash}) for share`.execute(
    tx,
  );
  const { rows } = await sql<LiveKept>`
    select id, buyer_id as "buyerId", chain_key as "chainKey", secret_hash as "secretHash", turn, ${lifeLeft} as seconds,
      case when grace_at > app_now() - 2 * ${GRACE}::interval then turn - grace_turn
        when turn > 0 and proven_at is null then 1 else 0 end as spares,
      (select count(*)::int from sessions s where s.buyer_id = k.buyer_id and s.kept_id = k.id
        and s.created_at > app_now() - interval '1 hour') as lately
    from kept_sessions k where name_hash = ${nameHash} and ended_at is null and expires_at > app_now()
    for update`.execute(tx);
  return rows[0];
}

const isInGrace = sql`grace_at > app_now() - ${GRACE}::interval`;

/** Replaces the secret, and begins its life anew; gives the turn and the seconds that are left. */
export async function turnKept(
  tx: Tx,
  id: number,
  secretHash: Buffer,
): Promise<{ turn: number; seconds: number }> {
  return tx
    .updateTable('kept_sessions')
    .set({
      secret_hash: secretHash,
      turn: sql<number>`turn + 1`,
      grace_turn: sql<number>`case when ${isInGrace} then grace_turn else turn end`,
      grace_at: sql<Date>`case when ${isInGrace} then grace_at else app_now() end`,
      proven_at: null,
      expires_at: sql<Date>`least(app_now() + ${IDLE_LIFE}::interval, opened_at + ${WHOLE_LIFE}::interval)`,
    })
    .where('id', '=', id)
    .returning(['turn', lifeLeft.as('seconds')])
    .executeTakeFirstOrThrow();
}

/** What a session's first call says: that its browser has the secret of that turn. A deferred write. */
export async function proveKept(tx: Tx, tokenHash: Buffer): Promise<void> {
  await defer(
    tx,
    sql`
    with proven as (
      update kept_sessions k set proven_at = app_now() from sessions s
      where s.token_hash = ${tokenHash} and k.id = s.kept_id and k.turn = s.proves_turn and k.proven_at is null)
    update sessions set proves_turn = null where token_hash = ${tokenHash} and proves_turn is not null`,
  );
}

/** Which kept session: one of a buyer, the one that a token came of, or the one of a cookie's name. */
export type WhichKept =
  | { readonly buyerId: number; readonly keptId: number }
  | { readonly tokenHash: Buffer }
  | { readonly nameHash: Buffer };

/** Ends a live kept session with all sessions that came of it, and says which; undefined when there is none. */
export async function endKept(
  tx: Tx,
  which: WhichKept,
): Promise<{ id: number; buyerId: number } | undefined> {
  const isIt =
    'keptId' in which
      ? sql`id = ${which.keptId} and buyer_id = ${which.buyerId}`
      : 'nameHash' in which
        ? sql`name_hash = ${which.nameHash}`
        : sql`id = (select kept_id from sessions where token_hash = ${which.tokenHash})`;
  const { rows } = await sql<{ id: number; buyerId: number }>`
    update kept_sessions set ended_at = app_now()
    where ${isIt} and ended_at is null and expires_at > app_now() returning id, buyer_id as "buyerId"`.execute(
    tx,
  );
  const [ended] = rows;
  if (ended === undefined) return undefined;
  await defer(
    tx,
    sql`update sessions set revoked_at = app_now()
      where buyer_id = ${ended.buyerId} and kept_id = ${ended.id} and revoked_at is null`,
  );
  return ended;
}

/** Ends all kept sessions of a buyer. A deferred write. */
export async function endAllKept(tx: Tx, buyerId: number): Promise<void> {
  await defer(
    tx,
    sql`update kept_sessions set ended_at = app_now() where buyer_id = ${buyerId} and ended_at is null`,
  );
}
