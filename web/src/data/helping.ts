import { centavosFromPesos, pesosFromCentavos } from '@aparta/contract/amount';
import type { Sent } from '@aparta/contract/endpoint';
import {
  getHelpPayment,
  getHelpReference,
  helpAtStore,
  payHelp,
  readHelp,
  type HelpPayment,
  type HelpReference,
} from '@aparta/contract/help';
import { isEmailAddress } from '@aparta/domain/email-address';
import type { Centavos } from '@aparta/domain/money';
import { ApiError, isRefused } from '@aparta/browser/api-error.ts';
import { callPublicly } from '../api/public-client.ts';
import { readCardAttempt, type CardAttempt } from './card-attempt.ts';

export { isEmailAddress };
export type { HelpReference };

/** What a help link asks for. */
export type Helped = NonNullable<Awaited<ReturnType<typeof readHelped>>>;

/** Undefined for a link that is good for nothing (any more). Throws ApiError. */
export async function readHelped(code: string, signal?: AbortSignal) {
  try {
    const { data } = await callPublicly(readHelp, { body: { helpCode: code } }, { signal });
    return {
      firstName: data.firstName,
      productName: data.productName,
      pictures: data.pictures,
      tradeName: data.tradeName,
      message: data.helpMessage,
      goal: orUndefined(data.goal),
      goalLeft: orUndefined(data.goalLeft),
      helped: centavosFromPesos(data.helped),
      least: centavosFromPesos(data.least),
      most: centavosFromPesos(data.most),
      fee: centavosFromPesos(data.cardFee),
      storeFee: centavosFromPesos(data.storeFee),
      storeMost: centavosFromPesos(data.storeMost),
      penalty: centavosFromPesos(data.penalty),
      acceptsCards: data.acceptsCards,
      cardKey: data.cardKey,
    };
  } catch (error) {
    // What is no code at all is no link either.
    if (isRefused(error, 'NOT_FOUND', 'INVALID_INPUT')) return undefined;
    throw error;
  }
}

function orUndefined(pesos: number | null): Centavos | undefined {
  return pesos === null ? undefined : centavosFromPesos(pesos);
}

/** A helper's payment by the id that this tab made. Throws ApiError; NOT_FOUND if it never arrived. */
export async function readHelpPayment(intentId: string, signal?: AbortSignal): Promise<CardAttempt> {
  const { data } = await callPublicly(getHelpPayment, { body: { intentoId: intentId } }, { signal });
  return readHelpAttempt(data);
}

function readHelpAttempt(wire: HelpPayment): CardAttempt {
  return readCardAttempt({ ...wire, id: '', ventaId: null, returnReason: null, plan: null });
}

/** A payment by a help link, confirmed by its helper. The same order is the same payment. */
export interface HelpOrder {
  readonly intentId: string;
  readonly code: string;
  /** As it was shown, fee inside. */
  readonly total: Centavos;
  readonly name: string;
  readonly email: string;
  readonly token: {
    readonly id: string;
    readonly prevention: NonNullable<Sent<typeof payHelp, 'body'>['prevention_data']>;
  };
  /** Resolves once the work is done. */
  readonly proof: Promise<string>;
}

/** The result of sending it. */
export type HelpOutcome =
  | { kind: 'answered'; attempt: CardAttempt }
  /** No usable answer: the server may or may not have it. */
  | { kind: 'lost' }
  /** What the link asks for has changed, or it has ended: nothing was charged, and the server says how it is now. */
  | { kind: 'overtaken'; error: ApiError }
  /** Certainly nothing was charged; the error says why. */
  | { kind: 'refused'; error: ApiError };

// The server waits up to 40 s for the provider and 50 s in all.
const PAYMENT_TIMEOUT_MS = 60_000;

/** Sends a payment once. Throws only errors that are not ApiError. */
export async function sendHelp(order: HelpOrder): Promise<HelpOutcome> {
  try {
    const body = {
      helpCode: order.code,
      amount: pesosFromCentavos(order.total),
      helperName: order.name,
      helperEmail: order.email,
      payment_method: { token: order.token.id },
      prevention_data: order.token.prevention,
      intentoId: order.intentId,
      workProof: await order.proof,
    };
    const { data } = await callPublicly(payHelp, { body }, { timeoutMs: PAYMENT_TIMEOUT_MS });
    return { kind: 'answered', attempt: readHelpAttempt(data) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: kindOf(error), error };
  }
}

