import * as contract from '@aparta/contract/counter-webhooks';
import { route, type Route, success } from '../../platform/http/route.ts';
import { listEndpoints } from './endpoint-store.ts';
import {
  addEndpoint,
  type ManageDeps,
  readDeliveries,
  resendDelivery,
  rotateSecret,
  testEndpoint,
  turnEndpoint,
} from './manage.ts';
import { presentDelivery, presentEndpoint } from './present.ts';

export function webhookRoutes(deps: ManageDeps): Route[] {
  const { db } = deps;
  return [
    route(contract.listWebhooks, async ({ caller }) =>
      success((await listEndpoints(db, caller.merchantId)).map(presentEndpoint)),
    ),
    route(contract.addWebhook, async ({ caller, body }) =>
      success(await addEndpoint(deps, caller, body.url)),
    ),
    route(contract.rotateWebhook, async ({ caller, params }) =>
      success(await rotateSecret(deps, caller, params.endpointId)),
    ),
    route(contract.switchWebhook, async ({ caller, params, body }) => {
      await turnEndpoint(db, caller, params.endpointId, body.isOn);
      return success(null);
    }),
    route(contract.testWebhook, async ({ caller, params }) => {
      await testEndpoint(db, caller, params.endpointId);
      return success(null);
    }),
    route(contract.listWebhookDeliveries, async ({ caller, params, query }) => {
      const before = query.cursor === undefined ? undefined : Number(query.cursor);
      const { deliveries, next, total } = await readDeliveries(db, caller, params.endpointId, {
        before,
        withTests: query.show === 'all',
      });
      return {
        ...success(deliveries.map(presentDelivery)),
        next: next === null ? null : String(next),
        total,
      };
    }),
    route(contract.resendWebhook, async ({ caller, params }) => {
      await resendDelivery(db, caller, params);
      return success(null);
    }),
  ];
}
