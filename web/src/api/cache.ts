import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/**
 * A cache of the server's state, for as long as a buyer is signed in. Without internet every call fails at once, so that its
 * screen says so: the library's own way is to wait and send later, and a cancel must never go out after its buyer has
 * turned away.
 */
export function openCache(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 30_000,
        // A refusal stays a refusal; only the network deserves another try, where there is one.
        retry: (count, error) =>
          count < 2 &&
          navigator.onLine &&
          error instanceof ApiError &&
          (error.failure.kind === 'network' || error.failure.kind === 'timeout'),
      },
    },
  });
}
