import { getPickup, nameCollector, replacePickupCode } from '@aparta/contract/pickup';

import { route, type Route, success } from '../../platform/http/route.ts';
import { presentPickup } from './present.ts';
import { chooseCollector, type PickupDeps, readPickup, replacePickup } from './read-pickup.ts';

export function pickupRoutes(deps: PickupDeps): Route[] {
  return [
    route(getPickup, async ({ caller, params }) =>
      success(presentPickup(await readPickup(deps, caller.id, params.saleId))),
    ),

    route(replacePickupCode, async ({ caller, params, body }) =>
      success(presentPickup(await replacePickup(deps, caller.id, params.saleId, body.replaces))),
    ),

    route(nameCollector, async ({ caller, params, body }) =>
      success(presentPickup(await chooseCollector(deps, caller.id, params.saleId, body.collector))),
    ),
  ];
}
