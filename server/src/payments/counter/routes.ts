import { centavosFromPesos, optionalCentavos } from '@aparta/contract/amount';
import {
  dropPayment,
  dropRefund as dropRefundEndpoint,
  dropReversal as dropReversalEndpoint,
  findPaidRefund,
  findPayment,
  getCounterReceipt,
  lookUpReference,
  payRefund,
  reversePayment,
  takePayment,
} from '@aparta/contract/counter-payments';
import type { Received } from '@aparta/contract/endpoint';

import { route, type Route, success } from '../../platform/http/route.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { TillDeps } from '../tills/operation.ts';
import { dropAtCounter, dropRefund, dropReversal } from './drop.ts';
import { lookUp } from './find-owed.ts';
import { findRefundOfPress, payRefundAtCounter } from './pay-refund.ts';
import { presentCounterReceipt, presentLookedUp, presentShopRefund } from './present.ts';
import { readCounterReceipt } from './receipt.ts';
import { reverseAtCounter } from './reverse.ts';
import type { HandedOver } from './store.ts';
import { takeAtCounter } from './take.ts';

export function counterRoutes(deps: TillDeps): Route[] {
  return [
    route(lookUpReference, async ({ caller, params, query }) => {
      const amountCentavos = optionalCentavos(query.amount);
      return success(presentLookedUp(await lookUp(deps, caller, { code: params.code, amountCentavos })));
    }),

    route(takePayment, async ({ caller, body, log }) => {
      const { id, branchId, reference } = body;
      const amountCentavos = centavosFromPesos(body.amount);
      const balanceShownCentavos = optionalCentavos(body.balanceShown);
      const handedOver = handedOverOf(body);
      const press = { id, branchId, reference, amountCentavos, balanceShownCentavos, handedOver };
      return success(presentCounterReceipt(await takeAtCounter(deps, caller, press, log)));
    }),

    route(findPayment, async ({ caller, params }) =>
      success(presentCounterReceipt(await readCounterReceipt(deps.db, caller, { requestId: params.id }))),
    ),

    route(dropPayment, async ({ caller, params, body }) => {
      const booked = await dropAtCounter(deps.db, caller, { ...params, ...body });
      return success(booked === undefined ? null : presentCounterReceipt(booked));
    }),

    route(reversePayment, async ({ caller, params, body, log }) =>
      success(presentCounterReceipt(await reverseAtCounter(deps, caller, { ...params, ...body }, log))),
    ),

    route(dropReversalEndpoint, async ({ caller, params, body }) => {
      const reversed = await dropReversal(deps.db, caller, { ...params, ...body });
      return success(reversed === undefined ? null : presentCounterReceipt(reversed));
    }),

    route(payRefund, async ({ caller, params, body }) => {
      const { id, branchId, method } = body;
      const press = {
        id,
        branchId,
        method,
        refundId: params.refundId,
        amountCentavos: centavosFromPesos(body.amount),
      };
      return success(presentShopRefund(await payRefundAtCounter(deps, caller, press)));
    }),

    route(dropRefundEndpoint, async ({ caller, params, body }) => {
      const paid = await dropRefund(deps.db, caller, { ...params, ...body });
      return success(paid === undefined ? null : presentShopRefund(paid));
    }),

    route(findPaidRefund, async ({ caller, params }) => {
      const refund = await findRefundOfPress(deps.db, caller, params.id);
      return success(refund === undefined ? null : presentShopRefund(refund));
    }),

    route(getCounterReceipt, async ({ caller, params }) =>
      success(presentCounterReceipt(await readCounterReceipt(deps.db, caller, params))),
    ),
  ];
}

/** How the money was handed over; of cash nothing said, exactly the amount. */
function handedOverOf(body: Received<typeof takePayment, 'body'>): HandedOver {
  const { method, amount, tendered = amount, last4, authorisation } = body;
  const wrong = (field: string, problem: string) =>
    new Refusal('INVALID_INPUT', { fields: { [field]: problem } });
  if (amount <= 0) throw wrong('amount', 'not above zero');
  if (method === 'terminal') {
    if (last4 === undefined) throw wrong('last4', 'missing');
    if (authorisation === undefined) throw wrong('authorisation', 'missing');
    return { method, last4, authorisation };
  }
  if (tendered < amount) throw wrong('tendered', 'less than the amount');
  return { method, tenderedCentavos: centavosFromPesos(tendered) };
}
