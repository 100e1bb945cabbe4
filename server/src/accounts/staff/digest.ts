import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { findDigestChoice } from './read-model.ts';
import { recordStaffAct, turnDigest } from './store.ts';

/** Whether an owner is mailed each morning how their shop stands. */
export async function wantsDigest(db: Db, positionId: string): Promise<boolean> {
  return findDigestChoice(db, positionId);
}

/** Turns the email of each morning on or off, for the caller alone. */
export async function chooseDigest(db: Db, caller: Staff, isOn: boolean): Promise<void> {
  await transaction(db, async (tx) => {
    if (!(await turnDigest(tx, caller.positionId, isOn))) return;
    const act = isOn ? 'turn_digest_on' : 'turn_digest_off';
    await recordStaffAct(tx, { by: caller, act, subject: caller.positionId });
  });
}
