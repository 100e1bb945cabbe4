import { DEVICE_HEADER } from '@aparta/contract/account';
import * as contract from '@aparta/contract/counter-devices';

import { route, success, type Route } from '../../platform/http/route.ts';
import { sessionPresenter } from '../staff/routes.ts';
import { setPin } from '../staff/set-pin.ts';
import type { StaffDeps } from '../staff/sign-in-staff.ts';
import { enrolDevice, startEnrolment } from './enrol.ts';
import { devicesOf, liftPinLock, revokeDevice } from './manage.ts';
import { presentCounterDevice, presentDevice, presentListedDevice } from './present.ts';
import { choosePin, readDevice, signInByPin } from './sign-in.ts';

const BROWSER = DEVICE_HEADER.toLowerCase();
const SECRET = contract.COUNTER_DEVICE_HEADER.toLowerCase();

export function deviceRoutes(deps: StaffDeps): Route[] {
  const { db } = deps;
  const present = sessionPresenter(db);
  return [
    route(contract.startEnrolment, async ({ caller, body }) => {
      const { link, expiresAt } = await startEnrolment(deps, caller, body);
      return success({ link, expiresAt: expiresAt.toISOString() });
    }),
    route(contract.enrolDevice, async ({ body, address }) => {
      const { secret, device } = await enrolDevice(deps, { code: body.code, address });
      return success({ secret, device: presentDevice(device) });
    }),
    route(contract.listDevices, async ({ caller }) =>
      success((await devicesOf(db, caller)).map(presentListedDevice)),
    ),
    route(contract.revokeDevice, async ({ caller, params }) => {
      await revokeDevice(db, caller, params.deviceId);
      return success(null);
    }),
    route(contract.liftPinLock, async ({ caller, params, body }) => {
      await liftPinLock(db, caller, { ...params, ...body });
      return success(null);
    }),
    route(contract.readDevice, async ({ header }) => {
      const { device, people } = await readDevice(db, header(SECRET));
      return success(presentCounterDevice(device, people));
    }),
    route(contract.signInByPin, async ({ body, header }) =>
      success(await present(await signInByPin(deps, { ...body, secret: header(SECRET) }))),
    ),
    route(contract.choosePin, async ({ body, address, header }) =>
      success(
        await present(
          await choosePin(deps, { ...body, secret: header(SECRET), address, deviceId: header(BROWSER) }),
        ),
      ),
    ),
    route(contract.setPin, async ({ caller, body, address, header }) => {
      await setPin(deps, caller, { ...body, address, deviceId: header(BROWSER) });
      return success(null);
    }),
  ];
}
