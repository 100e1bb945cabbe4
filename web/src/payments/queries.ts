import { getLayawayReference } from '@aparta/contract/layaway';
import { getMerchant } from '@aparta/contract/merchants';
import { getInstalment, listInstalments } from '@aparta/contract/purchases';
import { queryOptions, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import type { CardAttempt } from '../data/payments.ts';
import { instalmentPayable, layawayPayable, type Payable } from './payable.ts';

/** A payable in its current state, and how to refresh it. */
export interface PayableSource {
  readonly payable: Payable | undefined;
  readonly error: Error | null;
  /** Refetches. Resolves with the newest that is known, also on a failure. */
  refresh(): Promise<Payable | undefined>;
  /** Stores a newer attempt; a read that began before it is dropped. */
  put(attempt: CardAttempt): Promise<void>;
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
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(signal),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
  useRestoredPage(() => void client.resetQueries({ queryKey }));
  return {
    payable: data,
    error,
    refresh: async () => (await refetch()).data,
    put: async (attempt) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData<Payable>(queryKey, (old) => old && { ...old, attempt });
    },
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
