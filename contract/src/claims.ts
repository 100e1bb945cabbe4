import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { day, idParam, line, moment } from './text.ts';

/** The number of a claim. */
export const claimFolio = v.pipe(v.string(), v.regex(/^[0-9A-Z]{10}$/));

/** A buyer's claim of a purchase that was not handed over in time, as both sides see it. */
export const claim = v.object({
  claimFolio: v.string(),
  state: v.picklist(['open', 'answered', 'delivered', 'refunded', 'withdrawn']),
  /** What the buyer wrote. */
  notes: v.string(),
  openedAt: moment,
  /** The shop's words, and the day that it named. */
  answer: v.nullable(v.object({ text: v.string(), at: moment, promisedOn: v.nullable(day) })),
  /** Until when the shop has to answer, or to end it once it has; then the operator sees to it. */
  dueAt: moment,
  isOverdue: v.boolean(),
  endedAt: v.nullable(moment),
});
export type Claim = v.InferOutput<typeof claim>;

export const openClaim = defineEndpoint({
  name: 'openClaim',
  summary:
    'Claims a purchase that is paid whole and was not handed over within the promise of its terms. While one is open, it answers that one.',
  method: 'POST',
  path: '/v1/Sales/ClaimAsync/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  body: v.object({ notes: v.optional(line(500), '') }),
  reply: envelope(claim),
  refusals: ['NOT_FOUND', 'PURCHASE_CANCELLED', 'NOT_PAID_OFF', 'HANDED_OVER', 'CLAIM_TOO_EARLY', 'TOO_MANY'],
});

export const withdrawClaim = defineEndpoint({
  name: 'withdrawClaim',
  summary: 'Takes an open claim back. Repeated, it answers the same.',
  method: 'PUT',
  path: '/v1/Sales/ClaimWithdrawAsync/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  body: v.object({ claimFolio }),
  reply: envelope(claim),
  refusals: ['NOT_FOUND', 'CLAIM_ENDED'],
});
