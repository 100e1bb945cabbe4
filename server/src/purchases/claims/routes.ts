import { openClaim as openClaimEndpoint, withdrawClaim as withdraw } from '@aparta/contract/claims';
import { answerClaim as answer } from '@aparta/contract/counter-claims';

import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { answerClaim } from './answer-claim.ts';
import { openClaim, withdrawClaim } from './open-claim.ts';
import { presentClaim } from './present.ts';

export function claimRoutes(deps: { db: Db }): Route[] {
  return [
    route(openClaimEndpoint, async ({ caller, params, body }) =>
      success(presentClaim(await openClaim(deps, caller.id, params.saleId, body.notes))),
    ),

    route(withdraw, async ({ caller, params, body }) =>
      success(presentClaim(await withdrawClaim(deps, caller.id, params.saleId, body.claimFolio))),
    ),

    route(answer, async ({ caller, params, body }) => {
      const { claimFolio: folio, ...said } = body;
      return success(presentClaim(await answerClaim(deps, caller, params.purchaseId, { folio, ...said })));
    }),
  ];
}
