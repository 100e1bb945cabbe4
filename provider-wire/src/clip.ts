/**
 * Clip's wire: payments, refunds, notices and the browser SDK, as Clip and its integrators document them.
 *
 * Replies are read tolerantly (unknown fields pass, most fields may be missing or null): what a payment must
 * have before it counts as money is the reader's decision, not this file's. Requests are strict.
 *
 * - https://developer.clip.mx/reference/realizarpago (POST and GET /payments)
 * - https://developer.clip.mx/reference/introduccion-api-de-reembolsos (refunds)
 * - https://developer.clip.mx/reference/token-de-autenticacion (keys)
 * - https://developer.clip.mx/reference/referencia-postback-webhook (notices)
 * - https://developer.clip.mx/reference/pruebas (test keys and cards)
 */
import { type Centavos, centavos } from '@aparta/domain/money';
import * as v from 'valibot';

// --- Money ----------------------------------------------------------------------------------------------

const largestPesos = 999_999_999.99;

/** True for what Clip calls an amount: pesos with at most 2 decimals, not negative, within `Centavos`. */
const isPesos = (amount: number): boolean =>
  amount >= 0 && amount <= largestPesos && Math.round(amount * 100) / 100 === amount;

const pesos = v.pipe(v.number(), v.check(isPesos, 'pesos with at most 2 decimals, not negative'));

/** Pesos as Clip writes them → whole centavos. Throws RangeError on a third decimal, a negative or NaN. */
export function centavosFromPesos(amount: number): Centavos {
  if (!isPesos(amount)) throw new RangeError(`not an amount of pesos with at most 2 decimals: ${amount}`);
  return centavos(Math.round(amount * 100));
}

/** Whole centavos → the number of pesos that Clip expects (never more than 2 decimals). */
export function pesosFromCentavos(amount: Centavos): number {
  return amount / 100;
}

// --- POST /payments -------------------------------------------------------------------------------------

/** Clip refuses longer references or other characters; a UUID fits exactly. */
const externalReference = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,36}$/));

const customer = v.looseObject({
  email: v.string(),
  phone: v.string(),
  first_name: v.optional(v.string()),
  last_name: v.optional(v.string()),
  address: v.optional(
    v.looseObject({
      street: v.optional(v.string()),
      number: v.optional(v.string()),
      interior_number: v.optional(v.string()),
      colony: v.optional(v.string()),
      postal_code: v.optional(v.string()),
      city: v.optional(v.string()),
      state: v.optional(v.string()),
      country: v.optional(v.string()),
    }),
  ),
});

const preventionData = v.looseObject({
  session_id: v.optional(v.string()),
  device_finger_print_token: v.optional(v.string()),
  user_agent: v.optional(v.string()),
  request_3ds: v.optional(v.boolean()),
});

/**
 * Body of POST /payments. The call has no idempotency key: repeated, it charges twice. `external_reference`
 * is the only handle by which a charge whose reply was lost can be found again.
 */
export const createPaymentRequest = v.looseObject({
  amount: v.pipe(pesos, v.gtValue(0)),
  currency: v.literal('MXN'),
  payment_method: v.looseObject({ token: v.pipe(v.string(), v.nonEmpty()) }),
  customer,
  description: v.optional(v.pipe(v.string(), v.maxLength(255))),
  external_reference: v.optional(externalReference),
  capture_method: v.optional(v.picklist(['automatic', 'manual'])),
  tip_amount: v.optional(pesos),
  installments: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  binary_mode: v.optional(v.boolean()),
  prevention_data: v.optional(preventionData),
  webhook_url: v.optional(v.pipe(v.string(), v.url())),
  return_url: v.optional(v.pipe(v.string(), v.url())),
});
export type CreatePaymentRequest = v.InferOutput<typeof createPaymentRequest>;

// --- The payment, as POST, GET and the list answer it ---------------------------------------------------