function kindOf({ failure }: ApiError): 'lost' | 'overtaken' | 'refused' {
  if (failure.kind !== 'refused') return 'lost';
  switch (failure.code) {
    // The request may have been processed, but its answer is missing.
    case 'TOO_SLOW':
    case 'UNAVAILABLE':
    case 'INTERNAL':
      return 'lost';
    case 'NOT_FOUND':
    case 'AMOUNT_CHANGED':
    case 'PURCHASE_SETTLED':
    case 'INTENT_CONFLICT':
    case 'CARDS_NOT_ACCEPTED':
    case 'MERCHANT_MISCONFIGURED':
      return 'overtaken';
    default:
      return 'refused';
  }
}

/** A number by which stores take what a helper gives, and what became of it. */
export interface StoreHelp {
  readonly intentId: string;
  readonly state: HelpReference['storeState'];
  /** Undefined until Tapi gave it. */
  readonly number: string | undefined;
  /** What the store is asked to take, fee inside. */
  readonly total: Centavos;
  readonly fee: Centavos;
  /** The purchase owes less by now than the number asks for. */
  readonly isTooMuch: boolean;
  readonly expiresAt: Date;
  readonly firstName: string;
  readonly productName: string;
  readonly pictures: HelpReference['pictures'];
  readonly tradeName: string;
  /** `takesIt`: the sum is within the chain's limit. */
  readonly stores: readonly {
    readonly name: string;
    readonly limit: Centavos;
    readonly takesIt: boolean;
  }[];
  /** What stores took, and each payment of it, the first first. */
  readonly given: Centavos;
  readonly payments: readonly StoreGift[];
  /** The shop has handed over all that it gives back. */
  readonly isHandedOver: boolean;
}

/** A payment by a number. */
interface StoreGift {
  readonly folio: string;
  readonly amount: Centavos;
  readonly paidAt: Date;
  /** What the shop gives back in cash, or gave. */
  readonly owedBack: Centavos;
  readonly isHandedOver: boolean;
}

/** The server may have to ask the store network twice. */
const ISSUE_TIMEOUT_MS = 35_000;

/** Asks for a number; the same order gets the same one. Throws ApiError. */
export async function askStoreNumber(order: Omit<HelpOrder, 'token'>): Promise<HelpReference> {
  const body = {
    helpCode: order.code,
    amount: pesosFromCentavos(order.total),
    helperName: order.name,
    helperEmail: order.email,
    intentoId: order.intentId,
    workProof: await order.proof,
  };
  return (await callPublicly(helpAtStore, { body }, { timeoutMs: ISSUE_TIMEOUT_MS })).data;
}

/** What became of a number. Throws ApiError. */
export async function readStoreNumber(intentId: string, signal?: AbortSignal): Promise<HelpReference> {
  return (await callPublicly(getHelpReference, { body: { intentoId: intentId } }, { signal })).data;
}

/** A number as the screen shows it. */
export function storeHelpOf(wire: HelpReference): StoreHelp {
  const total = centavosFromPesos(wire.amount);
  return {
    intentId: wire.intentoId,
    state: wire.storeState,
    number: wire.barcode ?? undefined,
    total,
    fee: centavosFromPesos(wire.fee),
    isTooMuch: wire.tooMuch,
    expiresAt: new Date(wire.expiresAt),
    firstName: wire.firstName,
    productName: wire.productName,
    pictures: wire.pictures,
    tradeName: wire.tradeName,
    stores: wire.stores.map(({ name, limit }) => {
      const most = centavosFromPesos(limit);
      return { name, limit: most, takesIt: most >= total };
    }),
    given: centavosFromPesos(wire.given),
    payments: paymentsOf(wire).map(({ folio, amount, paidAt, owedBack, handedOver }) => ({
      folio,
      amount: centavosFromPesos(amount),
      paidAt: new Date(paidAt),
      owedBack: centavosFromPesos(owedBack),
      isHandedOver: handedOver,
    })),
    isHandedOver: wire.handedOver,
  };
}

/** What the device has kept, or an older server says, knows of one alone. */
function paymentsOf({ payments, folio, paidAt, given, owedBack, handedOver }: HelpReference) {
  if (payments.length > 0 || folio === null || paidAt === null) return payments;
  return [{ folio, amount: given, paidAt, owedBack, handedOver }];
}
