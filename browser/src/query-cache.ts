import { QueryClient } from '@tanstack/react-query';
import { isNetworkFailure } from './network-failure.ts';

/**
 * The query cache of somebody who is signed in. Offline, calls fail at once so that the screen says so: the library
 * would pause and send later, and what was pressed must never go out after its reader has left.
 */
export function openCache(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 30_000,
        // Refusals are final; only network failures are retried.
        retry: (count, error) => count < 2 && navigator.onLine && isNetworkFailure(error),
      },
    },
  });
}
