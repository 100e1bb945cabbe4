import { listUnresolvedLayaways } from '@aparta/contract/layaway';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { readReference } from './layaway.ts';
import { LAYAWAY_REFERENCE } from './purchases-key.ts';

/** Longer no screen waits to know whether there is one: what stands on it comes from elsewhere. */
const PATIENCE_MS = 8_000;

/** Those whose card payment is open, or of which money is owed back, also if they were made on another device. */
export const unresolvedLayawaysQuery = () =>
  queryOptions({
    queryKey: [...LAYAWAY_REFERENCE, 'unresolved'],
    staleTime: 0,
    retry: false,
    queryFn: ({ signal }) => call(listUnresolvedLayaways, {}, { signal, timeoutMs: PATIENCE_MS }),
    select: ({ data }) =>
      data
        .map((one) => readReference({ data: one }))
        .filter(({ attempt, owedBack, owedToCard }) => attempt?.isOpen || owedBack > 0 || owedToCard > 0),
  });
