import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { newToken, tokenHash } from '../credentials/token.ts';
import { deleteStaffSession, insertStaffSession } from './store.ts';

/** Opens a session of 12 hours of a position; of its token only the hash is kept. Refuses with WRONG_CREDENTIALS one that has ended. */
export async function openStaffSession(
  tx: Tx,
  positionId: string,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = newToken('staff');
  const expiresAt = await insertStaffSession(tx, positionId, tokenHash(token));
  if (expiresAt === undefined) throw new Refusal('WRONG_CREDENTIALS');
  return { token, expiresAt };
}

/** Ends the session that has this token. */
export async function endStaffSession(db: Db, token: string): Promise<void> {
  await transaction(db, (tx) => deleteStaffSession(tx, tokenHash(token)));
}
