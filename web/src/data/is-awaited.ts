import type { UseQueryResult } from '@tanstack/react-query';

/** Whether a query's first answer is still to come: until then a screen keeps its place instead of moving later. */
export function isAwaited({ isFetched, failureCount }: UseQueryResult): boolean {
  return !isFetched && failureCount === 0;
}
