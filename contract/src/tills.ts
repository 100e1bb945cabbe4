import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint } from './endpoint.ts';
import { line } from './text.ts';

/** `error` of a PosOperations reply (decisions §3). */
export const TILL_ERRORS = {
  ok: 0,
  unknownReference: 1,
  expired: 2,
  alreadyPaid: 3,
  invalidAmount: 4,
  purchaseCancelled: 5,
  otherContent: 6,
  notReversible: 7,
  notOffered: 8,
  noApprovedPayment: 9,
  internal: 99,
} as const;
export type TillError = (typeof TILL_ERRORS)[keyof typeof TILL_ERRORS];

/** Chains number their shops, so a number is as good as a name. */
const word = v.union([
  v.pipe(line(64), v.minLength(1)),
  v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.transform(String)),
]);

export const tillRequest = v.object({
  referencia: word,
  importe: v.pipe(pesos, v.minValue(0.01)),
  compañia: word,
  sucursal: word,
  idtransaccion: word,
});

export const tillReply = v.object({
  error: v.picklist(Object.values(TILL_ERRORS)),
  /** Spanish: the cashier reads it. */
  mensaje: v.string(),
  /** The folio on the ticket; empty when nothing was taken. */
  autorizacion: v.string(),
  /** Ours: the purchase that the money went to. */
  ventaId: v.optional(v.number()),
});
export type TillReply = v.InferOutput<typeof tillReply>;

/** A till's call books money; a buyer's only asks to look again at the card payment (decisions §2). */
export const onLayaway = defineEndpoint({
  name: 'onLayaway',
  summary: 'A till takes the deposit of a layaway reference. Same `idtransaccion`, same answer.',
  method: 'POST',
  path: '/PosOperations/OnLayaway',
  access: ['till', 'buyer'],
  refusalForm: 'till',
  body: tillRequest,
  reply: tillReply,
  refusals: [],
});
