import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import type { Staff } from '../../platform/principal.ts';
import { SESSION_LIFE } from '../credentials/token.ts';
import { branchesOfPosition } from './read-model.ts';

/** What let somebody in: no session opens when it has been changed, or the device revoked, meanwhile. */
export type LetInBy =
  | { readonly passwordHash: string; readonly browser?: string }
  | { readonly passkeyId: string; readonly browser: string }
  | { readonly deviceId: string; readonly pinHash: string };

/** Whether a session of position `p` lacks the passkey that its merchant asks of owners; a PIN never acts as one. */
const LACKS_PASSKEY = sql<boolean>`(p.role = 'owner' and session.passkey_id is null and session.device_id is null
  and exists (select from owner_passkey_rules r where r.merchant_id = p.merchant_id))`;

/** A session that was just opened. */
export interface NewSession {
  readonly expiresAt: Date;
  readonly lacksPasskey: boolean;
}

/**
 * Opens a session of 12 hours of a live position; undefined when the position, or what let them in, is over. The locks make a
 * sign-in wait for what ends it, and the other way about.
 */
export async function insertStaffSession(
  tx: Tx,
  positionId: string,
  tokenHash: Buffer,
  by: LetInBy,
): Promise<NewSession | undefined> {
  const [deviceId, usedAt, from] =
    'deviceId' in by
      ? [
          by.deviceId,
          sql`app_now()`,
          sql`join counter_devices d on d.id = ${by.deviceId} and d.merchant_id = p.merchant_id and d.revoked_at is null
              join staff_pins n on n.staff_id = p.staff_id and n.pin_hash = ${by.pinHash}`,
        ]
      : 'passkeyId' in by
        ? [null, sql`null`, sql`join staff_passkeys k on k.staff_id = p.staff_id and k.id = ${by.passkeyId}`]
        : [null, sql`null`, sql`join staff s on s.id = p.staff_id and s.password_hash = ${by.passwordHash}`];
  const passkeyId = 'passkeyId' in by ? by.passkeyId : null;
  const browser = ('browser' in by && by.browser) || '';
  const { rows } = await sql<NewSession>`
    insert into staff_sessions as session (token_hash, position_id, expires_at, device_id, used_at, browser, passkey_id)
    select ${tokenHash}, p.id, app_now() + ${SESSION_LIFE}::interval, ${deviceId}::uuid, ${usedAt}, ${browser}, ${passkeyId}::uuid
    from staff_positions p ${from}
    where p.id = ${positionId} and p.revoked_at is null
    for share
    returning expires_at as "expiresAt",
      (select ${LACKS_PASSKEY} from staff_positions p where p.id = session.position_id) as "lacksPasskey"`.execute(
    tx,
  );
  return rows[0];
}

/** How long after a sign-in it still proves who is there. */
const FRESH = sql`interval '10 minutes'`;

/** Whether the session with this token was opened a moment ago. */
export async function isFresh(db: Db, tokenHash: Buffer): Promise<boolean> {
  const found = await db
    .selectFrom('staff_sessions')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .where('created_at', '>', sql<Date>`app_now() - ${FRESH}`)
    .executeTakeFirst();
  return found !== undefined;
}

/** Counts a session as opened by a passkey, which its person has just used; false when it has ended. */
export async function setSessionPasskey(tx: Tx, tokenHash: Buffer, passkeyId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff_sessions')
    .set({ passkey_id: passkeyId })
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the sessions that a passkey opened, but for the one that may be kept. */
export async function deletePasskeySessions(
  tx: Tx,
  passkeyId: string,
  kept: Buffer = Buffer.alloc(0),
): Promise<void> {
  await tx
    .deleteFrom('staff_sessions')
    .where('passkey_id', '=', passkeyId)
    .where('token_hash', '<>', kept)
    .execute();
}

export async function deleteStaffSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.deleteFrom('staff_sessions').where('token_hash', '=', tokenHash).execute();
}

/** Ends the sessions on a device. */
export async function deleteDeviceSessions(tx: Tx, deviceId: string): Promise<void> {
  await tx.deleteFrom('staff_sessions').where('device_id', '=', deviceId).execute();
}

