import * as contract from '@aparta/contract/pushes';

import { route, success, type Route } from '../../platform/http/route.ts';
import { deviceOf } from '../credentials/browser.ts';
import { type PushDeps, stopTelling, tellBrowser } from './save-push.ts';

export function pushRoutes(deps: PushDeps): Route[] {
  return [
    route(contract.getPushKey, async () => success({ vapidKey: deps.pushKeys?.publicKey ?? null })),
    route(contract.savePush, async ({ caller, token, header, body: { endpoint, p256dh, auth } }) => {
      const push = { endpoint, publicKey: p256dh, authSecret: auth };
      await tellBrowser(deps, caller, token, push, deviceOf(header));
      return success(null);
    }),
    route(contract.endPush, async ({ caller, header, body }) => {
      await stopTelling(deps.db, caller, body.endpoint, deviceOf(header));
      return success(null);
    }),
  ];
}
