import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { idParam, line, moment } from './text.ts';

/** What a buyer needs to get the goods of a purchase that is paid whole, and what became of them. */
export const pickup = v.object({
  /** What to say at the counter, and what a QR of it holds; null once the goods are handed over. */
  code: v.nullable(
    v.object({
      digits: v.string(),
      qr: v.string(),
      /** The same drawn: the path of an SVG, and the side of its square. */
      qrPath: v.string(),
      qrSize: v.number(),
      expiresAt: moment,
      /** Five wrong ones were typed: only another code opens it. */
      locked: v.boolean(),
    }),
  ),
  /** Whom the buyer named to collect it; null: themselves. */
  collector: v.nullable(v.string()),
  /** Where and when the goods were handed over, and by whom. */
  handedOver: v.nullable(v.object({ at: moment, branch: v.string(), by: v.string() })),
});
export type Pickup = v.InferOutput<typeof pickup>;

export const digits = v.pipe(v.string(), v.regex(/^\d{6}$/));

export const getPickup = defineEndpoint({
  name: 'getPickup',
  summary:
    'The pickup code of a purchase that is paid whole, or its hand-over. A code that ended is made anew.',
  method: 'GET',
  path: '/v1/Sales/PickupAsync/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  reply: envelope(pickup),
  refusals: ['NOT_FOUND', 'PURCHASE_CANCELLED', 'NOT_PAID_OFF'],
});

export const replacePickupCode = defineEndpoint({
  name: 'replacePickupCode',
  summary:
    'Another pickup code for the one that was shown, which opens nothing any more. Repeated, it makes no third.',
  method: 'PUT',
  path: '/v1/Sales/PickupReplaceAsync/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  body: v.object({ replaces: digits }),
  reply: envelope(pickup),
  refusals: ['NOT_FOUND', 'PURCHASE_CANCELLED', 'NOT_PAID_OFF', 'HANDED_OVER'],
});

export const nameCollector = defineEndpoint({
  name: 'nameCollector',
  summary: 'Names who may collect the goods with the code; null: the buyer alone.',
  method: 'PUT',
  path: '/v1/Sales/PickupCollectorAsync/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  body: v.object({ collector: v.nullable(v.pipe(line(80), v.minLength(3))) }),
  reply: envelope(pickup),
  refusals: ['NOT_FOUND', 'PURCHASE_CANCELLED', 'NOT_PAID_OFF', 'HANDED_OVER'],
});
