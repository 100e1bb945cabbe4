import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { lockOwners, recordStaffAct, revokePosition } from './store.ts';

/**
 * Ends somebody's position at the caller's merchant: they are out at their next call. Refuses with NOT_FOUND one that is over or
 * of another merchant, and with LAST_OWNER the only owner: then nobody could invite.
 */
export async function revokeStaff(db: Db, caller: Staff, positionId: string): Promise<void> {
  await transaction(db, async (tx) => {
    const owners = await lockOwners(tx, caller.merchantId);
    // Who was revoked a moment ago revokes nobody.
    if (!owners.includes(caller.positionId)) throw new Refusal('SESSION_DEAD');
    if (owners.length === 1 && owners[0] === positionId) throw new Refusal('LAST_OWNER');
    const revoked = await revokePosition(tx, caller.merchantId, positionId);
    if (revoked === undefined) throw new Refusal('NOT_FOUND');
    await recordStaffAct(tx, {
      by: caller,
      act: 'revoke_staff',
      subject: revoked.email,
      detail: { positionId },
    });
  });
}
