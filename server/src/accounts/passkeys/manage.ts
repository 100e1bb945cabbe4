import type { Db, Tx } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { normaliseEmail } from '../buyers/email.ts';
import { tokenHash } from '../credentials/token.ts';
import { listPositionsOf } from '../staff/read-model.ts';
import { deletePasskeySessions } from '../staff/session-store.ts';
import { findStaffByEmail, holdPosition, recordStaffAct } from '../staff/store.ts';
import { demandShownPasskey } from './demand-shown-passkey.ts';
import { forgetPasskeys } from './forget-passkeys.ts';
import {
  deletePasskey,
  isPasskeyDemanded,
  type ListedPasskey,
  listPasskeysOf,
  lockPasskeysOf,
  setPasskeyName,
  setRule,
} from './store.ts';

/** The caller's passkeys, oldest first. */
export async function passkeysOf(db: Db, { staffId }: Staff): Promise<ListedPasskey[]> {
  return listPasskeysOf(db, staffId);
}

/** Renames one of the caller's passkeys. Refuses with NOT_FOUND, and with PASSKEY_NEEDED as `demandShownPasskey` does. */
export async function renamePasskey(
  db: Db,
  caller: Staff,
  { passkeyId, name }: { passkeyId: string; name: string },
): Promise<void> {
  await transaction(db, async (tx) => {
    if (!(await setPasskeyName(tx, caller.staffId, passkeyId, name))) throw new Refusal('NOT_FOUND');
    await demandShownPasskey(tx, caller);
    await recordStaffAct(tx, { by: caller, act: 'rename_passkey', subject: passkeyId, detail: { name } });
  });
}

/**
 * Removes one of the caller's passkeys, and ends the other sessions that it opened. Refuses with NOT_FOUND, with PASSKEY_NEEDED as
 * `demandShownPasskey` does, and with LAST_PASSKEY the only one of an owner whose merchant asks for one.
 */
export async function removePasskey(
  db: Db,
  caller: Staff,
  { passkeyId, token }: { passkeyId: string; token: string },
): Promise<void> {
  await transaction(db, async (tx) => {
    const known = await lockPasskeysOf(tx, caller.staffId);
    if (!known.includes(passkeyId)) throw new Refusal('NOT_FOUND');
    await demandShownPasskey(tx, caller);
    if (known.length === 1 && (await isPasskeyDemanded(tx, caller.staffId)))
      throw new Refusal('LAST_PASSKEY');
    await deletePasskeySessions(tx, passkeyId, tokenHash(token));
    await deletePasskey(tx, passkeyId);
    await recordStaffAct(tx, { by: caller, act: 'remove_passkey', subject: passkeyId });
  });
}

/** Sets whether owners of the caller's merchant need a passkey. Refuses with PASSKEY_FIRST who has not shown one. */
export async function setOwnerRule(db: Db, caller: Staff, ownersNeedPasskey: boolean): Promise<void> {
  if (caller.passkeyId === undefined) throw new Refusal('PASSKEY_FIRST');
  await transaction(db, async (tx) => {
    if (!(await holdPosition(tx, caller.positionId))) throw new Refusal('SESSION_DEAD');
    if (!(await setRule(tx, caller.merchantId, ownersNeedPasskey))) return;
    const act = ownersNeedPasskey ? 'demand_passkey' : 'forgo_passkey';
    await recordStaffAct(tx, { by: caller, act, subject: String(caller.merchantId) });
  });
}

/** The operator sets whether owners of a merchant need a passkey. */
export async function setRuleByOperator(
  tx: Tx,
  merchantId: number,
  ownersNeedPasskey: boolean,
): Promise<void> {
  try {
    if (!(await setRule(tx, merchantId, ownersNeedPasskey))) throw new RefusedChange('nothing_to_change');
  } catch (error) {
    if (refusedBy(error) !== 'owner_passkey_rules_merchant_id_fkey') throw error;
    throw new RefusedChange('merchant_unknown', { id: merchantId });
  }
}

/** The operator forgets the passkeys of somebody who lost theirs, and ends the sessions that those opened. Returns how many. */
export async function forgetPasskeysByOperator(tx: Tx, merchantId: number, address: string): Promise<number> {
  const email = normaliseEmail(address);
  const person = await findStaffByEmail(tx, email);
  const positions = person === undefined ? [] : await listPositionsOf(tx, person.id);
  if (person === undefined || !positions.some((each) => each.merchantId === merchantId))
    throw new RefusedChange('staff_unknown', { email, id: merchantId });
  const forgotten = await forgetPasskeys(tx, person.id);
  if (forgotten === 0) throw new RefusedChange('nothing_to_change');
  return forgotten;
}
