import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import type { StaffRow } from './store.ts';

/** Adds a live code to the account of somebody who works somewhere, or is invited to, for 30 minutes; false when there is none. */
export async function addStaffResetCode(tx: Tx, email: string, codeHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    insert into staff_password_resets (staff_id, code_hash, expires_at)
    select id, ${codeHash}, app_now() + interval '30 minutes' from staff s where email = ${email}
      and (exists (select from staff_positions p where p.staff_id = s.id and p.revoked_at is null)
        or exists (select from staff_invitations i where i.email = s.email and i.expires_at > app_now()))
    returning staff_id`.execute(tx);
  return rows.length > 0;
}

/** Whose live code this is. */
export async function findStaffByResetCode(db: Db, codeHash: Buffer): Promise<StaffRow | undefined> {
  return db
    .selectFrom('staff_password_resets as r')
    .innerJoin('staff as s', 's.id', 'r.staff_id')
    .select(['s.id', 's.email', 's.name', 's.password_hash as passwordHash'])
    .where('r.code_hash', '=', codeHash)
    .where('r.expires_at', '>', sql<Date>`app_now()`)
    .executeTakeFirst();
}

/** Uses a code up, and every other of the person's with it; false when another call did. */
export async function takeStaffResetCode(tx: Tx, staffId: string, codeHash: Buffer): Promise<boolean> {
  const gone = await deleteStaffResetCodes(tx, staffId);
  return gone.some((code) => code.equals(codeHash));
}

/** Ends every reset code of a person's, and returns them. */
export async function deleteStaffResetCodes(tx: Tx, staffId: string): Promise<Buffer[]> {
  const gone = await tx
    .deleteFrom('staff_password_resets')
    .where('staff_id', '=', staffId)
    .returning('code_hash')
    .execute();
  return gone.map((row) => row.code_hash);
}

/** Sets a password and ends the person's sessions, at all merchants, but for the one that may be kept. */
export async function setStaffPassword(
  tx: Tx,
  staffId: string,
  passwordHash: string,
  kept: Buffer = Buffer.alloc(0),
): Promise<void> {
  await tx.updateTable('staff').set({ password_hash: passwordHash }).where('id', '=', staffId).execute();
  await sql`
    delete from staff_sessions session using staff_positions p
    where p.id = session.position_id and p.staff_id = ${staffId} and session.token_hash <> ${kept}`.execute(
    tx,
  );
}

/** Forgets a person's PIN. */
export async function deletePin(tx: Tx, staffId: string): Promise<void> {
  await tx.deleteFrom('staff_pins').where('staff_id', '=', staffId).execute();
}
