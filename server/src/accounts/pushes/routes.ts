import * as contract from '@aparta/contract/pushes';

import { route, success, type Route } from '../../platform/http/route.ts';
import { type PushDeps, stopTelling, tellBrowser } from './save-push.ts';

export function pushRoutes(deps: PushDeps): Route[] {
  return [
    route(contract.getPushKey, async () => success({ vapidKey: deps.pushKeys?.publicKey ?? null })),
    route(contract.savePush, async ({ caller, token, body: { endpoint, p256dh, auth } }) => {
      await tellBrowser(deps, caller, token, { endpoint, publicKey: p256dh, authSecret: auth });
      return success(null);
    }),
    route(contract.endPush, async ({ caller, body }) => {
      await stopTelling(deps.db, caller, body.endpoint);
      return success(null);
    }),
  ];
}
