import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { askedDay, day, idParam, moment } from './text.ts';

/** What its buyer changed of a plan, the oldest first. */
export const planChanges = v.array(
  v.object({
    changeNumber: v.number(),
    changeKind: v.picklist(['moved', 'split']),
    /** Its number when it was changed. */
    number: v.number(),
    fromDay: day,
    toDay: day,
    amount: pesos,
    /** What of a split one stayed on its day. */
    firstPart: v.nullable(pesos),
    at: moment,
  }),
);
export type PlanChanges = v.InferOutput<typeof planChanges>;

/** What its buyer may change of a plan by the merchant's rule, and what was changed. */
export const moving = v.object({
  movesAllowed: v.number(),
  movesLeft: v.number(),
  moveDays: v.number(),
  /** The instalments that may be moved now. */
  movable: v.array(
    v.object({
      number: v.number(),
      /** The first and the last day on which it, or the second part of it, may become due. */
      earliest: day,
      latest: day,
      /** The smallest and the greatest first part; null where it cannot be split. */
      firstParts: v.nullable(v.object({ least: pesos, most: pesos })),
    }),
  ),
  planChanges,
});
export type Moving = v.InferOutput<typeof moving>;

/** The change, as the screen showed it: its number among the plan's changes, and the instalment that it is of. */
const shown = {
  changeNumber: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(99)),
  number: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999)),
  fromDay: askedDay,
  toDay: askedDay,
  amount: v.pipe(pesos, v.minValue(0.01)),
};

const refusals = [
  'NOT_FOUND',
  'PURCHASE_CANCELLED',
  'PURCHASE_SETTLED',
  'ATTEMPT_OPEN',
  'PLAN_CHANGED',
  'NOT_MOVABLE',
] as const;

export const moveInstalment = defineEndpoint({
  name: 'moveInstalment',
  summary:
    "Moves the day of an unpaid instalment within the merchant's rule. Repeated with the same body, it answers the same.",
  method: 'PUT',
  path: '/v1/Sales/MoveInstalmentAsync/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  body: v.object(shown),
  reply: envelope(moving),
  refusals,
});

export const splitInstalment = defineEndpoint({
  name: 'splitInstalment',
  summary:
    'Splits an unpaid instalment: a part stays on its day, the rest is due on a later one. Later instalments move one number on, none of their days or amounts changes. Repeated with the same body, it answers the same.',
  method: 'PUT',
  path: '/v1/Sales/SplitInstalmentAsync/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  body: v.object({ ...shown, firstPart: v.pipe(pesos, v.minValue(0.01)) }),
  reply: envelope(moving),
  refusals,
});
