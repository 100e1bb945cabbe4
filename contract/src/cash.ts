import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { paymentReference } from './payments.ts';
import { day, idField, ignored, moment } from './text.ts';

/** What the in-person screen shows of a cash reference. */
export const cashReference = v.object({
  /** As the provider answers (spec §7): one, whose `value` the buyer takes to the store. */
  references: v.pipe(v.array(v.object({ value: v.string() })), v.length(1)),

  // Ours, from here on.
  /** What the bar code carries, as Code 128. */
  barcode: v.string(),
  /** What is due by it: the instalment's balance or the sum that was chosen, with the fee where cash carries one. */
  amount: pesos,
  /** Whether the buyer chose the sum; else it is what is left of the instalment. */
  chosen: v.optional(v.boolean(), false),
  /** The fee in it. */
  fee: pesos,
  /** The end of its last day, Mexico City. */
  expiresAt: moment,
  /** Null where it pays the deposit of a layaway reference, `layawayId`: it has no purchase yet. */
  ventaId: v.nullable(idField),
  cxcId: v.nullable(idField),
  layawayId: v.optional(v.nullable(idField), null),
  /** The instalment's number in the plan, and how many there are; the deposit counts as the first. */
  identificador: v.number(),
  numCxc: v.number(),
  /** When the instalment is due; for a deposit, the last day of its reference. */
  fechaVencimiento: day,
  tradeName: v.string(),
  productName: v.string(),
  /** Where it can be paid, and the most that a till there takes at once. */
  stores: v.array(v.object({ name: v.string(), limit: pesos })),
});
export type CashReference = v.InferOutput<typeof cashReference>;

export const generateReference = defineEndpoint({
  name: 'generateReference',
  summary:
    'The reference by which stores take cash for a purchase: what is left of an instalment, or the sum that is asked for. Without one, it is the one that is alive, if any. For a layaway reference it takes the deposit.',
  method: 'POST',
  path: '/v1/Tapi/GenerateReference',
  access: ['buyer'],
  body: v.object({
    generationData: v.pipe(
      v.array(
        v.object({
          /** The payment reference of the instalment, or of the layaway. It and the sum are all that is read; the server fills the rest. */
          identifierValue: paymentReference,
          /** Any sum of the plan, as the rules have it, without fee. */
          monto: v.optional(pesos),
          modalityId: ignored,
          identifierName: ignored,
        }),
      ),
      v.length(1),
    ),
    additionalData: ignored,
    externalRequestId: ignored,
    companyCode: ignored,
    externalClientId: ignored,
    amountType: ignored,
    amount: ignored,
    currency: ignored,
  }),
  reply: envelope(cashReference),
  refusals: [
    'NOT_FOUND',
    'REFERENCE_PAID',
    'REFERENCE_CANCELLED',
    'REFERENCE_EXPIRED',
    'SOLD_OUT',
    'AMOUNT_CHANGED',
    'TOO_LATE_FOR_STORES',
    'TOO_MANY',
    'CASH_REFERENCE_REFUSED',
    'PROVIDER_DOWN',
  ],
});

/** The header whose key alone makes a notice Tapi's. */
export const CASH_NOTICE_KEY_HEADER = 'x-api-key';

/** The network's notice. Its fields are the provider's affair (`provider-wire`): the handler checks its key, then reads it. */
export const cashNotice = defineEndpoint({
  name: 'cashNotice',
  summary: 'The store network says what a store did with a reference; told by the key in `x-api-key`.',
  method: 'POST',
  path: '/webhooks/tapi',
  access: 'public',
  bodyLimitBytes: 4096,
  body: v.record(v.string(), v.unknown()),
  /** What Tapi takes for 'received' (200). */
  reply: v.object({ status: v.literal('Confirm') }),
  refusals: ['WRONG_CREDENTIALS'],
});
