import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { claim } from './purchases.ts';
import { idParam, line } from './text.ts';

/** The number of a claim. */
export const claimFolio = v.pipe(v.string(), v.regex(/^[0-9A-Z]{10}$/));

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
