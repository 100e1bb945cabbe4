import type { Db, Tx } from '../../platform/db/db.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { isPasskeyDemanded } from './store.ts';

/**
 * Refuses with PASSKEY_NEEDED an owner of whom a passkey is asked and who has not shown one in this session. Passkeys are the
 * person's, so a password alone touches none at any of their merchants, asked for there or not.
 */
export async function demandShownPasskey(db: Db | Tx, { staffId, passkeyId }: Staff): Promise<void> {
  if (passkeyId === undefined && (await isPasskeyDemanded(db, staffId))) throw new Refusal('PASSKEY_NEEDED');
}
