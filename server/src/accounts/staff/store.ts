import type { ShopMail } from '@aparta/domain/shop-mails';
import type { StaffRole } from '@aparta/domain/staff-rights';
import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import type { Staff } from '../../platform/principal.ts';
import { defer } from '../../platform/db/transaction.ts';

export interface StaffRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
}

const people = (db: Db | Tx) =>
  db.selectFrom('staff').select(['id', 'email', 'name', 'password_hash as passwordHash']);

export async function findStaff(db: Db | Tx, id: string): Promise<StaffRow | undefined> {
  return people(db).where('id', '=', id).executeTakeFirst();
}

export async function findStaffByEmail(db: Db | Tx, email: string): Promise<StaffRow | undefined> {
  return people(db).where('email', '=', email).executeTakeFirst();
}

/** Adds a person and returns their id; `isConfirmed`: by a code of their mailbox. Throws on `staff_email_once`. */
export async function insertStaff(
  tx: Tx,
  {
    email,
    name,
    passwordHash,
    isConfirmed = false,
  }: { email: string; name: string; passwordHash: string; isConfirmed?: boolean },
): Promise<string> {
  const { id } = await tx
    .insertInto('staff')
    .values({
      email,
      name,
      password_hash: passwordHash,
      email_confirmed_at: isConfirmed ? sql<Date>`app_now()` : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Writes down that a person reads their mailbox; false when that was known. `unlessPasskeys`: not of one who has passkeys, for
 * nobody knows who left them.
 */
export async function confirmStaffEmail(
  tx: Tx,
  staffId: string,
  { unlessPasskeys = false }: { unlessPasskeys?: boolean } = {},
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff')
    .set({ email_confirmed_at: sql<Date>`app_now()` })
    .where('id', '=', staffId)
    .where('email_confirmed_at', 'is', null)
    .$if(unlessPasskeys, (query) =>
      query.where(sql<boolean>`not exists (select from staff_passkeys k where k.staff_id = ${staffId})`),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What somebody is at a merchant, and where. */
export interface NewPosition {
  readonly staffId: string;
  readonly merchantId: number;
  readonly role: StaffRole;
  readonly branchIds: readonly number[];
}

/** Gives a person a position and returns its id. Throws on `staff_positions_one_live`. */
export async function insertPosition(
  tx: Tx,
  { staffId, merchantId, role, branchIds }: NewPosition,
): Promise<string> {
  const { id } = await tx
    .insertInto('staff_positions')
    .values({ staff_id: staffId, merchant_id: merchantId, role })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = branchIds.map((branch_id) => ({ position_id: id, merchant_id: merchantId, role, branch_id }));
  if (rows.length > 0) await tx.insertInto('staff_position_branches').values(rows).execute();
  return id;
}

/** Locks a merchant's live positions of owners, so that two who revoke each other leave one; then reads who they are. */
export async function lockOwners(tx: Tx, merchantId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('staff_positions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('role', '=', 'owner')
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** A merchant's live position, with whose it is. */
export async function findPositionAt(
  db: Db | Tx,
  merchantId: number,
  positionId: string,
): Promise<{ readonly staffId: string; readonly email: string } | undefined> {
  return db
    .selectFrom('staff_positions as p')
    .innerJoin('staff as s', 's.id', 'p.staff_id')
    .select(['s.id as staffId', 's.email'])
    .where('p.id', '=', positionId)
    .where('p.merchant_id', '=', merchantId)
    .where('p.revoked_at', 'is', null)
    .executeTakeFirst();
}

/** Keeps a position live to the end of the transaction; false when it has ended. */
export async function holdPosition(tx: Tx, positionId: string): Promise<boolean> {
  const held = await tx
    .selectFrom('staff_positions')
    .select('id')
    .where('id', '=', positionId)
    .where('revoked_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return held !== undefined;
}

/** Ends a live position with its sessions and invitations; undefined when the merchant has none with that id. */
export async function revokePosition(
  tx: Tx,
  merchantId: number,
  positionId: string,
): Promise<{ readonly staffId: string; readonly email: string } | undefined> {
  const revoked = await tx
    .updateTable('staff_positions as p')
    .from('staff as s')
    .whereRef('s.id', '=', 'p.staff_id')
    .where('p.id', '=', positionId)
    .where('p.merchant_id', '=', merchantId)
    .where('p.revoked_at', 'is', null)
    .set({ revoked_at: sql<Date>`app_now()` })
    .returning(['s.id as staffId', 's.email'])
    .executeTakeFirst();
  if (revoked === undefined) return undefined;
  await tx.deleteFrom('staff_sessions').where('position_id', '=', positionId).execute();
  await tx.deleteFrom('staff_invitations').where('invited_by', '=', positionId).execute();
  return revoked;
}

/** What somebody of the staff did. */
export interface StaffAct {
  readonly by: Pick<Staff, 'positionId' | 'merchantId'> & Partial<Pick<Staff, 'device'>>;
  /** Where; the device's branch when it is not said. */
  readonly branchId?: number | undefined;
  readonly act: string;
  readonly subject: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Writes down what somebody did, in the transaction in which they do it. A deferred write. */
export async function recordStaffAct(
  tx: Tx,
  { by, branchId, act, subject, detail }: StaffAct,
): Promise<void> {
  await defer(
    tx,
    sql`insert into staff_acts (position_id, merchant_id, branch_id, device_id, act, subject_id, detail)
      values (${by.positionId}, ${by.merchantId}, ${branchId ?? by.device?.branchId ?? null}, ${by.device?.id ?? null}, ${act},
        ${subject}, ${JSON.stringify(detail ?? {})}::jsonb)`,
  );
}

export interface StaffActRow {
  readonly at: Date;
  readonly name: string;
  readonly email: string;
  readonly role: StaffRole;
  readonly branch: string | null;
  readonly device: string | null;
  readonly act: string;
  readonly subject: string;
  readonly detail: unknown;
}

/** What a merchant's staff did, newest first. */
export async function listStaffActs(db: Db, merchantId: number, limit: number): Promise<StaffActRow[]> {
  return db
    .selectFrom('staff_acts as a')
    .innerJoin('staff_positions as p', 'p.id', 'a.position_id')
    .innerJoin('staff as s', 's.id', 'p.staff_id')
    .leftJoin('branches as b', 'b.id', 'a.branch_id')
    .leftJoin('counter_devices as d', 'd.id', 'a.device_id')
    .where('a.merchant_id', '=', merchantId)
    .orderBy('a.id', 'desc')
    .limit(limit)
    .select([
      'a.at',
      's.name',
      's.email',
      'p.role',
      'b.name as branch',
      'd.name as device',
      'a.act',
      'a.subject_id as subject',
      'a.detail',
    ])
    .execute();
}

/** Gives a new position what its person chose to be mailed in the one before. Only owners choose; a deferred write. */
export async function saveMailsOf(tx: Tx, from: string, to: string): Promise<void> {
  await defer(
    tx,
    sql`update staff_positions p set mails = b.mails, digest_off_at = b.digest_off_at from staff_positions b
      where p.id = ${to} and b.id = ${from} and exists (select from staff_positions o
        where o.staff_id = b.staff_id and o.merchant_id = b.merchant_id and o.role = 'owner' and o.revoked_at is not null)`,
  );
}

/**
 * Turns an email on or off for whose position it is or was, in the one that they have now at that shop, and says which; undefined
 * when it is so already.
 */
export async function turnMail(
  tx: Tx,
  { positionId, mail }: { readonly positionId: string; readonly mail: ShopMail },
  isOn: boolean,
): Promise<{ readonly positionId: string; readonly merchantId: number } | undefined> {
  const whose = sql<boolean>`(staff_id, merchant_id) = (select staff_id, merchant_id from staff_positions where id = ${positionId})`;
  const live = tx.updateTable('staff_positions').where(whose).where('revoked_at', 'is', null);
  const turned =
    mail === 'digest'
      ? live
          .where('digest_off_at', isOn ? 'is not' : 'is', null)
          .set({ digest_off_at: isOn ? null : sql<Date>`app_now()` })
      : live
          .where(sql<boolean>`(${mail} = any (mails)) <> ${isOn}`)
          .set({ mails: isOn ? sql`array_append(mails, ${mail})` : sql`array_remove(mails, ${mail})` });
  return turned.returning(['id as positionId', 'merchant_id as merchantId']).executeTakeFirst();
}
