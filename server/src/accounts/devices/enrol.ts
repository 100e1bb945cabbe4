import { randomBytes } from 'node:crypto';

import { transaction } from '../../platform/db/transaction.ts';
import { ipPrefixOf } from '../../platform/limiter.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { newToken, tokenHash } from '../credentials/token.ts';
import type { StaffDeps } from '../staff/sign-in-staff.ts';
import { holdPosition, recordStaffAct } from '../staff/store.ts';
import { type DeviceRow, findDevice } from './read-model.ts';
import { insertDevice, insertEnrolment, takeEnrolment } from './store.ts';

/** Makes the link that enrols a device for one of the caller's branches: for 10 minutes and once, and only its code's hash is kept. */
export async function startEnrolment(
  { db, publicOrigin }: StaffDeps,
  caller: Staff,
  { branchId, name }: { branchId: number; name: string },
): Promise<{ readonly link: string; readonly expiresAt: Date }> {
  if (!caller.branchIds.includes(branchId)) throw new Refusal('NOT_FOUND');
  const code = randomBytes(32).toString('base64url');
  const { merchantId, positionId } = caller;
  const expiresAt = await transaction(db, async (tx) => {
    if (!(await holdPosition(tx, positionId))) throw new Refusal('SESSION_DEAD');
    return insertEnrolment(tx, { merchantId, branchId, name, positionId }, tokenHash(code));
  });
  return { link: `${publicOrigin}/mostrador/equipo#code=${code}`, expiresAt };
}

/**
 * Makes the calling device one of the branch; its secret is told this once. Refuses with ENROLMENT_DEAD any code but a live one:
 * nobody guesses 256 bits, so wrong ones are counted only to spare the database.
 */
export async function enrolDevice(
  { db, limiter, limits }: StaffDeps,
  { code, address }: { code: string; address: string },
): Promise<{ readonly secret: string; readonly device: DeviceRow }> {
  const secret = newToken('device');
  const device = await transaction(db, async (tx) => {
    const enrolment = await takeEnrolment(tx, tokenHash(code));
    if (enrolment === undefined) return undefined;
    const id = await insertDevice(tx, enrolment, tokenHash(secret));
    const { branchId, name } = enrolment;
    await recordStaffAct(tx, { by: enrolment, branchId, act: 'enrol_device', subject: id, detail: { name } });
    return findDevice(tx, tokenHash(secret));
  });
  if (device !== undefined) return { secret, device };
  await limiter.take('enrolment-address', ipPrefixOf(address), limits.confirmPerAddress);
  throw new Refusal('ENROLMENT_DEAD');
}
