import {
  type CounterDevice,
  choosePin,
  enrolDevice,
  liftPinLock,
  listDevices,
  readDevice,
  revokeDevice,
  signInByPin,
  startEnrolment,
} from '@aparta/contract/counter-devices';
import type { StaffSession } from '@aparta/contract/counter-sessions';
import type { ReplyData } from '@aparta/contract/endpoint';
import { isRefused } from '@aparta/browser/api-error.ts';
import { queryOptions } from '@tanstack/react-query';
import { device } from '../session/device.ts';
import { session } from '../session/session.ts';
import { call } from './call.ts';
import { endSession, signOut } from './sessions.ts';

export type DevicePerson = CounterDevice['people'][number];

/** Where this device stands and who may sign in on it; one that was revoked forgets that it was one. */
export const thisDeviceQuery = queryOptions({
  queryKey: ['device'],
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const asked = device.secret();
    try {
      return (await call(readDevice, {}, { signal })).data;
    } catch (error) {
      // Unless it was enrolled anew while it asked.
      if (isRefused(error, 'DEVICE_DEAD') && device.secret() === asked) device.revoked();
      throw error;
    }
  },
});

/** Makes this device one of a branch, by the code of the link; whoever is signed in on it signs out. */
export async function enrolThis(code: string): Promise<void> {
  const { data } = await call(enrolDevice, { body: { code } });
  signOut();
  device.enrol(data.secret);
}

export function enterByPin(positionId: string, pin: string): Promise<void> {
  return open(call(signInByPin, { body: { positionId, pin } }));
}

/** Sets somebody's PIN by their password, and signs them in. */
export function enterWithNewPin(positionId: string, password: string, pin: string): Promise<void> {
  return open(call(choosePin, { body: { positionId, password, pin } }));
}

/** Opens the session that is answered, unless somebody else has signed in meanwhile, in another tab. */
async function open(answer: Promise<{ readonly data: StaffSession }>): Promise<void> {
  const before = session.token();
  const { data } = await answer;
  if (session.token() !== before) return endSession(data.token);
  device.remember(data.position.positionId);
  session.open(data);
}

/** A shared device as those who run its branch see it. */
export type Device = Omit<ReplyData<typeof listDevices>[number], 'enrolledAt'> & {
  readonly enrolledAt: Date;
};

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  staleTime: 0,
  queryFn: async ({ signal }) =>
    (await call(listDevices, {}, { signal })).data.map(({ enrolledAt, ...rest }) => ({
      ...rest,
      enrolledAt: new Date(enrolledAt),
    })),
});

/** The link that enrols a device, and until when it is good. */
export async function enrolmentLink(
  branchId: number,
  name: string,
): Promise<{ readonly link: string; readonly until: Date }> {
  const { link, expiresAt } = (await call(startEnrolment, { body: { branchId, name } })).data;
  return { link, until: new Date(expiresAt) };
}

export async function endDevice(deviceId: string): Promise<void> {
  await call(revokeDevice, { params: { deviceId } });
}

export async function liftLock(deviceId: string, positionId: string): Promise<void> {
  await call(liftPinLock, { params: { deviceId }, body: { positionId } });
}
