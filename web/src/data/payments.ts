import { pesosFromCentavos } from '@aparta/contract/amount';
import type { Sent } from '@aparta/contract/endpoint';
import { createCardPayment, getAttempt, getCardPayment } from '@aparta/contract/payments';
import type { Allocation } from '@aparta/domain/allocation';
import { pesosToCentavos, type Centavos } from '@aparta/domain/money';
import { ApiError } from '@aparta/browser/api-error.ts';
import { call } from '../api/client.ts';
import { readCardAttempt, type CardAttempt } from './card-attempt.ts';
import type { BuyerProfile } from './profile.ts';

/** The state of an attempt, by the id that this browser gave it. Throws ApiError; NOT_FOUND if it never arrived. */
export async function readAttempt(intentId: string, signal: AbortSignal): Promise<CardAttempt> {
  return readCardAttempt((await call(getAttempt, { params: { intentoId: intentId } }, { signal })).data);
}

/**
 * Makes the server ask the provider about a payment now and apply it if it was approved. It reopens an abandoned 3DS
 * that the bank still waits for. Throws ApiError.
 */
export async function checkPayment(paymentId: string, merchantId: number): Promise<CardAttempt> {
  return readCardAttempt(
    (await call(getCardPayment, { params: { paymentId, businessId: merchantId } })).data,
  );
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
  /** What they were shown that it fills of a plan. */
  fills: Allocation['parts'] | undefined;
  /** Several purchases, each with what of it is filled; `reference` is the first's. */
  shares: readonly { readonly reference: string; readonly fills: Allocation['parts'] }[] | undefined;
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
    return { kind: 'answered', attempt: readCardAttempt(data) };
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
  fills,
  shares,
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
    ...(fills && { abonos: abonosOf(fills) }),
    ...(shares && {
      compras: shares.map((share) => ({ referencia: share.reference, abonos: abonosOf(share.fills) })),
    }),
  };
}

const abonosOf = (fills: Allocation['parts']) =>
  fills.map(({ number, amountCentavos }) => ({
    identificador: number,
    monto: pesosFromCentavos(amountCentavos),
  }));

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
