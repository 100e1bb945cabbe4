import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { tokenHash } from '../credentials/token.ts';
import { deleteSessionsOf, listStaffSessions, type StaffSessionRow } from './session-store.ts';
import { findPositionAt, recordStaffAct } from './store.ts';

/** Where somebody of the caller's merchant is signed in, newest first; `token` is the session that asks. Refuses with NOT_FOUND. */
export async function staffSessionsOf(
  db: Db,
  caller: Staff,
  positionId: string,
  token: string,
): Promise<StaffSessionRow[]> {
  await demandPosition(db, caller, positionId);
  return listStaffSessions(db, positionId, tokenHash(token));
}

/** Ends one session of the caller's own. Refuses with NOT_FOUND. */
export async function endOwnSession(db: Db, caller: Staff, sessionId: string): Promise<void> {
  const ended = await transaction(db, (tx) => deleteSessionsOf(tx, caller.positionId, sessionId));
  if (ended === 0) throw new Refusal('NOT_FOUND');
}

/** Ends every session of somebody of the caller's merchant. Refuses with NOT_FOUND. */
export async function endStaffSessions(db: Db, caller: Staff, positionId: string): Promise<void> {
  const { email } = await demandPosition(db, caller, positionId);
  await transaction(db, async (tx) => {
    await deleteSessionsOf(tx, positionId);
    await recordStaffAct(tx, { by: caller, act: 'end_sessions', subject: email, detail: { positionId } });
  });
}

async function demandPosition(db: Db, { merchantId }: Staff, positionId: string) {
  const position = await findPositionAt(db, merchantId, positionId);
  if (position === undefined) throw new Refusal('NOT_FOUND');
  return position;
}
