import type { UseQueryResult } from '@tanstack/react-query';

/**
 * Whether a query's first answer is still to come: until then a screen keeps its place instead of moving later. What was brought back
 * from an earlier visit counts as one, since the network may be silent for long.
 */
export function isAwaited({ data, isFetched, failureCount }: UseQueryResult): boolean {
  return data === undefined && !isFetched && failureCount === 0;
}
