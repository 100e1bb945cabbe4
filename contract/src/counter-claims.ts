import * as v from 'valibot';

import { pesos } from './amount.ts';
import { refund } from './cancellations.ts';
import { claimFolio } from './claims.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { claim } from './purchases.ts';
import { askedDay, idParam, line } from './text.ts';

export const answerClaim = defineEndpoint({
  name: 'answerClaim',
  summary:
    'Answers an open claim in words that its buyer reads, with the day of the hand-over where there is one: from today to thirty days after the claim. It may be answered again.',
  method: 'POST',
  path: '/v1/counter/purchases/:purchaseId/claim/answer',
  access: ['staff'],
  act: 'answer_claim',
  params: v.object({ purchaseId: idParam }),
  body: v.object({
    claimFolio,
    answer: v.pipe(line(500), v.minLength(3)),
    promisedOn: v.optional(v.nullable(askedDay), null),
  }),
  reply: envelope(claim),
  refusals: ['NOT_FOUND', 'CLAIM_ENDED'],
});

export const refundClaim = defineEndpoint({
  name: 'refundClaim',
  summary:
    'Ends a claimed purchase: everything that was paid goes back the way it came, fees too, without penalty. One that its claim ended before answers its refunds.',
  method: 'POST',
  path: '/v1/counter/purchases/:purchaseId/claim/refund',
  access: ['staff'],
  act: 'refund_claim',
  params: v.object({ purchaseId: idParam }),
  body: v.object({ claimFolio, reason: v.pipe(line(200), v.minLength(3)), refundShown: pesos }),
  reply: envelope(v.object({ refunds: v.array(refund) })),
  refusals: ['NOT_FOUND', 'CLAIM_ENDED', 'QUOTE_CHANGED'],
});
