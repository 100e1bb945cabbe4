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

/** A payable as the server has it now, and the two ways to keep it so. */
export interface PayableSource {
  readonly payable: Payable | undefined;
  readonly error: Error | null;
  readonly isLoading: boolean;
  /** Asks the server again; resolves when it has answered or cannot be reached. */
  refresh(): Promise<void>;
  /** Takes the server's newest word on an attempt before the whole is asked again. */
  put(attempt: CardPayment): void;
}

/** The id in an address. What is none becomes 0, which the server refuses like any that it does not know. */
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

/** Read anew on each arrival, return and change of window. */
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

/** A page that comes back out of the browser's back-forward cache shows what was true when it was left. */
function useRestoredPage(onRestored: () => void): void {
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) onRestored();
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  });
}

/** The merchant's card set-up: its public key for the card frame, empty when it has none. */
export function cardSetupQuery(merchantId: number) {
  return queryOptions({
    queryKey: ['card-setup', merchantId],
    queryFn: async ({ signal }) => {
      const { data } = await call(getMerchant, { params: { id: merchantId } }, { signal });
      return { apiKey: data.clipApiKey };
    },
  });
}

/** Asks the server to look at a payment again (spec §4: 'the payment is verified'). */
export async function verifyPayment(payable: Payable, paymentId: string): Promise<CardPayment> {
  return (await call(getCardPayment, { params: { paymentId, businessId: payable.merchantId } })).data;
}

/** Which call of the product system applies what (spec §7). */
const applying = { layaway: onLayaway, instalment: payTill } as const satisfies Record<
  Payable['kind'],
  unknown
>;

/** Spec §4's last call. From a buyer the server reads `referencia` and `idtransaccion` alone, and looks again. */
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

/** The body of a payment, made once: a retry sends the same one with the same id (decisions §3). */
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

/** What sending a payment brought. */
export type Outcome =
  | { kind: 'answered'; attempt: CardPayment }
  /** No usable answer: the server may or may not have it. */
  | { kind: 'lost' }
  | { kind: 'amountChanged'; to: Centavos | undefined; error: ApiError }
  /** Another attempt or another end is there: the server's state says which. */
  | { kind: 'overtaken'; error: ApiError }
  | { kind: 'noCards'; error: ApiError }
  /** Certainly nothing charged; the error says why. */
  | { kind: 'refused'; error: ApiError };

// The server waits up to 40 s for the provider and 45 s in all.
const PAYMENT_TIMEOUT_MS = 60_000;

/** Sends a payment once. Throws only what is not the wire's. */
export async function sendPayment(body: PaymentBody): Promise<Outcome> {
  try {
    const { data } = await call(createCardPayment, { body }, { timeoutMs: PAYMENT_TIMEOUT_MS });
    return { kind: 'answered', attempt: data };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { failure } = error;
    if (failure.kind !== 'refused') return { kind: 'lost' };
    switch (failure.code) {
      // The request was taken, or may have been, and its answer was not.
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

/** How long a screen looks by itself: a 3DS window may take its half hour (payments.md §1.5). */
export type PollingSpan = 'once' | 'minutes' | 'halfHour';

const POLLING_ENDS_MS: Record<PollingSpan, number> = { once: 0, minutes: 3 * 60_000, halfHour: 30 * 60_000 };

/** How long to wait before the next look, or false to stop: 1 s growing to 5 s, and 15 s after three minutes. */
export function nextPollMs(polls: number, elapsedMs: number, span: PollingSpan): number | false {
  if (elapsedMs >= POLLING_ENDS_MS[span]) return false;
  return elapsedMs >= POLLING_ENDS_MS.minutes ? 15_000 : Math.min(5_000, Math.round(1_000 * 1.4 ** polls));
}

export interface AttemptPolling {
  /** The attempt as the last look found it. */
  readonly attempt: CardPayment | undefined;
  /** The server knew no such attempt at the last look, so many ms after the first. */
  readonly missedAfterMs: number | undefined;
  readonly isChecking: boolean;
  /** It has stopped looking by itself. */
  readonly hasEnded: boolean;
  check(): void;
}

/** Looks at an attempt again and again, while its screen is in front, as long as the patience lasts. */
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

/** Tells, once, when a watch sees the attempt otherwise than its screen shows it. */
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

/** The sum of an attempt, as the server charged it. */
export function amountCharged(attempt: CardPayment): Centavos {
  return centavosFromPesos(attempt.amount);
}

/** The same without the service fee: an instalment that is paid owes nothing any more, so only the attempt knows. */
export function principalCharged(payable: Payable, attempt: CardPayment): Centavos {
  return subtract(amountCharged(attempt), payable.fee);
}