/** A device asks for the PIN after two minutes without a touch; as long again is for calls that touches make late. */
const DEVICE_REST = sql`interval '4 minutes'`;
/** Use is written down no more often. */
const USE_STEP = sql`interval '30 seconds'`;

/** A live session's person, and whether it is time to write down that it is used. */
export interface FoundSession {
  readonly staff: Staff;
  readonly isUseDue: boolean;
}

/**
 * Whose live session has this token, with what they may and where, as it is now. One of a shared device is nobody's without the
 * device's secret, and after it rested.
 */
export async function findStaffSession(
  db: Db,
  tokenHash: Buffer,
  deviceSecretHash: Buffer | undefined,
): Promise<FoundSession | undefined> {
  const found = await db
    .selectFrom('staff_sessions as session')
    .innerJoin('staff_positions as p', 'p.id', 'session.position_id')
    .leftJoin('counter_devices as d', 'd.id', 'session.device_id')
    .select([
      'p.staff_id as staffId',
      'p.id as positionId',
      'p.merchant_id as merchantId',
      'p.role',
      'd.id as deviceId',
      'd.branch_id as deviceBranchId',
      'session.passkey_id as passkeyId',
      LACKS_PASSKEY.as('lacksPasskey'),
      sql<number[]>`to_jsonb(array(select id from (${branchesOfPosition}) as branch
        where d.id is null or id = d.branch_id order by id))`.as('branchIds'),
      sql<boolean>`coalesce(session.used_at < app_now() - ${USE_STEP}, false)`.as('isUseDue'),
    ])
    .where('session.token_hash', '=', tokenHash)
    .where('session.expires_at', '>', sql<Date>`app_now()`)
    .where('p.revoked_at', 'is', null)
    .where(
      sql<boolean>`(session.device_id is null or (d.revoked_at is null and d.secret_hash = ${deviceSecretHash ?? null}
        and session.used_at > app_now() - ${DEVICE_REST}))`,
    )
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { deviceId, deviceBranchId, passkeyId, isUseDue, ...staff } = found;
  const device =
    deviceId === null || deviceBranchId === null ? undefined : { id: deviceId, branchId: deviceBranchId };
  return { staff: { kind: 'staff', ...staff, passkeyId: passkeyId ?? undefined, device }, isUseDue };
}

/** Writes down that a device's session is used. */
export async function noteUse(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx
    .updateTable('staff_sessions')
    .set({ used_at: sql<Date>`app_now()` })
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** A live session as its person, or an owner, recognises it. */
export interface StaffSessionRow {
  readonly id: string;
  readonly openedAt: Date;
  readonly expiresAt: Date;
  readonly browser: string;
  /** The shared device on which it was opened. */
  readonly device: string | null;
  readonly isThis: boolean;
}

/** Names a session by its token's hash, which opens nothing. */
const SESSION_ID = sql<string>`encode(session.token_hash, 'hex')`;

/** The live sessions of a position, newest first. */
export async function listStaffSessions(
  db: Db,
  positionId: string,
  tokenHash: Buffer,
): Promise<StaffSessionRow[]> {
  return db
    .selectFrom('staff_sessions as session')
    .leftJoin('counter_devices as d', 'd.id', 'session.device_id')
    .select([
      SESSION_ID.as('id'),
      'session.created_at as openedAt',
      'session.expires_at as expiresAt',
      'session.browser',
      'd.name as device',
      sql<boolean>`session.token_hash = ${tokenHash}`.as('isThis'),
    ])
    .where('session.position_id', '=', positionId)
    .where('session.expires_at', '>', sql<Date>`app_now()`)
    .where(sql<boolean>`(session.used_at is null or session.used_at > app_now() - ${DEVICE_REST})`)
    .orderBy('session.created_at', 'desc')
    .limit(50)
    .execute();
}

/** Ends a position's sessions, or the one with this id; returns how many. */
export async function deleteSessionsOf(tx: Tx, positionId: string, sessionId?: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('staff_sessions as session')
    .where('position_id', '=', positionId)
    .$if(sessionId !== undefined, (query) => query.where(SESSION_ID, '=', sessionId ?? ''))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
