import { transaction } from '../../platform/db/transaction.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { deleteDeviceSessions } from '../staff/session-store.ts';
import { findPositionAt, recordStaffAct } from '../staff/store.ts';
import { type ListedDevice, listDevicesIn } from './read-model.ts';
import { forgetPinTries, setDeviceRevoked } from './store.ts';

/** The devices of the caller's branches. */
export async function devicesOf(db: Db, caller: Staff): Promise<ListedDevice[]> {
  return listDevicesIn(db, caller.branchIds);
}

/** Ends a device of the caller's branches, and who is signed in on it. Refuses with NOT_FOUND. */
export async function revokeDevice(db: Db, caller: Staff, deviceId: string): Promise<void> {
  await transaction(db, async (tx) => {
    const revoked = await setDeviceRevoked(tx, caller.branchIds, deviceId);
    if (revoked === undefined) throw new Refusal('NOT_FOUND');
    await deleteDeviceSessions(tx, deviceId);
    const { branchId, name } = revoked;
    await recordStaffAct(tx, {
      by: caller,
      branchId,
      act: 'revoke_device',
      subject: deviceId,
      detail: { name },
    });
  });
}

/** Lets a locked person try again on a device of the caller's branches. Refuses with NOT_FOUND what is not there. */
export async function liftPinLock(
  db: Db,
  caller: Staff,
  { deviceId, positionId }: { deviceId: string; positionId: string },
): Promise<void> {
  const device = (await devicesOf(db, caller)).find(({ id }) => id === deviceId);
  if (device === undefined) throw new Refusal('NOT_FOUND');
  await transaction(db, async (tx) => {
    const person = await findPositionAt(tx, caller.merchantId, positionId);
    if (person === undefined) throw new Refusal('NOT_FOUND');
    await forgetPinTries(tx, deviceId, person.staffId);
    const detail = { deviceId };
    await recordStaffAct(tx, {
      by: caller,
      branchId: device.branch.id,
      act: 'lift_pin_lock',
      subject: positionId,
      detail,
    });
  });
}
