import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { idField, line } from './text.ts';

/** `error` of a PosOperations reply (rules/wire#till-errors); what each means to a till is in `tills-explained.ts`. */
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
  soldOut: 10,
  busy: 11,
  malformed: 12,
  foreignChain: 13,
  overCap: 14,
  tooManyUnknown: 15,
  unknownOperation: 16,
  internal: 99,
} as const;
export type TillError = (typeof TILL_ERRORS)[keyof typeof TILL_ERRORS];

/** Chains number their shops, so a number is as good as a name. */
const word = v.union([
  v.pipe(line(60), v.minLength(1)),
  v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.transform(String)),
]);

/** What tells one operation of a till from all others. */
const tillKey = { compañia: word, sucursal: word, idtransaccion: word };

export const tillRequest = v.object({
  referencia: word,
  importe: v.pipe(pesos, v.minValue(0.01)),
  ...tillKey,
});

export const tillReply = v.object({
  error: v.picklist(Object.values(TILL_ERRORS)),
  /** Spanish: the cashier reads it. */
  mensaje: v.string(),
  /** The folio on the ticket; empty when nothing was taken. */
  autorizacion: v.string(),
  /** Ours: the purchase that the money went to. */
  ventaId: v.optional(v.number()),
  /** Ours, with error 4: the sum to take. */
  importe: v.optional(pesos),
  /** Ours, with error 4: what comes next, the least and all, fee inside. A deposit is all three. */
  siguiente: v.optional(pesos),
  minimo: v.optional(pesos),
  todo: v.optional(pesos),
});
export type TillReply = v.InferOutput<typeof tillReply>;

/** A till's call books money; a buyer's only asks to look again at the card payment (rules/accounts#browsers-ask). */
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

/** The path is the spec's; unlike a layaway's deposit, any sum up to the purchase's balance is taken. */
export const payTill = defineEndpoint({
  name: 'payTill',
  summary:
    'A till takes money for an instalment; it fills the oldest first. Same `idtransaccion`, same answer.',
  method: 'POST',
  path: '/PosOperations/payment',
  access: ['till', 'buyer'],
  refusalForm: 'till',
  body: tillRequest,
  reply: tillReply,
  refusals: [],
});

/** What became of an operation. A refused one stays refused, so it can be told apart from one that never came. */
export const TILL_OPERATION_STATES = ['autorizada', 'rechazada', 'revertida', 'desconocida'] as const;
/** How a reference stands that was asked about alone. */
const TILL_REFERENCE_STATES = ['por_cobrar', 'agotada', 'vencida', 'pagada', 'cancelada'] as const;
export type TillOperationState = (typeof TILL_OPERATION_STATES)[number];

/** Ours: tills time out, and must be able to ask before they charge again. */
export const queryTill = defineEndpoint({
  name: 'queryTill',
  summary:
    'What became of an operation, by its key; or, by `referencia` alone, what it stands for and which sums can be taken, before any is.',
  method: 'POST',
  path: '/PosOperations/query',
  access: ['till'],
  refusalForm: 'till',
  body: v.pipe(
    v.object({
      compañia: v.optional(word),
      sucursal: v.optional(word),
      idtransaccion: v.optional(word),
      /** Alone. */
      referencia: v.optional(word),
    }),
    v.forward(
      v.check(
        ({ compañia, sucursal, idtransaccion, referencia }) =>
          idtransaccion === undefined
            ? referencia !== undefined
            : compañia !== undefined && sucursal !== undefined,
        'idtransaccion with compañia and sucursal, or referencia',
      ),
      ['idtransaccion'],
    ),
  ),
  reply: v.object({
    ...tillReply.entries,
    estado: v.picklist([...TILL_OPERATION_STATES, ...TILL_REFERENCE_STATES]),
    /** As the operation came, and neither when it is unknown; of a reference, the number and sum to take next. */
    referencia: v.optional(v.string()),
    importe: v.optional(pesos),
    /** Of a reference. */
    operacion: v.optional(v.picklist(['OnLayaway', 'payment'])),
    producto: v.optional(v.string()),
    comprador: v.optional(v.string()),
    saldo: v.optional(pesos),
    atrasada: v.optional(v.boolean()),
    vence: v.optional(v.string()),
  }),
  refusals: [],
});

/** Ours: the same day, Mexico City, while nothing hangs on the money. */
export const reverseTill = defineEndpoint({
  name: 'reverseTill',
  summary: 'Takes an operation back, or blocks it when it has not come yet. Repeated, it answers the same.',
  method: 'POST',
  path: '/PosOperations/reverse',
  access: ['till'],
  refusalForm: 'till',
  body: v.object({
    ...tillKey,
    /** As in the operation. What is there must agree with it. */
    referencia: v.optional(word),
    importe: v.optional(tillRequest.entries.importe),
  }),
  reply: tillReply,
  refusals: [],
});

/** Named by the spec and used by nobody: always error 8. */
export const saleWithoutReference = defineEndpoint({
  name: 'saleWithoutReference',
  summary: 'Not offered: answers error 8.',
  method: 'POST',
  path: '/PosOperations/SaleWithOutRef',
  access: ['till'],
  refusalForm: 'till',
  reply: tillReply,
  refusals: [],
});

/** Ours: a back office reads what its tills took and gave back, and misses nothing. */
export const listTillOperations = defineEndpoint({
  name: 'listTillOperations',
  summary:
    "What tills of the account's chain took and gave back for the merchants that it collects for, in the order in which it became final: from `cursor` on, from the first when there is none. A reversal is an entry of its own. Keep `next`, and ask with it from now and then.",
  method: 'GET',
  path: '/v1/tills/operations',
  access: ['till'],
  query: v.object({
    cursor: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-z]{1,10}-[0-9a-z]{1,10}$/))),
    limit: v.optional(
      v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.minValue(1), v.maxValue(100)),
      '100',
    ),
  }),
  reply: v.object({
    ...envelope(
      v.array(
        v.object({
          operacion: v.picklist(['OnLayaway', 'payment']),
          estado: v.picklist(['autorizada', 'revertida']),
          compañia: v.string(),
          sucursal: v.string(),
          idtransaccion: v.string(),
          referencia: v.string(),
          importe: pesos,
          autorizacion: v.string(),
          comercioId: idField,
          ventaId: idField,
          fecha: v.string(),
        }),
      ),
    ).entries,
    next: v.string(),
    more: v.boolean(),
  }),
  refusals: [],
});
