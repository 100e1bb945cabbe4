import { isSignature, SIGNATURE } from '@aparta/domain/pickup-code';
import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { productPictures } from './pictures.ts';
import { digits } from './pickup.ts';
import { idField, line, moment, uuid } from './text.ts';

/** Goods that may be handed over with the code that was shown. */
export const handOverOffer = v.object({
  purchaseId: idField,
  productId: idField,
  productName: v.string(),
  pictures: productPictures,
  buyer: v.string(),
  /** Whom the buyer named to collect it; null: themselves. */
  collector: v.nullable(v.string()),
  paid: pesos,
  /** Whether the merchant wants a signature. */
  wantsSignature: v.boolean(),
});
export type HandOverOffer = v.InferOutput<typeof handOverOffer>;

/** The receipt of a hand-over, for the shop. */
export const handOverReceipt = v.object({
  id: uuid,
  purchaseId: idField,
  at: moment,
  branchId: idField,
  branch: v.string(),
  handedBy: v.string(),
  device: v.nullable(v.string()),
  productName: v.string(),
  buyer: v.string(),
  collector: v.nullable(v.string()),
  signed: v.boolean(),
  paid: pesos,
});
export type HandOverReceipt = v.InferOutput<typeof handOverReceipt>;

const PICKUP_REFUSALS = [
  'NOT_FOUND',
  'NOT_PAID_OFF',
  'PAYMENT_TAKEN_BACK',
  'PURCHASE_CANCELLED',
  'HANDED_OVER',
  'PICKUP_WRONG',
  'PICKUP_LOCKED',
  'PICKUP_REPLACED',
  'PICKUP_EXPIRED',
] as const;

export const findHandOver = defineEndpoint({
  name: 'findHandOver',
  summary:
    'What a pickup code is for. `code` is what its QR holds, or a printed number or folio of its purchase. Five wrong `digits` lock it.',
  method: 'POST',
  path: '/v1/counter/hand-overs/find',
  access: ['staff'],
  act: 'hand_over',
  body: v.object({ code: line(40), digits }),
  reply: envelope(handOverOffer),
  refusals: [...PICKUP_REFUSALS, 'TOO_MANY'],
});

export const handOver = defineEndpoint({
  name: 'handOver',
  summary:
    'Hands the goods of a purchase over, once per `id`: the same call gets the same receipt, however often it is made.',
  method: 'POST',
  path: '/v1/counter/hand-overs',
  access: ['staff'],
  act: 'hand_over',
  body: v.object({
    id: uuid,
    branchId: idField,
    purchaseId: idField,
    digits,
    /** Strokes as drawn, each x and y in turn. */
    signature: v.optional(
      v.pipe(
        v.array(v.pipe(v.array(v.number()), v.maxLength(2 * SIGNATURE.points))),
        v.maxLength(SIGNATURE.strokes),
        v.check((strokes) => isSignature(strokes), 'no signature'),
      ),
    ),
  }),
  reply: envelope(handOverReceipt),
  refusals: [...PICKUP_REFUSALS, 'INTENT_CONFLICT'],
});

export const findHandedOver = defineEndpoint({
  name: 'findHandedOver',
  summary:
    'The receipt of what was handed over under the `id` that its device made. NOT_FOUND: nothing was, and the same call of `handOver` may be made again.',
  method: 'GET',
  path: '/v1/counter/hand-overs/:id',
  access: ['staff'],
  act: 'see_receipt',
  params: v.object({ id: uuid }),
  reply: envelope(handOverReceipt),
  refusals: ['NOT_FOUND'],
});
