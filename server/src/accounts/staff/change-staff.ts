import { type StaffRole, worksInBranches } from '@aparta/domain/staff-rights';

import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { countBranches } from '../branches/store.ts';
import { insertPosition, saveMailsOf, lockOwners, recordStaffAct, revokePosition } from './store.ts';

/**
 * Gives somebody another role or other branches at the caller's merchant: a new position in the place of the one before, whose
 * sessions end, and what an owner chose to be mailed stays. Refuses with NOT_FOUND a position or branches that are not there,
 * and with LAST_OWNER the only owner.
 */
export async function changeStaff(
  db: Db,
  caller: Staff,
  { positionId, role, ...given }: { positionId: string; role: StaffRole; branchIds: readonly number[] },
): Promise<string> {
  const { merchantId } = caller;
  const branchIds = [...new Set(given.branchIds)];
  if (worksInBranches(role) !== branchIds.length > 0)
    throw new Refusal('INVALID_INPUT', { fields: { branchIds: 'not for this role' } });
  return transaction(db, async (tx) => {
    const owners = await lockOwners(tx, merchantId);
    // Who was revoked a moment ago changes nobody.
    if (!owners.includes(caller.positionId)) throw new Refusal('SESSION_DEAD');
    if (role !== 'owner' && owners.length === 1 && owners[0] === positionId) throw new Refusal('LAST_OWNER');
    if ((await countBranches(tx, merchantId, branchIds)) < branchIds.length) throw new Refusal('NOT_FOUND');
    const before = await revokePosition(tx, merchantId, positionId);
    if (before === undefined) throw new Refusal('NOT_FOUND');
    const { staffId, email } = before;
    const newId = await insertPosition(tx, { staffId, merchantId, role, branchIds });
    await saveMailsOf(tx, positionId, newId);
    await recordStaffAct(tx, {
      by: caller,
      act: 'change_staff',
      subject: email,
      detail: { from: positionId, to: newId, role, branchIds },
    });
    return newId;
  });
}
