import * as v from 'valibot';

import { staffSession } from './counter-sessions.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { idField, line, moment, secret, uuid } from './text.ts';

/** Carries the secret of an enrolled device, with each call of a session that was opened on it. */
export const COUNTER_DEVICE_HEADER = 'X-Counter-Device';

const pin = v.pipe(v.string(), v.regex(/^\d{6}$/));
const deviceName = v.pipe(line(40), v.minLength(1));
const place = v.object({ id: idField, name: v.string() });
const device = v.object({ id: uuid, name: v.string(), branch: place });
const deviceParam = v.object({ deviceId: uuid });

/** A shared device as it knows itself: where it stands, and who may sign in on it. */
export const counterDevice = v.object({
  ...device.entries,
  tradeName: v.string(),
  people: v.array(
    v.object({ positionId: uuid, name: v.string(), hasPin: v.boolean(), isLocked: v.boolean() }),
  ),
});
export type CounterDevice = v.InferOutput<typeof counterDevice>;

export const startEnrolment = defineEndpoint({
  name: 'startEnrolment',
  summary:
    'Makes the link, shown as a QR, that enrols a shared phone or tablet for a branch: once, within 10 minutes.',
  method: 'POST',
  path: '/v1/counter/devices/enrolments',
  access: ['staff'],
  act: 'enrol_device',
  body: v.object({ branchId: idField, name: deviceName }),
  reply: envelope(v.object({ link: secret, expiresAt: moment })),
  refusals: ['NOT_FOUND'],
});

export const enrolDevice = defineEndpoint({
  name: 'enrolDevice',
  summary: 'Enrols the device that calls with the code of the link. The secret is told this once.',
  method: 'POST',
  path: '/v1/counter/devices/enrol',
  access: 'public',
  body: v.object({ code: line(64) }),
  reply: envelope(v.object({ secret, device })),
  refusals: ['ENROLMENT_DEAD', 'TOO_MANY'],
});

export const listDevices = defineEndpoint({
  name: 'listDevices',
  summary: "The enrolled devices of the person's branches, and whom five wrong PINs have locked on them.",
  method: 'GET',
  path: '/v1/counter/devices',
  access: ['staff'],
  act: 'list_devices',
  reply: envelope(
    v.array(
      v.object({
        ...device.entries,
        enrolledAt: moment,
        locked: v.array(v.object({ positionId: uuid, name: v.string() })),
      }),
    ),
  ),
  refusals: [],
});

export const revokeDevice = defineEndpoint({
  name: 'revokeDevice',
  summary: 'Ends a device: whoever is signed in on it is out at their next call.',
  method: 'POST',
  path: '/v1/counter/devices/:deviceId/revoke',
  access: ['staff'],
  act: 'revoke_device',
  params: deviceParam,
  reply: envelope(v.null()),
  refusals: ['NOT_FOUND'],
});

export const liftPinLock = defineEndpoint({
  name: 'liftPinLock',
  summary: 'Lets somebody whom five wrong PINs locked on a device try again.',
  method: 'POST',
  path: '/v1/counter/devices/:deviceId/unlock',
  access: ['staff'],
  act: 'lift_pin_lock',
  params: deviceParam,
  body: v.object({ positionId: uuid }),
  reply: envelope(v.null()),
  refusals: ['NOT_FOUND'],
});

export const readDevice = defineEndpoint({
  name: 'readDevice',
  summary: 'Where the calling device is enrolled, and who may sign in on it.',
  method: 'GET',
  path: '/v1/counter/device',
  access: 'public',
  reply: envelope(counterDevice),
  refusals: ['DEVICE_DEAD'],
});

export const signInByPin = defineEndpoint({
  name: 'signInByPin',
  summary:
    'Signs somebody of the branch in on the calling device. The session is good with the secret of the device alone, for 12 hours, and ends after 4 minutes without a call.',
  method: 'POST',
  path: '/v1/counter/device/sign-in',
  access: 'public',
  body: v.object({ positionId: uuid, pin }),
  reply: envelope(staffSession),
  refusals: ['DEVICE_DEAD', 'NOT_FOUND', 'PIN_NOT_SET', 'WRONG_PIN', 'PIN_LOCKED'],
});

export const choosePin = defineEndpoint({
  name: 'choosePin',
  summary:
    'Sets the PIN of somebody of the branch by their password, and signs them in on the calling device.',
  method: 'POST',
  path: '/v1/counter/device/pin',
  access: 'public',
  body: v.object({ positionId: uuid, password: secret, pin }),
  reply: envelope(staffSession),
  refusals: ['DEVICE_DEAD', 'NOT_FOUND', 'WRONG_PASSWORD', 'PIN_TOO_EASY', 'PIN_LOCKED', 'TOO_MANY'],
});

export const setPin = defineEndpoint({
  name: 'setPin',
  summary:
    'Sets the PIN of the signed-in person, who gives their password. Their sessions on shared devices end.',
  method: 'POST',
  path: '/v1/counter/pin',
  access: ['staff'],
  act: 'set_pin',
  body: v.object({ password: secret, pin }),
  reply: envelope(v.null()),
  refusals: ['WRONG_PASSWORD', 'PIN_TOO_EASY', 'TOO_MANY'],
});
