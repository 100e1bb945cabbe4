import { giveTime } from '@aparta/contract/counter-purchases';

import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { giveMoreTime } from './give-more-time.ts';

export function endingRoutes(deps: { db: Db }): Route[] {
  return [
    route(giveTime, async ({ caller, params, body: { endsOn: until, reason } }) =>
      success({ endsOn: await giveMoreTime(deps, caller, params.purchaseId, { until, reason }) }),
    ),
  ];
}
