import { centavosFromPesos, pesosFromCentavos } from '@aparta/contract/amount';
import type { Sent } from '@aparta/contract/endpoint';
import {
  createCardPayment,
  getAttempt,
  getCardPayment,
  OPEN_ATTEMPT_STATES,
  type AttemptState,
  type CardPayment,
  type RejectionAdvice,
} from '@aparta/contract/payments';
import type { DateOnly } from '@aparta/domain/calendar';
import { pesosToCentavos, type Centavos } from '@aparta/domain/money';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import type { BuyerProfile } from './profile.ts';

/** A card attempt as the server last reported it. */
export interface CardAttempt {
  /** Made by the browser before sending. */
  readonly intentId: string;
  /** The provider's; empty while unknown. */
  readonly paymentId: string;
  readonly state: AttemptState;
  /** Its money may still move: until it ends, nothing else is paid (rules/card-attempts#states). */
  readonly isOpen: boolean;
  /** Fee included. */
  readonly charged: Centavos;
  readonly createdAt: Date;
  /** Where the bank identifies the buyer; empty unless it waits for that. */
  readonly threeDsUrl: string;
  /** Undefined until the provider has named it. */
  readonly card: NonNullable<CardPayment['card']> | undefined;
  /** Of a rejected attempt only. */
  readonly advice: RejectionAdvice | undefined;
  readonly refund: { readonly amount: Centavos; readonly done: boolean } | undefined;
  /** The receipt's number and date, and the purchase; undefined until the money is applied. */
  readonly folio: string | undefined;
  readonly paidAt: Date | undefined;
  readonly purchaseId: number | undefined;
  /** How the purchase stands now; undefined until the money is applied, and once the purchase is cancelled. */
  readonly plan: PaidPlan | undefined;
}

/** A purchase's plan after a payment. */
export interface PaidPlan {
  readonly count: number;
  readonly paid: number;
  /** Without service fees. */
  readonly left: Centavos;
  /** Undefined when nothing is left. */
  readonly nextDueOn: DateOnly | undefined;
}

/** An attempt from its wire form; other resources carry one too. */
export function cardAttempt(wire: CardPayment): CardAttempt {
  const { refund, plan, paidAt } = wire;
  return {
    intentId: wire.intentoId,
    paymentId: wire.id,
    state: wire.state,
    isOpen: OPEN_ATTEMPT_STATES.includes(wire.state),
    charged: centavosFromPesos(wire.amount),
    createdAt: new Date(wire.createdAt),
    threeDsUrl: wire.pending_action.url,
    card: wire.card ?? undefined,
    advice: wire.advice ?? undefined,
    refund: refund ? { amount: centavosFromPesos(refund.amount), done: refund.done } : undefined,
    folio: wire.folio ?? undefined,
    paidAt: paidAt === null ? undefined : new Date(paidAt),
    purchaseId: wire.ventaId ?? undefined,
    plan: plan
      ? { ...plan, left: centavosFromPesos(plan.left), nextDueOn: plan.nextDueOn ?? undefined }
      : undefined,
  };
}

/** The state of an attempt, by the id that this browser gave it. Throws ApiError; NOT_FOUND if it never arrived. */
export async function readAttempt(intentId: string, signal: AbortSignal): Promise<CardAttempt> {
  return cardAttempt((await call(getAttempt, { params: { intentoId: intentId } }, { signal })).data);
}

/**
 * Makes the server ask the provider about a payment now and apply it if it was approved. It reopens an abandoned 3DS
 * that the bank still waits for. Throws ApiError.
 */
export async function checkPayment(paymentId: string, merchantId: number): Promise<CardAttempt> {
  return cardAttempt((await call(getCardPayment, { params: { paymentId, businessId: merchantId } })).data);
}

type PaymentBody = Sent<typeof createCardPayment, 'body'>;

/** A card payment that the buyer has confirmed. Built once: the same order is the same payment (rules/wire#payments). */
export type PaymentOrder = {
  /** Made by the browser, and stored before it is sent. */
  intentId: string;
  /** The payment reference: prefix and ten-digit id. */
  reference: string;
  merchantId: number;
  /** What the buyer was shown, fee included. */
  total: Centavos;
  description: string;
  /** The provider's token of the card, and its data against fraud. */
  token: { readonly id: string; readonly prevention: NonNullable<PaymentBody['prevention_data']> };
  buyer: BuyerProfile;
};

/** The result of sending a payment. */
export type Outcome =
  | { kind: 'answered'; attempt: CardAttempt }
  /** No usable answer: the server may or may not have it. */
  | { kind: 'lost' }
  /** Another attempt exists, the amount changed, or it was settled otherwise: the server's state says which. */
  | { kind: 'overtaken'; error: ApiError; newAmount?: Centavos | undefined }
  | { kind: 'noCards' }
  /** Certainly nothing was charged; the error says why. */
  | { kind: 'refused'; error: ApiError };

// The server waits up to 40 s for the provider and 45 s in all.
const PAYMENT_TIMEOUT_MS = 60_000;

/** Sends a payment once. A second call with the same order is the same payment. Throws only errors that are not ApiError. */
export async function sendPayment(order: PaymentOrder): Promise<Outcome> {
  try {
    const body = bodyOf(order);
    const { data } = await call(createCardPayment, { body }, { timeoutMs: PAYMENT_TIMEOUT_MS });
    return { kind: 'answered', attempt: cardAttempt(data) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return outcomeOf(error);
  }
}

function bodyOf({
  intentId,
  reference,
  merchantId,
  total,
  description,
  token,
  buyer,
}: PaymentOrder): PaymentBody {
  return {
    amount: pesosFromCentavos(total),
    currency: 'MXN',
    description: description.replaceAll('\u00a0', ' ').slice(0, 250),
    payment_method: { token: token.id },
    prevention_data: token.prevention,
    customer: {
      email: buyer.user,
      phone: buyer.phone,
      address: {
        number: buyer.numberAddress,
        postal_code: buyer.postalCodeAddress,
        street: buyer.streetAddress,
      },
    },
    apartaBusinnessId: merchantId,
    referencia: reference,
    intentoId: intentId,
  };
}

function outcomeOf(error: ApiError): Outcome {
  const { failure } = error;
  if (failure.kind !== 'refused') return { kind: 'lost' };
  switch (failure.code) {
    // The request may have been processed, but its answer is missing.
    case 'TOO_SLOW':
    case 'UNAVAILABLE':
    case 'INTERNAL':
      return { kind: 'lost' };
    case 'AMOUNT_CHANGED':
      return { kind: 'overtaken', error, newAmount: amountOf(failure.facts.amount) };
    case 'ATTEMPT_OPEN':
    case 'INTENT_CONFLICT':
    case 'NOT_FOUND':
    case 'REFERENCE_EXPIRED':
    case 'REFERENCE_PAID':
    case 'REFERENCE_CANCELLED':
      return { kind: 'overtaken', error };
    case 'CARDS_NOT_ACCEPTED':
    case 'MERCHANT_MISCONFIGURED':
      return { kind: 'noCards' };
    default:
      return { kind: 'refused', error };
  }
}

function amountOf(fact: unknown): Centavos | undefined {
  return typeof fact === 'number' ? pesosToCentavos(fact) : undefined;
}
