import type { Tx } from '../../platform/db/db.ts';
import { deletePasskeySessions } from '../staff/session-store.ts';
import { deletePasskey, lockPasskeysOf } from './store.ts';

/** Forgets a person's passkeys and ends the sessions that those opened. Returns how many there were. */
export async function forgetPasskeys(tx: Tx, staffId: string): Promise<number> {
  const known = await lockPasskeysOf(tx, staffId);
  for (const id of known) {
    await deletePasskeySessions(tx, id);
    await deletePasskey(tx, id);
  }
  return known.length;
}
