import { centavosFromPesos, optionalCentavos } from '@aparta/contract/amount';
import {
  cancelPurchase as cancelPurchaseEndpoint,
  getCancelQuote,
  listRefunds,
} from '@aparta/contract/cancellations';
import { refundClaim as refundClaimEndpoint } from '@aparta/contract/counter-claims';
import { endPlan as endPlanEndpoint, getEndQuote } from '@aparta/contract/counter-purchases';

import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { cancelPurchase, quoteCancel, readRefunds } from './cancel.ts';
import { endPlan, quoteEndPlan } from './end-plan.ts';
import { refundClaim } from './refund-claim.ts';
import { presentQuote, presentRefund } from './present.ts';

export function cancellationRoutes(deps: { db: Db }): Route[] {
  return [
    route(getCancelQuote, async ({ caller, params }) =>
      success(presentQuote(await quoteCancel(deps.db, caller.id, params.saleId))),
    ),

    route(cancelPurchaseEndpoint, async ({ caller, params, body }) => {
      const refunds = await cancelPurchase(deps, caller.id, params.saleId, {
        notes: body.cancelNotes,
        shownCentavos: optionalCentavos(body.refundShown),
      });
      return success({ refunds: refunds.map(presentRefund) });
    }),

    route(getEndQuote, async ({ caller, params }) =>
      success(presentQuote(await quoteEndPlan(deps.db, caller, params.purchaseId))),
    ),

    route(endPlanEndpoint, async ({ caller, params, body }) => {
      const { reason, refundShown } = body;
      const shownCentavos = centavosFromPesos(refundShown);
      const refunds = await endPlan(deps, caller, params.purchaseId, { reason, shownCentavos });
      return success({ refunds: refunds.map(presentRefund) });
    }),

    route(refundClaimEndpoint, async ({ caller, params, body }) => {
      const { claimFolio: folio, reason, refundShown } = body;
      const shownCentavos = centavosFromPesos(refundShown);
      const refunds = await refundClaim(deps, caller, params.purchaseId, { folio, reason, shownCentavos });
      return success({ refunds: refunds.map(presentRefund) });
    }),

    route(listRefunds, async ({ caller, params }) =>
      success((await readRefunds(deps.db, caller.id, params.saleId)).map(presentRefund)),
    ),
  ];
}
