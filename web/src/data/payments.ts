import { centavosFromPesos } from '@aparta/contract/amount';
import type { Sent } from '@aparta/contract/endpoint';
import {
  createCardPayment,
  getAttempt,
  getCardPayment,
  type AttemptState,
  type CardPayment,
  type RejectionAdvice,
} from '@aparta/contract/payments';
import type { DateOnly } from '@aparta/domain/calendar';
import { pesosToCentavos, type Centavos } from '@aparta/domain/money';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';

/** A card attempt as the server last reported it. */
export interface CardAttempt {
  /** Made by the browser before sending. */
  readonly intentId: string;
  /** The provider's; empty while unknown. */
  readonly paymentId: string;
  readonly state: AttemptState;
  /** Fee included. */
  readonly charged: Centavos;
  readonly createdAt: Date;
  /** Where the bank identifies the buyer; empty unless it waits for that. */
  readonly threeDsUrl: string;
  readonly card: CardPayment['card'];
  /** Of a rejected attempt only. */
  readonly advice: RejectionAdvice | null;
  readonly refund: { readonly amount: Centavos; readonly done: boolean } | null;
  /** The receipt's number and date, and the purchase; null until the money is applied. */
  readonly folio: string | null;
  readonly paidAt: Date | null;
  readonly purchaseId: number | null;
  /** How the purchase stands now; null until the money is applied, and once the purchase is cancelled. */
  readonly plan: PaidPlan | null;
}

/** A purchase's plan after a payment. */
export interface PaidPlan {
  readonly count: number;
  readonly paid: number;
  /** Without service fees. */
  readonly left: Centavos;
  /** Null when nothing is left. */
  readonly nextDueOn: DateOnly | null;
}

/** An attempt from its wire form; other resources carry one too. */
export function cardAttempt(wire: CardPayment): CardAttempt {
  const { refund, plan, paidAt } = wire;
  return {
    intentId: wire.intentoId,
    paymentId: wire.id,
    state: wire.state,
    charged: centavosFromPesos(wire.amount),
    createdAt: new Date(wire.createdAt),
    threeDsUrl: wire.pending_action.url,
    card: wire.card,
    advice: wire.advice,
    refund: refund && { amount: centavosFromPesos(refund.amount), done: refund.done },
    folio: wire.folio,
    paidAt: paidAt === null ? null : new Date(paidAt),
    purchaseId: wire.ventaId,
    plan: plan && { ...plan, left: centavosFromPesos(plan.left) },
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

export type PaymentBody = Sent<typeof createCardPayment, 'body'>;

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

/** Sends a payment once. A second call with the same body is the same payment. Throws only errors that are not ApiError. */
export async function sendPayment(body: PaymentBody): Promise<Outcome> {
  try {
    const { data } = await call(createCardPayment, { body }, { timeoutMs: PAYMENT_TIMEOUT_MS });
    return { kind: 'answered', attempt: cardAttempt(data) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return outcomeOf(error);
  }
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
