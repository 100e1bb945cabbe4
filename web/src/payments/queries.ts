import type { Centavos } from '@aparta/domain/money';
import { useQuery, useQueryClient, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { instalmentToPayQuery, type InstalmentToPay } from '../data/instalments.ts';
import { layawayToPayQuery, takeToPay } from '../data/layaway.ts';
import type { CardAttempt } from '../data/card-attempt.ts';
import { useUser } from '../session/session.ts';
import { instalmentPayable, layawayPayable, severalPayable, type Payable } from './payable.ts';

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
  const client = useQueryClient();
  const buyerId = useUser()?.id ?? 0;
  // Before the query looks for it.
  useState(() => takeToPay(client, buyerId, referenceId));
  return usePayable({ ...layawayToPayQuery(referenceId), select: layawayPayable });
}

/** What a buyer chose to pay beside what is left of an instalment: a sum of its plan, or what is late of other purchases too. */
export interface Chosen {
  readonly chosen: Centavos | undefined;
  readonly others: readonly number[];
}

/** An instalment to pay by card, or a sum of its plan; NOT_FOUND when it is not of that purchase. */
export function useInstalmentPayable(
  purchaseId: number,
  instalmentId: number,
  { chosen, others }: Chosen,
): PayableSource {
  const ids = others.join();
  const select = useCallback(
    (read: InstalmentToPay) =>
      ids === '' ? instalmentPayable(read, chosen) : severalPayable(read, ids.split(',').map(Number)),
    [chosen, ids],
  );
  return usePayable({
    ...instalmentToPayQuery(purchaseId, instalmentId, { late: ids !== '' }),
    select,
  });
}

/** Refetched on mount, on focus, and when the page is restored. */
function usePayable<ToPay extends { attempt: CardAttempt | undefined }, Key extends QueryKey>(
  query: UseQueryOptions<ToPay, Error, Payable, Key>,
): PayableSource {
  const client = useQueryClient();
  const { queryKey } = query;
  const { data, error, refetch } = useQuery({ ...query, refetchOnWindowFocus: 'always' });
  useRestoredPage(() => void client.resetQueries({ queryKey }));
  return {
    payable: data,
    error,
    refresh: async () => (await refetch()).data,
    put: async (attempt) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData<ToPay>(queryKey, (old) => old && { ...old, attempt });
    },
  };
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
