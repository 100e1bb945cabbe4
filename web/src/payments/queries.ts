import type { BuyerProfile } from '@aparta/contract/account';
import { centavosFromPesos, pesosFromCentavos } from '@aparta/contract/amount';
import type { Sent } from '@aparta/contract/endpoint';
import { getLayawayReference } from '@aparta/contract/layaway';
import { getMerchant } from '@aparta/contract/merchants';
import { createCardPayment, getAttempt, getCardPayment, type CardPayment } from '@aparta/contract/payments';
import { getInstalment, listInstalments } from '@aparta/contract/purchases';
import { onLayaway, payTill } from '@aparta/contract/tills';
import { pesosToCentavos, subtract, type Centavos } from '@aparta/domain/money';
import { queryOptions, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { ApiError, isRefused } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import type { SentAttempt } from '../session/attempt.ts';
import type { CardToken } from './clip-sdk.ts';
import { instalmentPayable, layawayPayable, type Payable } from './payable.ts';

/** A payable in its current state, and how to refresh it. */
export interface PayableSource {
  readonly payable: Payable | undefined;
  readonly error: Error | null;
  readonly isLoading: boolean;
  /** Refetches; resolves on an answer or a failure. */
  refresh(): Promise<void>;
  /** Stores a newer attempt before the payable is refetched. */
  put(attempt: CardPayment): void;
}

/** The id in a URL. Anything invalid becomes 0, which the server refuses as unknown. */
export function idIn(word: string): number {
  return /^[1-9]\d{0,14}$/.test(word) ? Number(word) : 0;
}

/** A layaway reference to pay by card. */
export function useLayawayPayable(referenceId: number): PayableSource {
  return usePayable(['layaway', referenceId], async (signal) =>
    layawayPayable((await call(getLayawayReference, { params: { id: referenceId } }, { signal })).data),
  );
}

/** An instalment to pay by card; NOT_FOUND when it is not of that purchase. */
export function useInstalmentPayable(purchaseId: number, instalmentId: number): PayableSource {
  return usePayable(['instalment', purchaseId, instalmentId], async (signal) => {
    const [instalment, plan] = await Promise.all([
      call(getInstalment, { params: { id: instalmentId } }, { signal }),
      call(listInstalments, { params: { saleId: purchaseId } }, { signal }),
    ]);
    const payable = instalmentPayable(instalment.data, plan.data);
    if (!payable) throw notFound();
    return payable;
  });
}

/** Refetched on mount, on focus, and when the page is restored. */
function usePayable(key: QueryKey, read: (signal: AbortSignal) => Promise<Payable>): PayableSource {
  const client = useQueryClient();
  const queryKey = ['payable', ...key];
  const { data, error, isPending, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(signal),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
  useRestoredPage(() => void client.resetQueries({ queryKey }));
  return {
    payable: data,
    error,
    isLoading: isPending,
    refresh: async () => void (await refetch()),
    put: (attempt) => client.setQueryData<Payable>(queryKey, (old) => old && { ...old, attempt }),
  };
}

function notFound(): ApiError {
  const nothing = { fields: {}, facts: {}, retryAfterSeconds: undefined };
  return new ApiError({ kind: 'refused', code: 'NOT_FOUND', status: 404, ...nothing }, '');
}

/** A page restored from the back-forward cache shows outdated state. */
function useRestoredPage(onRestored: () => void): void {
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) onRestored();
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  });
}

/** The merchant's card set-up: the public key for the card frame, empty if there is none. */
export function cardSetupQuery(merchantId: number) {
  return queryOptions({
    queryKey: ['card-setup', merchantId],
    queryFn: async ({ signal }) => {
      const { data } = await call(getMerchant, { params: { id: merchantId } }, { signal });
      return { apiKey: data.clipApiKey };
    },
  });
}

/** Makes the server query a payment again (spec §4: 'the payment is verified'). */
export async function verifyPayment(payable: Payable, paymentId: string): Promise<CardPayment> {
  return (await call(getCardPayment, { params: { paymentId, businessId: payable.merchantId } })).data;
}

/** The call that applies each kind (spec §7). */
const applying = { layaway: onLayaway, instalment: payTill } as const satisfies Record<
  Payable['kind'],
  unknown
>;

/**
 * Spec §4's last call. From a buyer the server reads only `referencia` and `idtransaccion`, and verifies
 * itself.
 */
export async function applyPayment(payable: Payable, attempt: CardPayment): Promise<void> {
  const merchant = String(payable.merchantId);
  await call(applying[payable.kind], {
    body: {
      referencia: payable.reference,
      importe: pesosFromCentavos(principalCharged(payable, attempt)),
      compañia: merchant,
      sucursal: merchant,
      idtransaccion: attempt.id,
    },
  });
}

export type PaymentBody = Sent<typeof createCardPayment, 'body'>;

/** The body of a payment, built once: a retry sends the same body and id (rules/wire#payments). */
export function paymentBody(
  payable: Payable,
  buyer: BuyerProfile,
  token: CardToken,
  sent: SentAttempt,
): PaymentBody {
  return {
    amount: pesosFromCentavos(payable.total),
    currency: 'MXN',
    description: `${payable.part}: ${payable.productName}`.replaceAll('\u00a0', ' ').slice(0, 250),
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
    apartaBusinnessId: payable.merchantId,
    referencia: payable.reference,
    intentoId: sent.intentoId,
  };
}

