import { PIN_TRIES } from '@aparta/domain/pin';

import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { tokenHash } from '../credentials/token.ts';
import { replacePin } from '../staff/pin-store.ts';
import { listPositionsOf } from '../staff/read-model.ts';
import { openStaffSession } from '../staff/session.ts';
import { type Caller, chosenPin, provePassword } from '../staff/set-pin.ts';
import type { OpenedSession, StaffDeps } from '../staff/sign-in-staff.ts';
import { recordStaffAct } from '../staff/store.ts';
import { type DevicePerson, type DeviceRow, findDevice, listPeopleOf } from './read-model.ts';
import { countPinTry, forgetPinTries } from './store.ts';

/** The device that has this secret, and who may sign in on it. Refuses with DEVICE_DEAD. */
export async function readDevice(
  db: Db,
  secret: string | undefined,
): Promise<{ readonly device: DeviceRow; readonly people: readonly DevicePerson[] }> {
  const device = secret === undefined ? undefined : await findDevice(db, tokenHash(secret));
  if (device === undefined) throw new Refusal('DEVICE_DEAD');
  return { device, people: await listPeopleOf(db, device) };
}

interface Asked {
  readonly secret: string | undefined;
  readonly positionId: string;
}

async function findAsked(db: Db, { secret, positionId }: Asked) {
  const { device, people } = await readDevice(db, secret);
  const person = people.find((each) => each.positionId === positionId);
  if (person === undefined) throw new Refusal('NOT_FOUND');
  return { device, person };
}

/**
 * Signs somebody in by PIN on a device (rules/accounts#shared-devices). The try is counted before it is checked, the right one
 * forgets the wrong ones before it. Refuses with WRONG_PIN, and PIN_LOCKED from the sixth on, also the right one.
 */
export async function signInByPin(
  deps: StaffDeps,
  { pin, ...asked }: Asked & { readonly pin: string },
): Promise<OpenedSession> {
  const { device, person } = await findAsked(deps.db, asked);
  const { pinHash, staffId } = person;
  if (pinHash === null) throw new Refusal('PIN_NOT_SET');
  const tries = await transaction(deps.db, (tx) => countPinTry(tx, device.id, staffId));
  if (tries === undefined) throw new Refusal('PIN_LOCKED');
  if (!(await deps.passwords.verify(pinHash, pin)))
    throw new Refusal('WRONG_PIN', { left: PIN_TRIES - tries });
  return open(deps.db, device, person, pinHash);
}

/**
 * Sets the PIN of somebody by their password and signs them in on a device. Whom wrong PINs locked there stays so; wrong passwords
 * are counted as everywhere.
 */
export async function choosePin(
  deps: StaffDeps,
  { password, pin, ...asked }: Asked & Caller & { readonly password: string; readonly pin: string },
): Promise<OpenedSession> {
  const { device, person } = await findAsked(deps.db, asked);
  if (person.isLocked) throw new Refusal('PIN_LOCKED');
  await provePassword(deps, person.staffId, password, asked);
  return open(deps.db, device, person, await chosenPin(deps, pin), true);
}

async function open(
  db: Db,
  device: DeviceRow,
  { positionId, staffId }: DevicePerson,
  pinHash: string,
  isNew = false,
): Promise<OpenedSession> {
  const { id: deviceId, merchantId, branch } = device;
  return transaction(db, async (tx) => {
    if (isNew) await replacePin(tx, staffId, pinHash);
    const opened = await openStaffSession(tx, positionId, { deviceId, pinHash });
    if (!isNew) await forgetPinTries(tx, deviceId, staffId);
    const by = { positionId, merchantId, device: { id: deviceId, branchId: branch.id } };
    if (isNew) await recordStaffAct(tx, { by, act: 'set_pin', subject: positionId });
    const position = (await listPositionsOf(tx, staffId)).find((each) => each.positionId === positionId);
    if (position === undefined) throw new Refusal('WRONG_CREDENTIALS');
    return { ...opened, position: { ...position, branches: [branch] }, isShared: true };
  });
}
