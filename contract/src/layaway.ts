import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { cardPayment } from './payments.ts';
import { day, echoedLine, idField, idParam, ignored, moment } from './text.ts';

/** `Estatus` of a layaway reference (rules/wire#fields-that-nobody-explains). */
export const REFERENCE_STATUS = { waiting: 1, paid: 2, expired: 3, cancelled: 4 } as const;

/** Spec §3, PullApartReference, and what the screens need beside it. */
export const layawayReference = v.object({
  Id: idField,
  /** The same: spec §7 says that `data` carries 'the new id'. */
  id: idField,
  Referencia: v.string(),
  IpOrigen: v.string(),
  Fecha: moment,
  Estatus: v.picklist([1, 2, 3, 4]),

  // Ours, from here on.
  /** What is printed under the bar code: `1` and the id. */
  paymentReference: v.string(),
  expiresAt: moment,
  businessId: idField,
  productId: idField,
  tradeName: v.string(),
  productName: v.string(),
  productDescription: v.string(),
  /** The company's logo; '' if it has none. */
  logofileName: v.string(),
  /** The terms, frozen when the reference was made. */
  price: pesos,
  deposit: pesos,
  cardFee: pesos,
  tillFee: pesos,
  /** What is paid today by each method: the deposit with its fee. */
  cardTotal: pesos,
  tillTotal: pesos,
  /** At stores the same, by a cash reference of its own. */
  cashFee: v.optional(pesos),
  cashTotal: v.optional(pesos),
  /** The whole plan; number 1 is the deposit. */
  instalments: v.array(v.object({ number: v.number(), dueOn: day, amount: pesos })),
  /** Within how many days of its last payment the shop promises to hand it over. */
  deliveryDays: v.number(),
  /** How many days late it ends by itself, after two warnings; null: never. */
  endDaysLate: v.nullable(v.number()),
  acceptsCards: v.boolean(),
  cardKey: v.string(),
  /** The newest card attempt at it, whatever its state, so that any tab finds its way back. */
  attempt: v.nullable(cardPayment),
  /** What was paid for the deposit without reserving: what the merchant gives back in cash, and what still goes to a card. */
  owedBack: v.optional(pesos, 0),
  owedToCard: v.optional(pesos, 0),
  /** The purchase, once it is paid. */
  ventaId: v.nullable(idField),
  /** The deposit's receipt, however it was paid. */
  folio: v.nullable(v.string()),
});
export type LayawayReference = v.InferOutput<typeof layawayReference>;

export const createLayawayReference = defineEndpoint({
  name: 'createLayawayReference',
  summary: "Freezes a layaway's terms; the same buyer and product while one is alive gets the same one.",
  method: 'POST',
  path: '/v1/PullApartReference',
  access: ['buyer'],
  body: v.object({
    Id: ignored,
    /** The text of the product's QR; of it only the merchant and the product are believed. */
    Referencia: echoedLine(300),
    IpOrigen: ignored,
    Fecha: ignored,
    Estatus: ignored,
    /** Ours: the buyer says that a second one of the same product is meant. */
    repeat: v.optional(v.boolean(), false),
  }),
  reply: envelope(layawayReference),
  refusals: ['NOT_A_LAYAWAY', 'NOT_FOUND', 'NOT_ON_SALE', 'SOLD_OUT', 'RECENTLY_RESERVED', 'TOO_MANY'],
});

export const getLayawayReference = defineEndpoint({
  name: 'getLayawayReference',
  summary: "One of the buyer's layaway references, as it stands now.",
  method: 'GET',
  path: '/v1/PullApartReference/:id',
  access: ['buyer'],
  params: v.object({ id: idParam }),
  reply: envelope(layawayReference),
  refusals: ['NOT_FOUND'],
});

export const listUnresolvedLayaways = defineEndpoint({
  name: 'listUnresolvedLayaways',
  summary:
    "The buyer's layaway references without a purchase whose card payment is open, or of which money is owed back: the newest three.",
  method: 'GET',
  path: '/v1/PullApartReferences/UnresolvedAsync',
  access: ['buyer'],
  reply: envelope(v.array(layawayReference)),
  refusals: [],
});