/** The result of sending a payment. */
export type Outcome =
  | { kind: 'answered'; attempt: CardPayment }
  /** No usable answer: the server may or may not have it. */
  | { kind: 'lost' }
  | { kind: 'amountChanged'; to: Centavos | undefined; error: ApiError }
  /** Another attempt exists, or it was settled otherwise: the server's state says which. */
  | { kind: 'overtaken'; error: ApiError }
  | { kind: 'noCards'; error: ApiError }
  /** Certainly nothing was charged; the error says why. */
  | { kind: 'refused'; error: ApiError };

// The server waits up to 40 s for the provider and 45 s in all.
const PAYMENT_TIMEOUT_MS = 60_000;

/** Sends a payment once. Throws only errors that are not ApiError. */
export async function sendPayment(body: PaymentBody): Promise<Outcome> {
  try {
    const { data } = await call(createCardPayment, { body }, { timeoutMs: PAYMENT_TIMEOUT_MS });
    return { kind: 'answered', attempt: data };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { failure } = error;
    if (failure.kind !== 'refused') return { kind: 'lost' };
    switch (failure.code) {
      // The request may have been processed, but its answer is missing.
      case 'TOO_SLOW':
      case 'UNAVAILABLE':
      case 'INTERNAL':
        return { kind: 'lost' };
      case 'AMOUNT_CHANGED':
        return { kind: 'amountChanged', to: amountOf(failure.facts.amount), error };
      case 'ATTEMPT_OPEN':
      case 'INTENT_CONFLICT':
      case 'NOT_FOUND':
      case 'REFERENCE_EXPIRED':
      case 'REFERENCE_PAID':
      case 'REFERENCE_CANCELLED':
        return { kind: 'overtaken', error };
      case 'CARDS_NOT_ACCEPTED':
      case 'MERCHANT_MISCONFIGURED':
        return { kind: 'noCards', error };
      default:
        return { kind: 'refused', error };
    }
  }
}

function amountOf(fact: unknown): Centavos | undefined {
  return typeof fact === 'number' ? pesosToCentavos(fact) : undefined;
}

/** How long a screen polls: a 3DS window may take its half hour (rules/card-attempts#clocks). */
export type PollingSpan = 'once' | 'minutes' | 'halfHour';

const POLLING_ENDS_MS: Record<PollingSpan, number> = { once: 0, minutes: 3 * 60_000, halfHour: 30 * 60_000 };

/** Delay before the next poll, or false to stop: from 1 s up to 5 s, and 15 s after three minutes. */
export function nextPollMs(polls: number, elapsedMs: number, span: PollingSpan): number | false {
  if (elapsedMs >= POLLING_ENDS_MS[span]) return false;
  return elapsedMs >= POLLING_ENDS_MS.minutes ? 15_000 : Math.min(5_000, Math.round(1_000 * 1.4 ** polls));
}

export interface AttemptPolling {
  /** The attempt as of the last answer. */
  readonly attempt: CardPayment | undefined;
  /** Set if the server did not know the attempt: ms since the first check. */
  readonly missedAfterMs: number | undefined;
  readonly isChecking: boolean;
  /** Automatic polling has ended. */
  readonly hasEnded: boolean;
  check(): void;
}

/** Polls an attempt while its screen is visible, for the given span. */
export function useAttemptPolling(intentoId: string, span: PollingSpan): AttemptPolling {
  const [since] = useState(() => Date.now());
  const { data, error, dataUpdatedAt, errorUpdatedAt, isFetching, refetch } = useQuery({
    queryKey: ['attempt', intentoId],
    queryFn: async ({ signal }) => (await call(getAttempt, { params: { intentoId } }, { signal })).data,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: ({ state }) => {
      const polls = state.dataUpdateCount + state.errorUpdateCount;
      const next = nextPollMs(polls, Date.now() - since, span);
      return next && Math.max(next, askedToWaitMs(state.error));
    },
  });
  const check = useCallback(() => void refetch(), [refetch]);
  return {
    attempt: data,
    missedAfterMs: isRefused(error, 'NOT_FOUND') ? errorUpdatedAt - since : undefined,
    isChecking: isFetching,
    hasEnded: nextPollMs(0, Math.max(dataUpdatedAt, errorUpdatedAt) - since, span) === false,
    check,
  };
}

function askedToWaitMs(error: Error | null): number {
  if (!(error instanceof ApiError) || error.failure.kind !== 'refused') return 0;
  return (error.failure.retryAfterSeconds ?? 0) * 1000;
}

/** Calls `onFound` once when polling finds the attempt changed from what the screen shows. */
export function useAttemptChange(
  seen: CardPayment | undefined,
  known: CardPayment | undefined,
  onFound: (attempt: CardPayment) => void,
): void {
  const report = useEffectEvent(onFound);
  const isNews =
    seen !== undefined &&
    (seen.state !== known?.state || seen.pending_action.url !== known.pending_action.url);
  useEffect(() => {
    if (isNews) report(seen);
  }, [isNews, seen]);
}

/** The amount charged, fee included. */
export function amountCharged(attempt: CardPayment): Centavos {
  return centavosFromPesos(attempt.amount);
}

/** The amount charged without the service fee. A paid instalment owes nothing, so only the attempt knows. */
export function principalCharged(payable: Payable, attempt: CardPayment): Centavos {
  return subtract(amountCharged(attempt), payable.fee);
}
