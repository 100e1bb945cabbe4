import { MOST_AT_ONCE } from '@aparta/domain/at-once';
import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { day, echoedLine, idField, idParam, line, moment, uuid } from './text.ts';

/** The life of one card attempt, as the buyer's screen chooses its face by it. */
export const ATTEMPT_STATES = [
  'submitting',
  'pending_3ds',
  'unknown',
  'held',
  'rejected',
  'not_charged',
  'abandoned',
  'applied',
  'returned',
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/** Attempts whose money may still move: until they end, nothing else is paid (rules/card-attempts#states). */
export const OPEN_ATTEMPT_STATES: readonly AttemptState[] = ['submitting', 'pending_3ds', 'unknown', 'held'];

/** What a buyer can do about a rejection; the provider's own reason is never sent on. */
export const REJECTION_ADVICE = [
  'retry',
  'retry_later',
  'other_card',
  'call_bank',
  'check_data',
  'contact_support',
] as const;
export type RejectionAdvice = (typeof REJECTION_ADVICE)[number];

/** A payment reference as printed: its prefix and the ten digits of its id. */
export const paymentReference = v.pipe(line(30), v.regex(/^\d{11,13}$/));

/** A card attempt as its buyer, or its merchant's integrator, sees it. */
export const cardPayment = v.object({
  /** The provider's payment id; empty while we do not know it. */
  id: v.string(),
  /** The provider's status and detail as of the last poll (spec §7); `pending` while there was no answer. */
  status: v.string(),
  status_detail: v.object({ code: v.string(), message: v.string() }),
  pending_action: v.object({ url: v.string() }),
  amount: pesos,
  currency: v.literal('MXN'),
  /** Ours, from here on: */
  intentoId: uuid,
  state: v.picklist(ATTEMPT_STATES),
  /** Whether the money is in the books. */
  applied: v.boolean(),
  referencia: v.string(),
  /** The purchase that the money went to, once there is one. */
  ventaId: v.nullable(idField),
  /** The number on its receipt and when the money arrived, once it has. */
  folio: v.nullable(v.string()),
  paidAt: v.nullable(moment),
  /** What the buyer recognises their card by, once the provider said it. */
  card: v.nullable(
    v.object({ type: v.picklist(['credit', 'debit', 'prepaid', 'other']), last4: v.string() }),
  ),
  /** When the attempt was begun. */
  createdAt: moment,
  /** Of a rejected attempt only. */
  advice: v.nullable(v.picklist(REJECTION_ADVICE)),
  /** Of a returned attempt: why, where it did not just come too late. */
  returnReason: v.nullable(v.picklist(['sold_out'])),
  /** What goes back to the buyer, when the money was taken and could not be applied; `otherSum`: since it was not the agreed one. */
  refund: v.nullable(v.object({ amount: pesos, otherSum: v.optional(v.boolean()), done: v.boolean() })),
  /**
   * The purchase's plan as it stands now, for the paid screen; null until the money is applied, and once the purchase is
   * cancelled. `left` is without service fees; `nextDueOn` is null when nothing is left.
   */
  plan: v.nullable(
    v.object({ count: v.number(), paid: v.number(), left: pesos, nextDueOn: v.nullable(day) }),
  ),
  /** What it pays of each, of an attempt at several purchases; `saldo` is what is left of it now, without fees. */
  compras: v.optional(
    v.array(v.object({ ventaId: idField, producto: v.string(), monto: pesos, saldo: pesos })),
  ),
});
export type CardPayment = v.InferOutput<typeof cardPayment>;

/** As buyers' profiles have it: what one takes never keeps its buyer from paying. */
const customer = v.object({
  email: v.optional(echoedLine(254)),
  phone: v.optional(echoedLine(30)),
  address: v.optional(
    v.object({
      number: v.optional(echoedLine(30)),
      postal_code: v.optional(echoedLine(12)),
      street: v.optional(echoedLine(200)),
    }),
  ),
});

const shownFills = v.pipe(
  v.array(v.object({ identificador: v.pipe(v.number(), v.integer(), v.minValue(1)), monto: pesos })),
  v.minLength(1),
  v.maxLength(999),
);

export const createCardPayment = defineEndpoint({
  name: 'createCardPayment',
  summary: 'Pays a payment reference with a card token; safe to repeat with the same `intentoId` and body.',
  method: 'POST',
  path: '/v1/Clib/CreatePaymentsAsync',
  access: ['buyer'],
  productField: 'apartaBusinnessId',
  body: v.object({
    /** The sum that the buyer was shown, fee included. The server computes its own and compares. */
    amount: v.pipe(pesos, v.minValue(0.01)),
    currency: v.literal('MXN'),
    description: v.optional(echoedLine(250), ''),
    payment_method: v.object({ token: v.pipe(line(200), v.minLength(1)) }),
    customer: v.optional(customer, {}),
    /** Ours: what the provider's SDK gathered in the browser, for its risk rules. */
    prevention_data: v.optional(
      v.object({ session_id: v.optional(line(100)), user_agent: v.optional(line(400)) }),
      {},
    ),
    apartaBusinnessId: idField,
    /** Left out, it is inferred where exactly one payable of that buyer, merchant and amount is alive. */
    referencia: v.optional(paymentReference),
    /** Made and kept by the browser before sending. */
    intentoId: v.optional(uuid),
    /**
     * What the buyer was shown that the sum fills, oldest first. With it any sum of the plan is taken, as the rules have it; without
     * it, what is left of the instalment that the reference names.
     */
    abonos: v.optional(shownFills),
    /**
     * Several purchases of the merchant, each by the reference of its oldest unpaid instalment, with what the buyer was shown that
     * its part fills: one charge and one fee, applied to all or returned whole.
     */
    compras: v.optional(
      v.pipe(
        v.array(v.object({ referencia: paymentReference, abonos: shownFills })),
        v.minLength(2),
        v.maxLength(MOST_AT_ONCE),
      ),
    ),
  }),
  reply: envelope(cardPayment),
  refusals: [
    'NOT_FOUND',
    'AMOUNT_CHANGED',
    'ATTEMPT_OPEN',
    'INTENT_CONFLICT',
    'REFERENCE_EXPIRED',
    'REFERENCE_PAID',
    'REFERENCE_CANCELLED',
    'SOLD_OUT',
    'CARDS_NOT_ACCEPTED',
    'MERCHANT_MISCONFIGURED',
    'TOO_MANY_REJECTIONS',
    'CONFIRM_EMAIL_FIRST',
    'TOO_MANY',
    'PROVIDER_DOWN',
  ],
});

export const getCardPayment = defineEndpoint({
  name: 'getCardPayment',
  summary: 'Asks the provider for a payment again, and applies it if it was approved.',
  method: 'GET',
  path: '/v1/Clib/GetPaymentsAsync/:paymentId/:businessId',
  access: ['buyer', 'integrator'],
  params: v.object({ paymentId: uuid, businessId: idParam }),
  reply: envelope(cardPayment),
  refusals: ['NOT_FOUND'],
});

/** Ours: a reload, a second tab or a poll asks by the id that the browser kept, whatever became of the reply. */
export const getAttempt = defineEndpoint({
  name: 'getAttempt',
  summary: 'The state of a card attempt, by the id that the browser gave it.',
  method: 'GET',
  path: '/v1/Clib/GetAttemptAsync/:intentoId',
  access: ['buyer'],
  params: v.object({ intentoId: uuid }),
  reply: envelope(cardPayment),
  refusals: ['NOT_FOUND'],
});

/** The card provider's notice. Unsigned, so it says no more than 'look again' (rules/accounts#notices). */
export const cardNotice = defineEndpoint({
  name: 'cardNotice',
  summary: 'The card provider says that a payment changed; the server looks for itself.',
  method: 'POST',
  path: '/webhooks/clip/:nonce',
  access: 'public',
  bodyLimitBytes: 4096,
  params: v.object({ nonce: v.pipe(v.string(), v.regex(/^[\w-]{16,64}$/)) }),
  body: v.object({ id: v.optional(line(64)) }),
  reply: envelope(v.null()),
  refusals: [],
});
