import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { newToken, tokenHash } from '../credentials/token.ts';
import {
  deleteStaffSession,
  findStaffSession,
  insertStaffSession,
  type LetInBy,
  type NewSession,
  noteUse,
} from './session-store.ts';

/** Opens a session of 12 hours of a position; of its token only the hash is kept. Refuses with WRONG_CREDENTIALS one that has ended. */
export async function openStaffSession(
  tx: Tx,
  positionId: string,
  by: LetInBy,
): Promise<NewSession & { readonly token: string }> {
  const token = newToken('staff');
  const opened = await insertStaffSession(tx, positionId, tokenHash(token), by);
  if (opened === undefined) throw new Refusal('WRONG_CREDENTIALS');
  return { token, ...opened };
}

/** Whose live session this is; `deviceSecret` is that of the shared device that calls, if it is one. */
export async function identifyStaff(
  db: Db,
  token: string,
  deviceSecret: string | undefined,
): Promise<Staff | undefined> {
  const found = await findStaffSession(
    db,
    tokenHash(token),
    deviceSecret === undefined ? undefined : tokenHash(deviceSecret),
  );
  if (found?.isUseDue === true) await transaction(db, (tx) => noteUse(tx, tokenHash(token)));
  return found?.staff;
}

/** Ends the session that has this token. */
export async function endStaffSession(db: Db, token: string): Promise<void> {
  await transaction(db, (tx) => deleteStaffSession(tx, tokenHash(token)));
}
