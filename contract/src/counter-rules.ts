import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';

/** What a shop promises and asks of whoever reserves there today; what was reserved before keeps its own. */
const shopRules = v.object({
  /** Percent of the price: 20 is 20 %. */
  depositPercent: v.number(),
  everyDays: v.number(),
  /** The deposit among them. */
  payments: v.number(),
  penalty: pesos,
  deliveryDays: v.number(),
  /** Null: never. */
  endDaysLate: v.nullable(v.number()),
  movesAllowed: v.number(),
  moveDays: v.number(),
  acceptsCards: v.boolean(),
  cardFee: pesos,
  tillFee: pesos,
  cashFee: pesos,
});

export const getShopRules = defineEndpoint({
  name: 'getShopRules',
  summary: "The merchant's rules as they stand for new reservations: plan, penalty, delivery, end and fees.",
  method: 'GET',
  path: '/v1/counter/rules',
  access: ['staff'],
  act: 'see_rules',
  reply: envelope(shopRules),
  refusals: [],
});
