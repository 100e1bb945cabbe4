import type { CounterDevice, enrolDevice, listDevices } from '@aparta/contract/counter-devices';
import type { ReplyData } from '@aparta/contract/endpoint';
import { shortName } from '@aparta/domain/short-name';

import type { DevicePerson, DeviceRow, ListedDevice } from './read-model.ts';

type PresentedDevice = ReplyData<typeof enrolDevice>['device'];

export function presentDevice({ id, name, branch }: DeviceRow): PresentedDevice {
  return { id, name, branch };
}

export function presentCounterDevice(device: DeviceRow, people: readonly DevicePerson[]): CounterDevice {
  return {
    ...presentDevice(device),
    tradeName: device.tradeName,
    people: people.map(({ positionId, name, pinHash, isLocked }) => ({
      positionId,
      name: shortName(name),
      hasPin: pinHash !== null,
      isLocked,
    })),
  };
}

export function presentListedDevice(device: ListedDevice): ReplyData<typeof listDevices>[number] {
  return {
    ...presentDevice(device),
    enrolledAt: device.enrolledAt.toISOString(),
    locked: [...device.locked],
  };
}
