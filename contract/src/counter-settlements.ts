import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { day, idField } from './text.ts';

const settlement = v.object({
  id: idField,
  kind: v.picklist(['deposit', 'payout', 'explanation', 'void']),
  channel: v.nullable(v.picklist(['card', 'till', 'cash'])),
  chain: v.nullable(v.string()),
  /** The days whose operations a deposit pays; null of any other. */
  from: v.nullable(day),
  to: v.nullable(day),
  /** Who got it; of an explanation, who has it. */
  party: v.nullable(v.picklist(['merchant', 'operator', 'provider'])),
  amount: pesos,
  commission: pesos,
  /** What of a deposit is still to be explained. */
  missing: pesos,
  over: pesos,
  happenedOn: day,
  evidence: v.string(),
  voided: v.boolean(),
  /** Which one it explains or voids. */
  ofId: v.nullable(idField),
});
export type ShopSettlement = v.InferOutput<typeof settlement>;

export const listShopSettlements = defineEndpoint({
  name: 'listShopSettlements',
  summary:
    'Deposits, payouts and explanations that the operator noted for the merchant, the newest first, at most 500. For owners and accountants.',
  method: 'GET',
  path: '/v1/counter/settlements',
  access: ['staff'],
  act: 'see_settlements',
  reply: envelope(v.array(settlement)),
  refusals: [],
});