/** The documented statuses. On the wire it is a string: a new one must not make a payment unreadable. */
export const paymentStatuses = [
  'approved',
  'authorized',
  'pending',
  'rejected',
  'cancelled',
  'refunded',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

const paymentMethod = v.looseObject({
  /** Brand: "visa", "master", "amex"… */
  id: v.nullish(v.string()),
  /** "credit_card", "debit_card", "prepaid_card": decides the tax form of payment. */
  type: v.nullish(v.string()),
  token: v.nullish(v.string()),
  card: v.nullish(
    v.looseObject({
      bin: v.nullish(v.string()),
      issuer: v.nullish(v.string()),
      name: v.nullish(v.string()),
      country: v.nullish(v.string()),
      last_digits: v.nullish(v.string()),
    }),
  ),
});

export const payment = v.looseObject({
  id: v.pipe(v.string(), v.nonEmpty()),
  amount: pesos,
  currency: v.nullish(v.string()),
  status: v.string(),
  status_detail: v.nullish(v.looseObject({ code: v.nullish(v.string()), message: v.nullish(v.string()) })),
  /** `{}` when there is nothing to do; `{ type: "open_modal", url }` while 3DS waits. */
  pending_action: v.nullish(v.looseObject({ type: v.nullish(v.string()), url: v.nullish(v.string()) })),
  external_reference: v.nullish(v.string()),
  payment_method: v.nullish(paymentMethod),
  // What nobody reads here must not make a list unreadable: it holds the merchant's other sales too.
  paid_amount: v.nullish(v.number()),
  captured_amount: v.nullish(v.number()),
  amount_refunded: v.nullish(pesos),
  /** After Clip's commission; may carry more than 2 decimals. */
  net_amount: v.nullish(v.number()),
  tip_amount: v.nullish(v.number()),
  installments: v.nullish(v.number()),
  capture_method: v.nullish(v.string()),
  description: v.nullish(v.string()),
  /** Clip's number for reconciling with its deposits. */
  receipt_no: v.nullish(v.union([v.string(), v.number()])),
  refunds: v.nullish(v.array(v.unknown())),
  webhook_url: v.nullish(v.string()),
  /** ISO-8601 in UTC. */
  created_at: v.nullish(v.string()),
  approved_at: v.nullish(v.string()),
});
export type Payment = v.InferOutput<typeof payment>;

/** `pending_action.type` while the buyer has to authenticate. */
export const openModal = 'open_modal';

// --- GET /payments?from=&to=&page= ----------------------------------------------------------------------

/**
 * One page of the payments created in a window of ISO instants with `Z`. Pages are numbered from 1
 * (assumption: no official page shows the first number), `total` counts pages, `total_results` payments.
 */
export const paymentList = v.looseObject({
  pages: v.looseObject({
    size: v.number(),
    number: v.number(),
    total: v.number(),
    total_results: v.number(),
  }),
  results: v.array(payment),
});
export type PaymentList = v.InferOutput<typeof paymentList>;

// --- POST /refunds, GET /refunds/{id} -------------------------------------------------------------------

/** Body of POST /refunds. The optional header `idempotency-key` is remembered for one minute only. */
export const refundRequest = v.looseObject({
  amount: v.pipe(pesos, v.gtValue(0)),
  reason: v.optional(v.string()),
  reference: v.looseObject({
    type: v.picklist(['payment', 'receipt']),
    id: v.pipe(v.string(), v.nonEmpty()),
  }),
});
export type RefundRequest = v.InferOutput<typeof refundRequest>;

/** Within 24 h of the payment a refund is a cancellation and carries the payment's own id. */
export const refund = v.looseObject({
  id: v.pipe(v.string(), v.nonEmpty()),
  /** "approved" or "declined". */
  status: v.string(),
  status_message: v.nullish(v.string()),
  amount: pesos,
  currency: v.nullish(v.string()),
  receipt_no: v.nullish(v.union([v.string(), v.number()])),
  reason: v.nullish(v.string()),
  reference: v.nullish(v.looseObject({ type: v.nullish(v.string()), id: v.nullish(v.string()) })),
  created_at: v.nullish(v.string()),
});
export type Refund = v.InferOutput<typeof refund>;

// --- Errors ---------------------------------------------------------------------------------------------

export const errorBody = v.looseObject({
  error_code: v.nullish(v.string()),
  message: v.nullish(v.string()),
  detail: v.nullish(v.array(v.unknown())),
});
export type ErrorBody = v.InferOutput<typeof errorBody>;

/** `error_code` → meaning. */
export const errorCodes = {
  AI1300: 'transaction not found',
  AI1400: 'balance does not cover the refund',
  AI1800: 'payment is not approved',
  AI1801: 'refund is larger than the payment',
  AI1802: 'refund is larger than what remains of the payment',
  AI1803: 'too late to refund (180 days)',
  AI1804: 'payment is in dispute',
  AI1805: 'refunds are switched off',
  AI1806: 'payments in months cannot be refunded',
  AI1807: 'a refund is in process',
  AI1899: 'internal error of the refund',
  CL301: 'payment not found',
  CL1127: 'payment method not supported',
  CL1500: 'not allowed',
  CL2200: 'required data missing or invalid',
  CL2290: 'card data not valid',
} as const satisfies Record<string, string>;
export type ErrorCode = keyof typeof errorCodes;

// --- Status details -------------------------------------------------------------------------------------

/** `status_detail.code` → meaning. The list is not known to be complete: treat others by `status` alone. */
export const statusDetails = {
  'AP-PAI01': 'paid',
  'AP-REF01': 'partially refunded',
  'RE-REF01': 'refunded in full (status refunded, despite the prefix)',
  'AU-CAP01': 'authorized, capture pending',
  'CA-AUT01': 'cancelled automatically',
  'CA-MAN01': 'cancelled manually',
  'CA-MER01': 'cancelled by the merchant',
  'PE-3DS01': 'waiting for 3DS',
  'PE-EMV01': 'waiting for the chip (terminal)',
  'PE-SIG01': 'waiting for a signature (terminal)',
  'PE-TIC01': 'waiting for a cash payment',
  'RE-3DS01': '3DS failed',
  'RE-ISS01': 'insufficient funds',
  'RE-ISS02': 'not honoured by the bank',
  'RE-ISS03': 'restricted card',
  'RE-ISS04': 'card for private use',
  'RE-ISS05': 'not permitted to the holder',
  'RE-ISS06': 'retain the card',
  'RE-ISS07': 'expired card',
  'RE-ISS08': 'over the limit',
  'RE-ISS09': 'wrong PIN',
  'RE-ISS10': 'too many wrong PINs',
  'RE-ISS11': 'refer to the issuer',
  'RE-ISS12': 'invalid amount',
  'RE-ISS13': 'issuer offline',
  'RE-ISS14': 'issuer or switch down',
  'RE-ISS15': 'fallback',
  'RE-ISS16': 'invalid card number',
  'RE-ISS17': 'invalid merchant',
  'RE-ISS18': 'invalid transaction',
  'RE-ISS19': 'rejected by the issuer',
  'RE-ISS20': 'rejected by the issuer',
  'RE-ISS99': 'generic error of the issuer',
  'RE-BIN01': 'card type not accepted',
  'RE-ERI03': 'rejected by risk rules',
  'RE-ERI05': "the merchant's identity check is incomplete",
  'RE-CHI01': 'rejected',
} as const satisfies Record<string, string>;
export type StatusDetailCode = keyof typeof statusDetails;

// --- Webhook --------------------------------------------------------------------------------------------

/** What Clip posts to `webhook_url`. Not signed: a hint to read the payment again, nothing more. */
export const webhookBody = v.looseObject({
  id: v.pipe(v.string(), v.nonEmpty()),
  origin: v.nullish(v.string()),
  /** "INSERT" = new payment, "UPDATE" = its status changed. */
  event_type: v.nullish(v.string()),
});
export type WebhookBody = v.InferOutput<typeof webhookBody>;

// --- Browser --------------------------------------------------------------------------------------------

/**
 * Posted to the parent window by the 3DS frame when it is over, whatever the outcome.
 * @public
 */
export type ThreeDsMessage = { paymentId: string };

/**
 * Global `ClipSDK` of https://sdk.clip.mx/js/clip-sdk.js; the key is the public half of the merchant's pair.
 * @public
 */
export type ClipSdk = new (apiKey: string) => {
  element: { create(type: 'Card', options?: CardElementOptions): CardElement };
};

export type CardElementOptions = {
  theme?: 'light' | 'dark';
  locale?: 'es' | 'en';
  /** Pesos. */
  paymentAmount?: number;
  /** The selector of months. */
  terms?: { enabled: boolean };
};

export type CardElement = {
  /** Id of the containing element, without `#`. */
  mount(containerId: string): void;
  /** Pesos. */
  setAmount(amount: number): void;
  /** Single use, dead after 15 minutes. Throws {@link CardElementError}. */
  cardToken(): Promise<{ id: string }>;
  /** Months chosen; 1 = none. */
  installments(): Promise<number>;
  cardholderData(): Promise<{ firstName: string; lastName: string }>;
  preventionData(): Promise<{ session_id: string; user_agent: string }>;
};

/**
 * Thrown by the element: CL2200 (data missing), CL2290 (not a card), AI1300, TCE0001 (no payment data).
 * @public
 */
export type CardElementError = { code: string; message: string };
